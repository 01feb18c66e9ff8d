"""The forms of a figure that stand beside its image."""

from matplotlib.figure import Figure

from edition.figures.capture import printed


def test_print_has_the_layout_of_the_figure_that_was_drawn_and_leaves_it_as_it_is():
    figure = Figure(layout="constrained")
    ax = figure.subplots()
    ax.set_ylabel("a label")
    figure.draw_without_rendering()
    place, layout = ax.get_position().bounds, figure.get_layout_engine()
    assert printed(figure).startswith(b"%PDF")
    assert ax.get_position().bounds == place
    assert figure.get_layout_engine() is layout
    assert printed(figure) == printed(figure)
