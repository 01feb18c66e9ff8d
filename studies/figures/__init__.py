"""Figures of the companions and the pages beyond; what `capacity.figures` draws is at hand here, too."""

from capacity import figures
from capacity.figures import *  # noqa: F403
from studies.figures.bridge import (
    plot_dimensions_by_layer,
    plot_layer_ranks,
    plot_pieces_and_rank,
    plot_rank_and_dimension,
    plot_shared_matrix,
    plot_shares,
)
from studies.figures.expressivity import (
    plot_boundaries,
    plot_counts_against_length,
    plot_growth_by_activation,
    plot_growth_rates,
    plot_lengths,
    plot_phases,
    plot_projected_curve,
    plot_rates,
    plot_teeth,
)
from studies.figures.fisher import (
    plot_blocks,
    plot_invariance,
    plot_kronecker_errors,
    plot_metric_ratios,
    plot_norms_against,
    plot_simplex_paths,
    to_triangle,
)
from studies.figures.generalization import (
    plot_bound_curves,
    plot_labeling_counts,
    plot_reparametrised,
    plot_rises,
    plot_slices,
    plot_valley,
)
from studies.figures.held_out import plot_effects, plot_gap, plot_masked_inputs, plot_masking
from studies.figures.questions import plot_reach, plot_truncations
from studies.figures.relu_regions import plot_linear_regions, plot_slice, plot_tangent_changes
from studies.figures.scaling import plot_capacity_growth, plot_loss_laws, plot_slopes, plot_times, process_color
from studies.figures.state_space import plot_disc, plot_half_lags, plot_half_lags_against, plot_memory_ranks
from studies.figures.trained import plot_before_and_after, plot_group_shares
from studies.figures.training import (
    plot_accuracies,
    plot_activities_along,
    plot_influences,
    plot_lengths_in_training,
    plot_means,
    plot_stack,
    plot_training,
    step_colors,
)
from studies.figures.weight_scale import plot_highlighted

__all__ = [
    *figures.__all__,
    "plot_accuracies",
    "plot_activities_along",
    "plot_before_and_after",
    "plot_blocks",
    "plot_bound_curves",
    "plot_boundaries",
    "plot_capacity_growth",
    "plot_counts_against_length",
    "plot_dimensions_by_layer",
    "plot_disc",
    "plot_effects",
    "plot_gap",
    "plot_group_shares",
    "plot_growth_by_activation",
    "plot_growth_rates",
    "plot_half_lags",
    "plot_half_lags_against",
    "plot_highlighted",
    "plot_influences",
    "plot_invariance",
    "plot_kronecker_errors",
    "plot_labeling_counts",
    "plot_layer_ranks",
    "plot_lengths",
    "plot_lengths_in_training",
    "plot_linear_regions",
    "plot_loss_laws",
    "plot_masked_inputs",
    "plot_masking",
    "plot_means",
    "plot_memory_ranks",
    "plot_metric_ratios",
    "plot_norms_against",
    "plot_phases",
    "plot_pieces_and_rank",
    "plot_projected_curve",
    "plot_rank_and_dimension",
    "plot_rates",
    "plot_reach",
    "plot_reparametrised",
    "plot_rises",
    "plot_shared_matrix",
    "plot_shares",
    "plot_simplex_paths",
    "plot_slice",
    "plot_slices",
    "plot_slopes",
    "plot_stack",
    "plot_tangent_changes",
    "plot_teeth",
    "plot_times",
    "plot_training",
    "plot_truncations",
    "plot_valley",
    "process_color",
    "step_colors",
    "to_triangle",
]
