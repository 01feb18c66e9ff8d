"""The look of the figures, and diagrams of architectures."""

import numpy as np
import pytest
from drawings import check, plots
from matplotlib.colors import to_rgb

from capacity import DilatedConvolution
from capacity.figures import diagrams, style

P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])
CASES = {
    "plot_architecture": [DilatedConvolution.hierarchical(2, 1)],
    "plot_augmented_layer": [P],
    "plot_layer": [P],
    "plot_recurrence": [3],
}


def test_each_diagram_has_a_case():
    assert CASES.keys() == plots(diagrams)


@pytest.mark.parametrize("name", CASES)
def test_diagrams_have_neither_frame_nor_grid(ax, name):
    check(ax, getattr(diagrams, name)(ax, *CASES[name]), [], labels="")
    assert not any(spine.get_visible() for spine in ax.spines.values())
    assert all(label.get_text() for label in ax.get_xticklabels())


def test_a_layer_has_one_edge_per_weight_and_negative_ones_are_dashed(ax):
    diagrams.plot_layer(ax, P)
    edges = ax.get_lines()
    assert len(edges) == P.size + P.shape[1]
    assert sum(edge.get_linestyle() == "--" for edge in edges) == 1


def test_an_architecture_shows_the_paths_to_the_last_output(ax):
    diagrams.plot_architecture(ax, DilatedConvolution.hierarchical(2, 1))
    dark = [
        line for line in ax.get_lines() if line.get_color() == style.COLORS["reference"] and line.get_marker() == "None"
    ]
    assert {tuple(map(tuple, line.get_xydata())) for line in dark} == {
        ((1, 1), (3, 2)), ((3, 1), (3, 2)), ((0, 0), (1, 1)), ((1, 0), (1, 1)), ((2, 0), (3, 1)), ((3, 0), (3, 1))
    }  # fmt: skip


@pytest.mark.parametrize("color", ["black", "#de8f05", "#ece133", *style.layer_colors(8)])
def test_readable_colours_have_the_contrast_that_is_asked_for(color):
    red, green, blue = (
        (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4) for v in to_rgb(style.readable(color))
    )
    assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5


def test_direct_labels_do_not_overlap(ax):
    lines = [ax.plot([0, 1], [0, height], label=f"{height}")[0] for height in (1.0, 1.01, 1.02)]
    style.direct_labels(ax, lines, gap=0.1)
    heights = sorted(text.xy[1] for text in ax.texts)
    assert {text.get_text() for text in ax.texts} == {"1.0", "1.01", "1.02"}
    assert np.diff(heights).min() >= 0.1 - 1e-12


def test_lags_run_to_the_right_down_to_one(ax):
    style.lag_axis(ax, 64)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "16", "32", "48", "64"]
    assert list(ax.get_xticks()) == [63, 48, 32, 16, 0]


def test_channel_counts_have_colours_and_names_of_their_own():
    assert len({style.channel_color(2**k) for k in range(8)}) == 8
    assert [style.channel_label(c) for c in (1, 2)] == ["1 channel", "2 channels"]
