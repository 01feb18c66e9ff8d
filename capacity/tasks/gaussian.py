"""Stationary Gaussian processes: covariance matrices, optimal prediction, sampling.

The prediction task of paper 1 (Section 5 and Appendix B): predict the next sample of a stationary Gaussian process of
unit variance from its last n samples. The covariance of these samples is a symmetric Toeplitz matrix, so that a
product costs an FFT and a system one Levinson recursion; the dense matrix is built only on request.

Samples and coefficients are ordered by position: the oldest first, the most recent last.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_callable, check_choice, check_integer
from capacity.linalg.covariances import cholesky_factor
from capacity.linalg.toeplitz import LARGE, ToeplitzOperator, circulant_root, one_step_predictor
from capacity.tasks.autocovariances import PROCESSES, power_law

__all__ = ["GaussianProcess", "standard_process"]


@dataclass(frozen=True)
class GaussianProcess:
    """A stationary Gaussian process of unit variance and the task of predicting its next sample.

    Attributes
    ----------
    autocovariance : callable
        Maps an integer array of lags to the autocovariances there, 1 at lag 0.
    name : str
        What figures and tables call it. By default what made the autocovariance, such as a power law.

    Notes
    -----
    Source: paper 1, eqs 30-33.

    Examples
    --------
    >>> process = GaussianProcess()  # (1 + lag)^(-1/2)
    >>> process.autocovariances(3), process.covariance(64).shape, round(process.residual_variance(64), 3)
    (array([1.        , 0.70710678, 0.57735027, 0.5       ]), (64, 64), 0.475)
    """

    autocovariance: Callable = field(default_factory=power_law)
    name: str = ""
    components = 1
    """Number of input components per position."""

    def __post_init__(self) -> None:
        remedy = "pass power_law(), empirical(series) or another function of an array of lags"
        check_callable(self.autocovariance, "autocovariance", remedy)
        if not self.name:
            object.__setattr__(self, "name", _name(self.autocovariance))

    def autocovariances(self, n: int) -> np.ndarray:
        """Autocovariances c_0, ..., c_n, shape (n + 1,)."""
        n = check_integer(n, "n", minimum=0, maximum=2**24, remedy="take fewer samples: FFTs of them have to fit in")
        values = as_vector(self.autocovariance(np.arange(n + 1)), "autocovariance", length=n + 1)
        if not np.isclose(values[0], 1, rtol=1e-12):
            raise ValueError(f"autocovariance: expected unit variance, got {values[0]} at lag 0; divide by that value")
        return values

    def operator(self, n: int) -> ToeplitzOperator:
        """Covariance of n successive samples as an operator that stores only its first column."""
        return ToeplitzOperator(self.autocovariances(check_integer(n, "n", minimum=1) - 1))

    def covariance(self, n: int) -> np.ndarray:
        """Covariance Sigma_n of n successive samples, dense, shape (n, n)  (eq. 30)."""
        return self.operator(n).dense()

    def root(self, n: int) -> Any:
        """Factor R with R^T R = Sigma_n: the Cholesky factor for n up to `toeplitz.LARGE`, above one that is not dense.

        The second is a `circulant_root`, a LinearOperator of about 2n rows. A process without one has its Cholesky
        factor.
        """
        if (n := check_integer(n, "n", minimum=1)) > LARGE:
            half = scipy.fft.next_fast_len(n, real=True)  # twice as many rows: even, and fast
            with suppress(ValueError):
                return circulant_root(self.autocovariances(half), n)
        return cholesky_factor(self.covariance(n), "autocovariance")

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """Coefficients A* of the best linear prediction from n samples, oldest first, shape (n,)  (eq. 31)."""
        return one_step_predictor(self.autocovariances(n))[0][::-1]

    def residual_variance(self, n: int) -> float:
        """Variance v* that remains after the best linear prediction from n samples  (eq. 31)."""
        return one_step_predictor(self.autocovariances(n))[1]

    def sample(self, n: int, size: int | None = None, *, rng: Rng = None) -> np.ndarray:
        """Draw realisations by circulant embedding (Dietrich and Newsam 1997), else by a Cholesky factor.

        Shape (size, n), or (n,) where `size` is None.
        """
        rng = as_generator(rng)
        count = 1 if size is None else check_integer(size, "size", minimum=0)
        c = self.autocovariances(check_integer(n, "n", minimum=1) - 1)
        circle = np.r_[c, c[-2:0:-1]]
        spectrum = scipy.fft.fft(circle).real
        if spectrum.min() >= -1e-12 * spectrum.max():
            noise = rng.standard_normal((2, count, circle.size))
            waves = np.sqrt(np.clip(spectrum, 0, None) / circle.size) * (noise[0] + 1j * noise[1])
            draws = scipy.fft.fft(waves, axis=1).real[:, :n]
        else:
            factor = cholesky_factor(self.covariance(n), "autocovariance")
            draws = rng.standard_normal((count, n)) @ factor
        return draws[0] if size is None else draws


def _name(autocovariance):
    """What made an autocovariance of this package; what a caller made has no name of its own."""
    ours = getattr(autocovariance, "__module__", None) == power_law.__module__
    return autocovariance.__qualname__.split(".")[0].replace("_", " ") if ours else "stationary process"


def standard_process(name: str = "power law") -> GaussianProcess:
    """The `GaussianProcess` of `PROCESSES` by that name, so that a papermill parameter can select it.

    Examples
    --------
    >>> standard_process("power law").autocovariances(3), standard_process("white").autocovariances(2)
    (array([1.        , 0.70710678, 0.57735027, 0.5       ]), array([1., 0., 0.]))
    """
    return GaussianProcess(PROCESSES[check_choice(name, "name", PROCESSES)](), name)
