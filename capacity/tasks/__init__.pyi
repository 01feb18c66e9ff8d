from .autocovariances import (
    autoregressive as autoregressive,
)
from .autocovariances import (
    empirical as empirical,
)
from .autocovariances import (
    exponential_mixture as exponential_mixture,
)
from .autocovariances import (
    fractional_noise as fractional_noise,
)
from .autocovariances import (
    power_law as power_law,
)
from .autocovariances import (
    white as white,
)
from .base import PredictionTask as PredictionTask
from .datasets import dataset_process as dataset_process
from .datasets import dataset_series as dataset_series
from .feature_maps import (
    FeatureMap as FeatureMap,
)
from .feature_maps import (
    feature_covariance as feature_covariance,
)
from .feature_maps import (
    feature_moments as feature_moments,
)
from .feature_maps import (
    fourier_features as fourier_features,
)
from .feature_maps import (
    hermite_features as hermite_features,
)
from .feature_maps import (
    monomial_features as monomial_features,
)
from .feature_maps import (
    quadrature_moments as quadrature_moments,
)
from .feature_processes import FeatureProcess as FeatureProcess
from .gaussian import GaussianProcess as GaussianProcess
from .gaussian import standard_process as standard_process
from .multivariate import (
    IndependentProcesses as IndependentProcesses,
)
from .multivariate import (
    interleave as interleave,
)
from .multivariate import (
    similar_power_laws as similar_power_laws,
)
from .prescribed import PrescribedTask as PrescribedTask
from .samples import Samples as Samples
