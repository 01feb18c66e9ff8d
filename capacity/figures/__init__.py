"""Figures of the book: functions that take axes and a result, draw, and return the artists.

They compute nothing and save nothing; this subpackage is the only one that imports matplotlib.
"""

from capacity.figures.diagrams import plot_architecture
from capacity.figures.linear import (
    plot_allocation,
    plot_bound_and_errors,
    plot_error_plane,
    plot_free_and_constrained,
    plot_layer_curves,
    plot_layer_stack,
    plot_layer_totals,
    plot_losses,
    plot_losses_against_size,
    plot_spectra,
    plot_synthetic,
    plot_totals,
)
from capacity.figures.richer import (
    component_color,
    plot_allocation_per_component,
    plot_difference,
    plot_extended_spectrum,
    plot_on_log_lags,
    plot_poles,
    plot_recurrence,
    plot_two_curves,
)
from capacity.figures.style import COLORS, channel_color, direct_labels, layer_colors, legend_above, use_style

__all__ = [
    "COLORS",
    "channel_color",
    "component_color",
    "direct_labels",
    "layer_colors",
    "legend_above",
    "plot_allocation",
    "plot_allocation_per_component",
    "plot_architecture",
    "plot_bound_and_errors",
    "plot_difference",
    "plot_error_plane",
    "plot_extended_spectrum",
    "plot_free_and_constrained",
    "plot_layer_curves",
    "plot_layer_stack",
    "plot_layer_totals",
    "plot_losses",
    "plot_losses_against_size",
    "plot_on_log_lags",
    "plot_poles",
    "plot_recurrence",
    "plot_spectra",
    "plot_synthetic",
    "plot_totals",
    "plot_two_curves",
    "use_style",
]
