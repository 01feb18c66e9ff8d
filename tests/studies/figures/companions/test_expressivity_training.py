"""Strokes of the figures of companions/expressivity-training."""

import matplotlib as mpl
import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.companions import expressivity_training
from capacity_studies.figures.companions.expressivity_training import (
    plot_activities_along,
    plot_lengths_in_training,
    plot_training,
)

STEPS, X = [0, 10, 100], np.array([0.5, 3.0, 16.0])
LENGTHS = np.array([[1.0, 2, 4], [1, 2, 3], [1, 1.5, 2]])
ACCURACIES = {"train": np.array([0.1, 0.5, 0.9]), "test": np.array([0.1, 0.4, 0.7])}
INTERVALS = {name: np.stack([values - 0.05, values + 0.05]) for name, values in ACCURACIES.items()}
CURVE = np.array([[0.0, 1.0], [2.0, 3.0], [5.0, 4.0]])

CASES = {
    "plot_activities_along": ([CURVE], {"ends": ("3", "8")}, []),
    "plot_lengths_in_training": ([LENGTHS, STEPS], {}, [([0, 1, 2], row) for row in LENGTHS]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(
    expressivity_training,
    CASES,
    {"plot_training"},  # below
)


def test_time_goes_from_pale_to_dark(ax):
    lines = plot_lengths_in_training(ax, LENGTHS, STEPS)
    first, middle, last = (sum(mpl.colors.to_rgb(line.get_color())) for line in lines)
    assert first > middle > last
    assert [line.get_label() for line in lines] == ["step 0", "step 10", "step 100"]


def test_bands_lie_about_the_first_and_the_last_time(ax):
    plot_lengths_in_training(ax, LENGTHS, STEPS, np.stack([0.9 * LENGTHS, 1.1 * LENGTHS]))
    heights = [np.ptp(band.get_paths()[0].vertices[:, 1]) for band in ax.collections]
    assert np.allclose(heights, [1.1 * 4 - 0.9, 1.1 * 2 - 0.9])


def test_units_are_rows_and_the_ends_of_the_curve_are_named(ax):
    (image,) = plot_activities_along(ax, CURVE, ends=("3", "8"))
    assert np.array_equal(image.get_array(), CURVE.T)
    assert image.get_clim() == (-1, 1)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["3", "8"]


def test_lengths_and_accuracies_stand_side_by_side_on_one_scale(ax):
    axes = list(ax.figure.subplots(1, 3))
    ends = np.stack([0.9 * LENGTHS, 1.1 * LENGTHS])
    scores = {name: (ACCURACIES[name], INTERVALS[name]) for name in ACCURACIES}
    lines = plot_training(axes, STEPS, {"data": (LENGTHS, ends), "random": (2 * LENGTHS, 2 * ends)}, scores, chance=0.1)
    assert [line.axes for line in lines] == [axes[0]] * 3
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert np.array_equal(axes[1].get_lines()[2].get_ydata(), 2 * LENGTHS[2])
    assert np.array_equal(axes[2].get_lines()[1].get_ydata(), ACCURACIES["test"])
    titles = [panel.get_title(loc="left") or panel.get_title() for panel in axes]
    assert titles == ["data points", "random points", "accuracy"]
