"""Prediction in feature space: a function of the next sample from features of the past (paper 1, Section 6.2)."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy

from capacity._validation import as_vector, check_instance, check_members, check_real
from capacity.linalg.covariances import as_covariance
from capacity.tasks.feature_maps import FeatureMap, feature_covariance, feature_moments

__all__ = ["FeatureProcess"]


@dataclass(frozen=True)
class FeatureProcess:
    """The task of predicting a function of the next sample of a Gaussian process, linear in features of its past.

    Attributes
    ----------
    process : GaussianProcess
        Of unit variance.
    feature_map : FeatureMap
        Features of each past sample; their number is the number of components.
    weights : ndarray, shape (d,), optional
        The target is sum_j weights[j] phi^j(next sample); all 1 by default.
    rtol : float, optional
        Functions count as dependent where an eigenvalue of their correlation matrix is below it.

    Raises
    ------
    ValueError
        If some combination of the functions is constant. Then features of different inputs are linearly dependent,
        however independent the functions are (1, y, y^2 at two positions share the 1): Sigma^phi is singular, its
        optimum is not unique and an input's capacity has no maximum of d.

    Notes
    -----
    Positive density of the inputs implies the converse: where no combination is constant, Sigma^phi is regular.

    Examples
    --------
    >>> from capacity import GaussianProcess
    >>> from capacity.tasks import autoregressive, hermite_features
    >>> task = FeatureProcess(GaussianProcess(autoregressive([0.5])), hermite_features(2))
    >>> task.optimal_coefficients(1)
    array([0.5 , 0.25])
    """

    process: Any
    feature_map: FeatureMap
    weights: np.ndarray | None = None
    rtol: float = field(default=1e-10, repr=False)

    def __post_init__(self):
        check_real(self.rtol, "rtol", minimum=0, below=1)
        check_members(self.process, "process", ("autocovariances", "covariance"), "pass a GaussianProcess")
        check_instance(self.feature_map, "feature_map", FeatureMap, "pass hermite_features(2) or another one")
        d = self.feature_map.count
        weights = np.ones(d) if self.weights is None else as_vector(self.weights, "weights", length=d).copy()
        object.__setattr__(self, "weights", weights)
        together, apart = feature_moments(self.feature_map, np.array([1.0, 0.0]))
        scale = np.sqrt(np.clip(np.diag(together), np.finfo(float).tiny, None))
        covariances = (together - apart) / np.outer(scale, scale)  # at rho = 0 there are only means
        values, vectors = scipy.linalg.eigh(covariances)
        if values[0] <= self.rtol:
            mixture = np.round(vectors[:, 0] / scale / np.abs(vectors[:, 0] / scale).max(), 6) + 0.0
            raise ValueError(
                f"feature_map: expected functions of which no combination is constant, got {mixture.tolist()} times "
                f"the functions of {self.feature_map.name!r}, which is; remove one of these, and any constant"
            )

    @property
    def components(self) -> int:
        """Number d of features per position."""
        return self.feature_map.count

    def covariance(self, n: int) -> np.ndarray:
        """Second moments Sigma^phi of the features of n positions, shape (n d, n d)."""
        return feature_covariance(self.feature_map, self.process.covariance(n))

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """Coefficients A* of the best prediction that is linear in the features of n positions, shape (n d,).

        Raises
        ------
        ValueError
            If the features are linearly dependent to working precision.
        """
        covariance = as_covariance(self.covariance(n), "process", definite=True)
        return scipy.linalg.solve(covariance, self._cross(n), assume_a="pos")

    def residual_variance(self, n: int) -> float:
        """Mean squared error that remains after the best linear prediction from the features of n positions."""
        power = self.weights @ feature_moments(self.feature_map, np.array([1.0]))[0] @ self.weights
        return float(power - self._cross(n) @ self.optimal_coefficients(n))

    def _cross(self, n):
        """E[phi(Y) target], oldest position first."""
        lags = self.process.autocovariances(n)[:0:-1]
        return (feature_moments(self.feature_map, lags) @ self.weights).ravel()
