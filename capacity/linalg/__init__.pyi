from .certified import (
    CertifiedSpectrum as CertifiedSpectrum,
)
from .certified import (
    ExponentialSum as ExponentialSum,
)
from .certified import (
    certified_singular_values as certified_singular_values,
)
from .certified import (
    exponential_jacobian as exponential_jacobian,
)
from .certified import (
    exponential_sum as exponential_sum,
)
from .certified import (
    power_law_predictor as power_law_predictor,
)
from .finite_field import PRIME as PRIME
from .finite_field import rank_modulo as rank_modulo
from .fourier import fourier_basis as fourier_basis
from .subspaces import (
    Basis as Basis,
)
from .subspaces import (
    complement as complement,
)
from .subspaces import (
    is_orthonormal as is_orthonormal,
)
from .subspaces import (
    jacobian_basis as jacobian_basis,
)
from .subspaces import (
    left_singular as left_singular,
)
from .subspaces import (
    orthonormal_basis as orthonormal_basis,
)
from .subspaces import (
    principal_angles as principal_angles,
)
from .subspaces import (
    singular_value_decomposition as singular_value_decomposition,
)
from .subspaces import (
    subspace_sum as subspace_sum,
)
from .toeplitz import (
    ToeplitzOperator as ToeplitzOperator,
)
from .toeplitz import (
    circulant_root as circulant_root,
)
from .toeplitz import (
    durbin as durbin,
)
from .toeplitz import (
    implied_autocovariance as implied_autocovariance,
)
from .toeplitz import (
    one_step_predictor as one_step_predictor,
)
