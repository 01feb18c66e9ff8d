from ._panels import label_once as label_once
from ._panels import small_multiples as small_multiples
from .allocation import (
    plot_allocation as plot_allocation,
)
from .allocation import (
    plot_allocation_per_component as plot_allocation_per_component,
)
from .allocation import (
    plot_frequencies as plot_frequencies,
)
from .allocation import (
    plot_layer_curves as plot_layer_curves,
)
from .allocation import (
    plot_layer_stack as plot_layer_stack,
)
from .allocation import (
    plot_layer_totals as plot_layer_totals,
)
from .allocation import (
    plot_on_log_lags as plot_on_log_lags,
)
from .allocation import (
    plot_totals as plot_totals,
)
from .constraints import (
    plot_bound_and_errors as plot_bound_and_errors,
)
from .constraints import (
    plot_error_plane as plot_error_plane,
)
from .constraints import (
    plot_free_and_constrained as plot_free_and_constrained,
)
from .constraints import (
    plot_spectra as plot_spectra,
)
from .constraints import (
    plot_synthetic as plot_synthetic,
)
from .depth import (
    plot_capacity_map as plot_capacity_map,
)
from .depth import (
    plot_capacity_network as plot_capacity_network,
)
from .depth import (
    plot_centres as plot_centres,
)
from .depth import (
    plot_decay as plot_decay,
)
from .depth import (
    plot_gradient_curves as plot_gradient_curves,
)
from .depth import (
    plot_growth as plot_growth,
)
from .depth import (
    plot_orders as plot_orders,
)
from .depth import (
    plot_profiles as plot_profiles,
)
from .depth import (
    plot_propagation as plot_propagation,
)
from .diagrams import (
    plot_architecture as plot_architecture,
)
from .diagrams import (
    plot_augmented_layer as plot_augmented_layer,
)
from .diagrams import (
    plot_layer as plot_layer,
)
from .diagrams import (
    plot_recurrence as plot_recurrence,
)
from .fitting import (
    plot_extended_spectrum as plot_extended_spectrum,
)
from .fitting import (
    plot_losses as plot_losses,
)
from .fitting import (
    plot_losses_against_size as plot_losses_against_size,
)
from .fitting import (
    plot_poles as plot_poles,
)
from .layers import (
    plot_block_errors as plot_block_errors,
)
from .layers import (
    plot_convergence as plot_convergence,
)
from .layers import (
    plot_copies as plot_copies,
)
from .layers import (
    plot_coupling_curves as plot_coupling_curves,
)
from .layers import (
    plot_coupling_scale as plot_coupling_scale,
)
from .layers import (
    plot_covariance_blocks as plot_covariance_blocks,
)
from .layers import (
    plot_ends as plot_ends,
)
from .layers import (
    plot_interpolation as plot_interpolation,
)
from .layers import (
    plot_positions as plot_positions,
)
from .layers import (
    plot_rules as plot_rules,
)
from .layers import (
    plot_scatter_of_copies as plot_scatter_of_copies,
)
from .layers import (
    plot_singular_values as plot_singular_values,
)
from .scaling import (
    plot_capacity_growth as plot_capacity_growth,
)
from .scaling import (
    plot_loss_laws as plot_loss_laws,
)
from .scaling import (
    plot_slopes as plot_slopes,
)
from .scaling import (
    plot_times as plot_times,
)
from .scaling import (
    process_color as process_color,
)
from .style import (
    COLORS as COLORS,
)
from .style import (
    PALETTE as PALETTE,
)
from .style import (
    channel_color as channel_color,
)
from .style import (
    channel_label as channel_label,
)
from .style import (
    component_color as component_color,
)
from .style import (
    direct_labels as direct_labels,
)
from .style import (
    lag_axis as lag_axis,
)
from .style import (
    layer_colors as layer_colors,
)
from .style import (
    legend_above as legend_above,
)
from .style import (
    use_style as use_style,
)
from .tasks import (
    plot_autocovariances as plot_autocovariances,
)
from .tasks import (
    plot_difference as plot_difference,
)
from .tasks import (
    plot_feature_stack as plot_feature_stack,
)
from .tasks import (
    plot_fixed_weights as plot_fixed_weights,
)
from .tasks import (
    plot_moments as plot_moments,
)
from .tasks import (
    plot_recovery as plot_recovery,
)
from .tasks import (
    plot_two_curves as plot_two_curves,
)
from .tasks import (
    process_styles as process_styles,
)
