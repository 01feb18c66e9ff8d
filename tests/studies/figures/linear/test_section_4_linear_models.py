"""Strokes of the figures of linear/4-linear-models."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity_studies.figures.linear import section_4_linear_models
from capacity_studies.figures.linear.section_4_linear_models import plot_error_plane

N = 8
FIRST, SECOND = np.linspace(0, 1, N), np.linspace(1, 0, N) ** 2

CASES = {
    "plot_error_plane": (
        [np.column_stack([FIRST, SECOND]), FIRST[:2], np.array([0, 1.0]), np.eye(2)],
        {},
        [(FIRST, SECOND), (FIRST[:1], FIRST[1:2])],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_4_linear_models, CASES)


def test_the_level_line_through_the_error_is_drawn_and_the_error_named(ax):
    errors, covariance = np.array([0.3, -0.2]), np.array([[1.0, 0.5], [0.5, 1.0]])
    curve = np.column_stack([FIRST, SECOND])
    contours, *_ = plot_error_plane(ax, curve, errors, np.array([0, 1.0]), covariance, name="here")
    assert contours.levels[1] == pytest.approx(errors @ covariance @ errors)
    assert "here" in [text.get_text() for text in ax.texts]
