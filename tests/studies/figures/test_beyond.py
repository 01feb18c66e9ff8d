"""Strokes of the figures of chapters/beyond."""

import numpy as np
import pytest
from drawings import check

from capacity_studies.figures.beyond.attention import plot_by_position
from capacity_studies.figures.beyond.questions import plot_reach, plot_truncations
from capacity_studies.figures.beyond.state_space import (
    plot_disc,
    plot_half_lags,
    plot_half_lags_against,
    plot_memory_ranks,
)
from capacity_studies.figures.beyond.trained import plot_before_and_after, plot_group_shares
from capacity_studies.figures.beyond.usefulness import plot_effects, plot_gap, plot_masking, usefulness_gap
from capacity_studies.figures.beyond.weight_scale import plot_highlighted

SIZES = np.array([16, 32, 64])
REACH = {"field": SIZES, "half": np.array([4, 5, 7])}
POLES = {"one": np.array([0.5 + 0.2j, 0.1j]), "two": np.array([0.9 + 0j])}
BEFORE = {"S4D-Lin": {"sun": 30, "sea": 31}, "LRU": {"sun": 26, "sea": 28}}
AFTER = {"S4D-Lin": {"sun": 8, "sea": 6}, "LRU": {"sun": 15, "sea": 7}}
EFFECTS = {
    "first": (np.array([-1.0, -0.5, 0.02]), -0.49, np.array([-0.9, -0.1]), "yes"),
    "second": (np.array([0.01, 0.03]), 0.02, np.array([-0.2, 0.3]), "undecided"),
}
X = np.array([4.0, 8, 16, 32])
CURVES = {"low": np.array([0.4, 0.2, 0.1, 0.05]), "high": np.array([0.5, 0.7, 0.8, 0.9])}


def test_positions_are_a_line_and_the_last_token_a_dot_that_no_line_leads_to(ax):
    capacities = {"one": np.array([0.6, 0.1, 0.05, 0.25]), "two": np.array([0.3, 0.2, 0.1, 0.4])}
    lines = plot_by_position(ax, capacities)
    check(ax, lines, [(np.arange(1, 4), values[:-1]) for values in capacities.values()])
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in dots] == [(4, 0.25), (4, 0.4)]
    assert ax.get_ylim()[0] == 1e-9


def test_reaches_are_drawn_with_the_field_dashed(ax):
    for log in (True, False):
        ax.clear()
        lines = plot_reach(ax, SIZES, REACH, xlabel="inputs", log=log)
        check(ax, lines, [(SIZES, values) for values in REACH.values()])
        assert [line.get_linestyle() for line in lines] == ["--", "-"]
        assert {text.get_text() for text in ax.texts} == {"field", "half"}
        assert ax.get_xlabel() == "inputs" + " (log scale)" * log


def test_truncations_leave_out_what_does_not_change(ax):
    lines = plot_truncations(ax, SIZES, np.array([0.1, 0, 1e-7]), field=30, tolerance=1e-5)
    check(ax, lines, [([16, 64], [0.1, 1e-7])])
    assert set(lines[1].get_xdata()) == {30}
    assert set(lines[2].get_ydata()) == {1e-5}


def test_poles_stand_in_the_circle_with_their_conjugates(ax):
    circle, *_ = artists = plot_disc(ax, POLES)
    check(ax, artists, [([0.5, 0, 0.5, 0], [0.2, 0.1, -0.2, -0.1]), ([0.9, 0.9], [0, 0])])
    np.testing.assert_allclose(np.hypot(*circle.get_data()), 1)
    assert ax.get_aspect() == 1


def test_ranks_are_drawn_against_the_pairs(ax):
    pairs = np.array([1, 2, 4])
    check(ax, plot_memory_ranks(ax, pairs, 2 * pairs, [2, 4, 7]), [(pairs, 2 * pairs), (pairs, [2, 4, 7])])


def test_half_lags_stand_in_the_row_of_their_series_before_and_after(ax):
    artists = plot_half_lags(ax, BEFORE, AFTER, 64)
    check(ax, artists, [([30, 31], [1.22, 0.22]), ([8, 6], [1.22, 0.22]), ([26, 28], [0.78, -0.22])], labels="x")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["sun", "sea"]
    before, after = artists[:2]
    assert before.get_fillstyle() == "none"
    assert before.get_color() == after.get_color() != artists[2].get_color()
    assert any(np.all(np.asarray(line.get_xdata()) == 32) for line in ax.get_lines())


def test_half_lags_are_drawn_against_what_is_asked_and_named(ax):
    x, curves = np.array([1, 2, 4]), {"sun": np.array([8, 9, 13]), "sea": np.array([10, 10, 17])}
    lines = plot_half_lags_against(ax, x, curves, 64, xlabel="steps ahead")
    check(ax, lines, [(x, values) for values in curves.values()])
    assert {text.get_text() for text in ax.texts} == {"sun", "sea"}
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "4"]


def test_shares_of_many_networks_are_a_mean_and_a_range(ax):
    one, many = np.array([0.7, 0.3]), np.array([[0.5, 0.5], [0.3, 0.7], [0.1, 0.9]])
    lines = plot_group_shares(ax, ["low", "high"], {"trained": one, "drawn": many})
    ax.set_xlabel("band")
    check(ax, lines, [([-0.125, 0.875], one), ([0.125, 1.125], many.mean(axis=0))])
    (bars,) = ax.collections
    assert np.allclose([segment[:, 1] for segment in bars.get_segments()], [[0.1, 0.5], [0.5, 0.9]])
    assert [line.get_label() for line in lines] == ["trained", "drawn"]


def test_each_network_is_a_line_from_before_to_after(ax):
    pairs = {"plain": (np.array([1.0, 1.1]), np.array([1.2, 1.0])), "residual": (np.array([0.5]), np.array([0.9]))}
    lines = plot_before_and_after(ax, pairs)
    ax.set(xlabel="kind", ylabel="width")
    curves = [([-0.25, 0.25], [1.0, 1.2]), ([-0.25, 0.25], [1.1, 1.0]), ([0.75, 1.25], [0.5, 0.9])]
    check(ax, lines, curves)
    assert [text.get_text() for text in ax.get_xticklabels()] == list(pairs)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["before", "after"]
    ends = {
        tuple(line.get_xydata()[0]): line.get_markerfacecolor() for line in ax.get_lines() if line.get_marker() == "o"
    }
    assert ends[0.75, 0.5] == "white" != ends[1.25, 0.9]
    assert len(ends) == 6


def points(ax):
    """Offsets of the collections of points, without empty ones."""
    return [np.asarray(c.get_offsets()) for c in ax.collections if len(c.get_offsets())]


def test_effects_show_each_value_the_interval_and_the_word(ax):
    bars = plot_effects(ax, EFFECTS, 0.05)
    check(ax, bars, [(ends, [row + 0.28] * 2) for row, (*_, ends, _) in enumerate(EFFECTS.values())], labels="x")
    for shown, (values, *_) in zip(points(ax), EFFECTS.values()):
        np.testing.assert_array_equal(np.sort(shown[:, 0]), np.sort(values))
    assert [text.get_text() for text in ax.texts] == ["yes", "undecided"]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(EFFECTS)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first one on top


def test_masking_draws_each_loss_and_the_means(ax):
    losses = {
        "capacity": np.array([[1.0, 2, 3], [3, 4, 5]]),
        "gradient": np.array([[0.0, 1, 2], [2, 3, 4]]),
        "variance": np.array([[5.0, 1, 2]]),
        "random": np.array([[6.0, 7, 8], [8, 9, 10]]),
    }
    assert plot_masking(ax, [0.25, 0.5, 0.75], losses) is ax
    check(ax, ax.lines, [])
    shown = np.sort(np.concatenate(points(ax))[:, 1])
    np.testing.assert_array_equal(shown, np.sort(np.concatenate([v.ravel() for v in losses.values()])))
    means = [line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 3]
    for values in losses.values():
        assert any(np.allclose(values.mean(axis=0), mean) for mean in means)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["25 %", "50 %", "75 %"]


def test_gaps_lie_about_their_line(ax):
    counts, gaps = np.array([2, 4, 8]), np.array([1.0, 3.0, 4.0])
    *_, line = drawn = plot_gap(ax, counts, gaps, "total capacity")
    check(ax, drawn, [(counts, gaps)], labels="x")
    slope = np.cov(counts, gaps)[0, 1] / np.var(counts, ddof=1)
    np.testing.assert_allclose(line.get_ydata(), gaps.mean() + slope * (np.array([0, 8]) - counts.mean()))
    assert ax.get_xlabel() == "total capacity"


@pytest.mark.usefixtures("ax")
def test_counts_explain_the_share_of_the_variance_that_their_line_does():
    counts, gaps = np.array([2.0, 4.0, 8.0]), np.array([1.0, 3.0, 4.0])
    left = gaps - np.polyval(np.polyfit(counts, gaps, 1), counts)
    titles = [ax.get_title(loc="left") or ax.get_title() for ax in usefulness_gap(2 * gaps, counts, gaps).axes]
    assert titles == ["explains 100 %", f"explains {100 * (1 - left.var() / gaps.var()):.0f} %"]


def test_the_chosen_curve_has_a_colour_and_a_name_inside_the_axes(ax):
    for chosen, other in (("low", "high"), ("high", "low")):
        ax.clear()
        lines = dict(zip(CURVES, plot_highlighted(ax, X, CURVES, chosen)))
        ax.set_ylabel("share")
        check(ax, lines.values(), [(X, values) for values in CURVES.values()])
        assert lines[chosen].get_zorder() > lines[other].get_zorder()
        assert lines[chosen].get_color() != lines[other].get_color()
        (name,) = ax.texts
        assert name.get_text() == chosen
        assert not name.get_in_layout()
