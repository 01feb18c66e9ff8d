"""Strokes that figures of several chapters share."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity_studies.figures import strokes
from capacity_studies.figures.strokes import height_of_words, in_rows, plot_handed_down, plot_shared_matrix, plot_shares

P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])
STEPS, X = [0, 10, 100], np.array([0.5, 3.0, 16.0])
MEANS = np.array([0.1, 0.5, 0.9]), np.array([0.1, 0.4, 0.7])
ACCURACIES = dict(zip(("train", "test"), ((values, np.stack([values - 0.05, values + 0.05])) for values in MEANS)))
SHARES = np.array([0.1, 0.4, 0.2])
SLOPES = np.array([0.5, 1.0, 1.5])

CASES = {
    "plot_teeth": ([X, {"a": SHARES, "b": SLOPES}], {}, [(X, SHARES), (X, SLOPES)]),
    "plot_shared_matrix": ([np.outer(SHARES, SLOPES)], {}, []),
    "plot_shares": ([SHARES, 2 * SHARES], {}, [], ""),
    "plot_accuracies": (
        [STEPS, ACCURACIES],
        {"chance": 0.1},
        [(STEPS, v) for v in MEANS],
    ),
    "plot_means": ([X, ACCURACIES], {}, [(X, v) for v in MEANS], ""),
    "plot_handed_down": ([P**2, np.array([0.6, 0.4])], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases({strokes: CASES})


@pytest.mark.parametrize(("number", "rows", "labelled"), [(3, 1, 3), (5, 1, 1), (6, 2, 6), (8, 2, 2)])
def test_panels_are_in_rows_of_at_most_five_with_a_label_for_each_or_for_a_row(number, rows, labelled):
    _, axes, below = in_rows(number)
    assert len(axes) == number
    assert {ax.get_subplotspec().rowspan.start for ax in axes} == set(range(rows))
    assert len(set(below) & set(axes)) == labelled


def test_words_about_a_point_at_the_top_stand_below_it(ax):
    ax.set_ylim(0, 10)
    assert [height_of_words(ax, (0.5, y)) for y in (5, 9)] == pytest.approx([0.86, 0.62])


def test_what_is_handed_down_is_as_wide_as_the_capacity_along_it_and_arrives(ax):
    plot_handed_down(ax, P**2, np.array([0.6, 0.4]))
    widths = [line.get_linewidth() for line in ax.get_lines()]
    assert np.allclose(np.divide(widths, widths[0]), np.array([0.15, 0.1, 0.294, 0.004, 0.256]) / 0.15)
    assert [text.get_text().split()[-1] for text in ax.texts[-3:]] == ["0.25", "0.30", "0.26"]


def test_the_matrix_has_a_row_per_input_and_white_at_zero(ax):
    (image,) = plot_shared_matrix(ax, np.outer(SHARES, SLOPES), limit=2.0)
    assert np.array_equal(image.get_array(), np.outer(SHARES, SLOPES))
    assert image.get_clim() == (-2.0, 2.0)
    (image,) = plot_shared_matrix(ax, -np.outer(SHARES, SLOPES))
    assert image.get_clim() == pytest.approx((-0.6, 0.6))
    assert ax.get_ylim() == (3.5, 0.5)


def test_bars_stand_in_front_of_their_outlines_in_either_direction(ax):
    bars = plot_shares(ax, SHARES, 2 * SHARES)
    assert [bar.get_height() for bar in bars] == [*SHARES, *(2 * SHARES)]
    bars = plot_shares(ax, SHARES, 2 * SHARES, horizontal=True)
    assert [bar.get_width() for bar in bars] == [*SHARES, *(2 * SHARES)]
    assert ax.get_ylim() == (3.5, 0.5)
