from .diffusion import (
    diffuse as diffuse,
)
from .diffusion import (
    drift_and_diffusion as drift_and_diffusion,
)
from .diffusion import (
    gaussian_kernel as gaussian_kernel,
)
from .diffusion import (
    generator as generator,
)
from .diffusion import (
    kolmogorov_forward as kolmogorov_forward,
)
from .diffusion import (
    layer_step as layer_step,
)
from .diffusion import (
    stencil_of_diffusion as stencil_of_diffusion,
)
from .gradient_fields import (
    GradientField as GradientField,
)
from .gradient_fields import (
    expected_squared_gradient as expected_squared_gradient,
)
from .gradient_fields import (
    gradient_field as gradient_field,
)
from .gradient_fields import (
    masked_gradients as masked_gradients,
)
from .network_paths import (
    path_capacity as path_capacity,
)
from .network_paths import (
    path_features as path_features,
)
from .network_paths import (
    path_inputs as path_inputs,
)
from .network_paths import (
    path_weight as path_weight,
)
from .network_paths import (
    path_weights as path_weights,
)
from .network_paths import (
    straight_path_weights as straight_path_weights,
)
from .propagation import (
    capacity_network as capacity_network,
)
from .propagation import (
    propagate as propagate,
)
from .propagation import (
    propagate_through_layers as propagate_through_layers,
)
from .propagation import (
    stack_capacity as stack_capacity,
)
from .propagation import (
    uppermost_capacity as uppermost_capacity,
)
from .random_walks import (
    hopping_rates as hopping_rates,
)
from .random_walks import (
    jump_kernel as jump_kernel,
)
from .random_walks import (
    walk_kernel as walk_kernel,
)
from .random_walks import (
    walk_moments as walk_moments,
)
from .receptive_field import (
    Spread as Spread,
)
from .receptive_field import (
    field_moments as field_moments,
)
from .receptive_field import (
    random_shares as random_shares,
)
from .receptive_field import (
    shared_spread as shared_spread,
)
from .receptive_field import (
    uniform_shares as uniform_shares,
)
from .receptive_field import (
    uniform_width as uniform_width,
)
from .receptive_field import (
    unshared_spread as unshared_spread,
)
from .sampled_gradients import (
    RandomNetwork as RandomNetwork,
)
from .sampled_gradients import (
    gradients_on_grid as gradients_on_grid,
)
from .sampled_gradients import (
    sampled_gradient_correlation as sampled_gradient_correlation,
)
from .shattering import (
    forward_correlations as forward_correlations,
)
from .shattering import (
    gradient_correlations as gradient_correlations,
)
from .shattering import (
    normalised_gradient_correlations as normalised_gradient_correlations,
)
from .shattering import (
    residual_tail_exponent as residual_tail_exponent,
)
from .shattering import (
    return_share as return_share,
)
from .shattering import (
    straight_share as straight_share,
)
from .shattering import (
    uniform_path_weight as uniform_path_weight,
)
