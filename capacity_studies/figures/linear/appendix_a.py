"""Figures of the chapter linear/appendix-a."""

from matplotlib import pyplot as plt

from capacity.figures import plot_counted_twice, plot_two_normals

__all__ = ["twice"]


def twice(angle, unit, degrees, added, together):
    """Left: the normals of two constraints in the plane, at the angle that the slider chooses."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[2, 3])
    plot_two_normals(axes[0], unit(0), unit(angle))
    plot_counted_twice(axes[1], degrees, added[angle], together[angle])
    return fig
