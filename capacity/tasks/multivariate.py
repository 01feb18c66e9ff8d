"""Several independent processes side by side: inputs with d components per position (paper 1, Section 6.1).

Components stand together at each position: the entry of component a at position i is number i d + a. Independence
makes the covariance d Toeplitz blocks, interleaved, so that products, factors and predictions are those of the
components.
"""

from dataclasses import dataclass

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, as_list, check_integer, check_real
from capacity.tasks.autocovariances import power_law
from capacity.tasks.gaussian import GaussianProcess

__all__ = ["IndependentProcesses", "similar_power_laws"]


@dataclass(frozen=True)
class IndependentProcesses:
    """Independent stationary processes of unit variance, and the task of predicting the sum of their next samples.

    Attributes
    ----------
    processes : sequence of GaussianProcess
        One per component.
    name : str
        What figures and tables call it.

    Notes
    -----
    Source: paper 1, Section 6.1. The best prediction of the sum is the sum of the best predictions, so that each
    component keeps its own coefficients, and residual variances add up.

    Examples
    --------
    >>> from capacity.tasks import autoregressive
    >>> pair = IndependentProcesses([GaussianProcess(autoregressive([a])) for a in (0.5, 0.25)])
    >>> pair.optimal_coefficients(2)
    array([0.  , 0.  , 0.5 , 0.25])
    """

    processes: tuple
    name: str = "independent processes"

    def __post_init__(self):
        processes = as_list(self.processes, "processes", "pass one process per component")
        object.__setattr__(self, "processes", tuple(processes))
        for i, process in enumerate(self.processes):
            if getattr(process, "components", None) != 1:
                raise ValueError(
                    f"processes[{i}]: expected a process of one component, got {process!r}; pass a GaussianProcess"
                )

    @property
    def components(self) -> int:
        """Number d of input components per position."""
        return len(self.processes)

    def covariance(self, n: int) -> np.ndarray:
        """Covariance of n positions, dense, shape (n d, n d)."""
        matrix = np.zeros((n, self.components, n, self.components))
        for a, process in enumerate(self.processes):
            matrix[:, a, :, a] = process.covariance(n)
        return matrix.reshape(n * self.components, -1)

    def optimal_coefficients(self, n: int) -> np.ndarray:
        """Coefficients A* of the best linear prediction of the sum from n positions, shape (n d,)."""
        return np.stack([process.optimal_coefficients(n) for process in self.processes], axis=1).ravel()

    def residual_variance(self, n: int) -> float:
        """Variance v* of the sum that remains after the best linear prediction from n positions."""
        return sum(process.residual_variance(n) for process in self.processes)

    def sample(self, n: int, size: int | None = None, *, rng: Rng = None) -> np.ndarray:
        """Draw realisations of n positions, shape (n, d) or (size, n, d)."""
        rng = as_generator(rng)
        return np.stack([process.sample(n, size, rng=rng) for process in self.processes], axis=-1)


def similar_power_laws(components: int, exponent: float = 0.5, *, spread: float = 0.2) -> IndependentProcesses:
    """`IndependentProcesses` of like, not equal, decay: power laws (Section 6.1).

    Exponents are equally spaced over ``exponent * (1 - spread)`` to ``exponent * (1 + spread)``; a single component has
    the exponent itself. With equal processes (spread 0) the target would be one and the same for all components: the
    optimum has rank one across them and the model's Jacobian there is degenerate.

    Examples
    --------
    >>> similar_power_laws(3).components
    3
    """
    components = check_integer(components, "components", minimum=1)
    exponent = check_real(exponent, "exponent", above=0, remedy="pass a positive decay exponent")
    spread = check_real(spread, "spread", minimum=0, below=1, remedy="pass a relative spread in [0, 1)")
    steps = np.linspace(-spread, spread, components) if components > 1 else [0.0]
    processes = [GaussianProcess(power_law(exponent * (1 + step)), f"power law {exponent:g}") for step in steps]
    return IndependentProcesses(tuple(processes), f"{components} power laws")
