"""Plots for the search of an architecture."""

import numpy as np
from drawings import check, plots

from capacity.design import Want, search
from capacity.figures import design as figures
from capacity.figures import plot_design
from capacity.tasks import GaussianProcess


def test_each_plot_has_a_case():
    assert plots(figures) == {"plot_design"}


def test_candidates_fits_and_front_are_drawn_with_their_cost_and_what_is_unmet(ax):
    found = search(Want((5, None), share=0.5), 20, process=GaussianProcess(), fits=3, max_iterations=3)
    points = (found.candidates, found.fits, found.front)
    curves = [([p.parameters for p in part], [p.unmet for p in part]) for part in points]
    check(ax, plot_design(ax, found), curves)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["estimates", "fits", "front"]


def test_without_a_process_there_are_no_fits_and_the_cost_is_named(ax):
    found = search(Want((5, None), share=0.5), 20, cost="total")
    assert len(plot_design(ax, found)) == 2
    assert ax.get_xlabel() == "total capacity (log scale)"
    np.testing.assert_array_equal(ax.get_lines()[0].get_xdata(), [c.total for c in found.candidates])
