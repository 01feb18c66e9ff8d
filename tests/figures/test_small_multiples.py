"""Figures that are put together from several panels."""

import pytest
from matplotlib import pyplot as plt

from capacity.figures import label_once, plot_losses, small_multiples


@pytest.fixture
def panels():
    axes = small_multiples(["one", "two", "three", "four"])
    yield axes
    plt.close(axes[0].figure)


def test_more_than_two_columns_have_the_width_of_the_page(panels):
    wide = small_multiples(["one", "two", "three", "four"], columns=4)[0].figure
    assert [figure.get_size_inches()[0] for figure in (panels[0].figure, wide)] == pytest.approx([4.6, 6.3])
    assert wide.get_size_inches()[1] < panels[0].figure.get_size_inches()[1]
    plt.close(wide)


def test_panels_are_titled_row_by_row_and_share_their_axes(panels):
    assert [ax.get_title(loc="left") or ax.get_title() for ax in panels] == ["one", "two", "three", "four"]
    panels[0].set(xlim=(1, 9), ylim=(2, 3))
    assert [ax.get_xlim() for ax in panels[::2]] == [(1, 9)] * 2
    assert panels[1].get_xlim() != (1, 9)
    assert {ax.get_ylim() for ax in panels} == {(2, 3)}


def test_labels_and_legend_are_there_once(panels):
    for ax in panels:
        lines = plot_losses(ax, [1, 2, 4], [1.0, 0.1, 0.01], label="a method")
    legend = label_once(panels, lines)
    assert [text.get_text() for text in legend.get_texts()] == ["a method"]
    assert panels[0].figure.get_supylabel().startswith("loss")
    assert [bool(ax.get_xlabel()) for ax in panels] == [False, False, True, True]
    assert not any(ax.get_ylabel() for ax in panels)


@pytest.mark.parametrize("titles", [[], ["one", "two", "three"]])
def test_panels_that_do_not_fill_the_rows_are_refused(titles):
    with pytest.raises(ValueError, match=f"multiple of 2 to fill the rows, got {len(titles)}; pass other `columns`"):
        small_multiples(titles)
