"""Plots for the search of an architecture."""

import numpy as np
from drawings import check

from capacity.tasks import GaussianProcess
from capacity_inspection.design import Want, search
from capacity_inspection.figures import plot_design


def test_estimates_fits_and_front_are_drawn_with_their_cost_and_what_is_unmet(ax):
    found = search(Want((3, 4), full=1.0), 8, process=GaussianProcess(), fits=6, max_iterations=3)
    curves = [([p.parameters for p in part], [p.unmet for p in part]) for part in (found.fits, found.front[::-1])]
    check(ax, lines := plot_design(ax, found), [found.estimates.T, *curves])
    assert lines[-1].get_drawstyle() == "steps-post"  # what is unmet falls where the next has its parameters
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["estimates", "fits", "front"]


def test_without_a_process_there_are_no_fits(ax):
    found = search(Want((5, None), share=0.5), 20)
    assert len(plot_design(ax, found)) == 2
    np.testing.assert_array_equal(ax.get_lines()[0].get_xydata(), found.estimates)
