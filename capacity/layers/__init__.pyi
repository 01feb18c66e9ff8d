from .augmented_covariance import (
    SampledCovariance as SampledCovariance,
)
from .augmented_covariance import (
    coupled_covariance as coupled_covariance,
)
from .augmented_covariance import (
    gaussian_covariance as gaussian_covariance,
)
from .augmented_covariance import (
    mean_field_error as mean_field_error,
)
from .augmented_covariance import (
    output_moments as output_moments,
)
from .augmented_covariance import (
    sampled_covariance as sampled_covariance,
)
from .augmented_space import (
    LayerCapacity as LayerCapacity,
)
from .augmented_space import (
    augmented_capacity as augmented_capacity,
)
from .augmented_space import (
    augmented_constraints as augmented_constraints,
)
from .augmented_space import (
    augmented_inputs as augmented_inputs,
)
from .augmented_space import (
    augmented_projection as augmented_projection,
)
from .augmented_space import (
    repeated_subspace as repeated_subspace,
)
from .differential import (
    differential_capacity as differential_capacity,
)
from .differential import (
    differential_inputs as differential_inputs,
)
from .differential import (
    differential_layers as differential_layers,
)
from .differential import (
    differential_projection as differential_projection,
)
from .differential import (
    differential_transition as differential_transition,
)
from .differential import (
    forward_coefficients as forward_coefficients,
)
from .input_capacity import (
    coupled_capacity as coupled_capacity,
)
from .input_capacity import (
    coupling_crossover as coupling_crossover,
)
from .input_capacity import (
    gaussian_capacity as gaussian_capacity,
)
from .input_capacity import (
    interpolation_problem as interpolation_problem,
)
from .input_capacity import (
    linear_capacity as linear_capacity,
)
from .input_capacity import (
    pseudo_random_capacity as pseudo_random_capacity,
)
from .transition import (
    check_transition as check_transition,
)
from .transition import (
    convolution_projection as convolution_projection,
)
from .transition import (
    residual_projection as residual_projection,
)
from .transition import (
    transition_matrix as transition_matrix,
)
