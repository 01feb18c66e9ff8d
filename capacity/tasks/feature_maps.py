"""Fixed non-linear features of Gaussian inputs: their second moments.

The features phi^1, ..., phi^d act on each input separately and stand together at each position (paper 1, Section 6.2,
eq. 27). Then the capacity of the positions is the spatial capacity with d components (eq. 28). All that capacity needs
of a Gaussian process is Sigma^phi = E[phi(Y) phi(Y)^T] (eq. 24), whose blocks depend on a pair of inputs only through
their correlation rho.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.polynomial import hermite_e
from numpy.typing import ArrayLike

from capacity._typing import Covariance
from capacity._validation import as_array, as_vector, check_finite, check_instance, check_integer
from capacity.linalg.covariances import as_covariance

__all__ = [
    "FeatureMap",
    "feature_covariance",
    "feature_moments",
    "fourier_features",
    "hermite_features",
    "monomial_features",
    "quadrature_moments",
]


@dataclass(frozen=True)
class FeatureMap:
    """Functions that act on each input by itself.

    Attributes
    ----------
    functions : sequence of callable
        phi^1, ..., phi^d: each maps an array to an array of the same shape.
    name : str
        What figures and tables call them.
    moments : callable, optional
        Maps correlations of shape (...) to the matrices E[phi^i(x) phi^j(y)] of shape (..., d, d), for jointly
        Gaussian x and y of unit variance and zero mean. None stands for quadrature.

    Examples
    --------
    >>> FeatureMap((np.tanh, np.abs))(np.array([0.0, -1.0]))
    array([ 0.    ,  0.    , -0.76159...,  1.    ])
    """

    functions: tuple
    name: str = "features"
    moments: Callable | None = None

    def __post_init__(self):
        functions = self.functions if isinstance(self.functions, Iterable) else [self.functions]
        object.__setattr__(self, "functions", tuple(functions))
        if not self.functions or not all(map(callable, self.functions)):
            raise TypeError(
                f"functions: expected at least one function of an array, got {functions!r}; pass e.g. (np.tanh, np.abs)"
            )

    @property
    def count(self) -> int:
        """Number d of functions, the largest capacity that an input can get."""
        return len(self.functions)

    def __call__(self, inputs: ArrayLike) -> np.ndarray:
        """Features of inputs of shape (..., n), shape (..., n d), in the order of eq. 27."""
        inputs = as_array(inputs, "inputs", axes=1)
        remedy = "pass functions that map numbers to numbers, one by one"
        features = [as_array(f(inputs), f"functions[{i}]", remedy=remedy) for i, f in enumerate(self.functions)]
        for i, values in enumerate(features):
            if values.shape != inputs.shape:
                raise ValueError(f"functions[{i}]: expected shape {inputs.shape}, got {values.shape}; {remedy}")
        return np.stack(features, axis=-1).reshape(*inputs.shape[:-1], -1)


def hermite_features(degree: int) -> FeatureMap:
    """Orthonormal Hermite polynomials He_k / sqrt(k!), k = 1..degree.

    Mehler's formula makes them uncorrelated across degrees, with correlation rho^k between two inputs: features of a
    Gaussian process are d uncorrelated processes of autocovariances c(tau)^k, as in Section 6.1. The degree is at most
    170: beyond it, k! leaves the range of a double.

    Examples
    --------
    >>> hermite_features(3).moments(0.5)
    array([[0.5  , 0.   , 0.   ],
           [0.   , 0.25 , 0.   ],
           [0.   , 0.   , 0.125]])
    """
    degree = check_integer(degree, "degree", minimum=1, maximum=170)
    series = [np.eye(degree + 1)[k] / np.sqrt(scipy.special.factorial(k)) for k in range(1, degree + 1)]
    return _polynomial(series, f"Hermite polynomials to degree {degree}")


def monomial_features(degree: int) -> FeatureMap:
    """Powers y, y^2, ..., y^degree, up to degree 150. Their moments follow from their Hermite series.

    Examples
    --------
    >>> monomial_features(3)(np.array([2.0]))
    array([2., 4., 8.])
    """
    degree = check_integer(degree, "degree", minimum=1, maximum=150)
    series = [hermite_e.poly2herme(np.eye(degree + 1)[k]) for k in range(1, degree + 1)]
    return _polynomial(series, f"monomials to degree {degree}")


def fourier_features(frequencies: ArrayLike) -> FeatureMap:
    """Sine and cosine of each angular frequency: sin(w_1 y), cos(w_1 y), sin(w_2 y), ...

    By the characteristic function of a Gaussian, E[sin(v x) sin(w y)] = exp(-(v^2 + w^2)/2) sinh(v w rho), the same
    with cosh for cosines, and 0 for a sine with a cosine.

    Examples
    --------
    >>> fourier_features([np.pi])(np.array([0.0, 0.5])).round(9)
    array([0., 1., 1., 0.])
    """
    w = as_vector(frequencies, "frequencies", above=0, remedy="pass positive angular frequencies").copy()
    if np.unique(w).size < w.size:
        raise ValueError(f"frequencies: expected distinct numbers, got {w.tolist()}; leave out the others")

    def moments(rho):
        rho = np.asarray(rho, dtype=float)[..., None, None]
        less, more = (np.exp(-(w[:, None] ** 2 + w**2 + sign * 2 * rho * w[:, None] * w) / 2) for sign in (-1, 1))
        matrix = np.zeros((*rho.shape[:-2], 2 * w.size, 2 * w.size))
        matrix[..., ::2, ::2], matrix[..., 1::2, 1::2] = (less - more) / 2, (less + more) / 2
        return matrix

    functions = tuple(lambda y, wave=wave, v=v: wave(v * y) for v in w for wave in (np.sin, np.cos))
    return FeatureMap(functions, f"{w.size} Fourier pairs", moments)


def quadrature_moments(feature_map: FeatureMap, correlations: ArrayLike, *, points: int = 64) -> np.ndarray:
    """Matrices E[phi^i(x) phi^j(y)] by Gauss-Hermite quadrature, for functions without a closed form.

    Parameters
    ----------
    feature_map : FeatureMap
    correlations : array_like, shape (...)
        Correlations of x and y, in [-1, 1].
    points : int, optional
        Nodes per dimension, at most 256. Exact where the degrees of two polynomials add up to less than 2 * points;
        functions with kinks converge slowly.

    Returns
    -------
    ndarray, shape (..., d, d)

    Examples
    --------
    >>> quadrature_moments(FeatureMap((np.tanh,)), 1.0).round(6)
    array([[0.394294]])
    """
    check_instance(feature_map, "feature_map", FeatureMap, "pass FeatureMap((np.tanh, np.abs)) or another one")
    nodes, weights = hermite_e.hermegauss(check_integer(points, "points", minimum=1, maximum=256))
    weights = weights / weights.sum()
    rho = _as_correlations(correlations)
    d = feature_map.count
    first = feature_map(nodes[:, None]) * weights[:, None]
    result = np.empty((rho.size, d, d))
    for row, r in enumerate(rho.ravel()):
        other = r * nodes[:, None] + np.sqrt(max(1 - r * r, 0.0)) * nodes  # y given x, shape (points of x, of z)
        second = np.tensordot(feature_map(other[..., None]), weights, axes=(1, 0))
        result[row] = first.T @ second
    result = (result + result.swapaxes(1, 2)) / 2
    return result.reshape(*rho.shape, d, d)


def feature_moments(feature_map: FeatureMap, correlations: ArrayLike, *, points: int | None = None) -> np.ndarray:
    """Second moments (..., d, d) of the features of two inputs: in closed form where there is one, else by quadrature.

    Arguments as in `quadrature_moments`; with `points` it is quadrature in any case.

    Examples
    --------
    >>> feature_moments(hermite_features(2), 0.5)
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    check_instance(feature_map, "feature_map", FeatureMap, "pass FeatureMap((np.tanh, np.abs)) or another one")
    if feature_map.moments is None or points is not None:
        return quadrature_moments(feature_map, correlations, points=64 if points is None else points)
    with np.errstate(all="ignore"):
        moments = feature_map.moments(_as_correlations(correlations))
    return check_finite(moments, "feature_map", "moments", "pass functions of smaller moments")


def feature_covariance(feature_map: FeatureMap, covariance: Covariance, *, points: int | None = None) -> np.ndarray:
    """Second moments Sigma^phi of the features of Gaussian inputs (eq. 24), not centred, shape (n d, n d).

    The inputs have a covariance of shape (n, n) and unit variance; `points` as in `feature_moments`. The order is that
    of eq. 27.

    Examples
    --------
    >>> feature_covariance(monomial_features(2), [[1.0, 0.5], [0.5, 1.0]])
    array([[1. , 0. , 0.5, 0. ],
           [0. , 3. , 0. , 1.5],
           [0.5, 0. , 1. , 0. ],
           [0. , 1.5, 0. , 3. ]])
    """
    covariance = as_covariance(covariance, "covariance")
    if not np.allclose(np.diag(covariance), 1, rtol=1e-10):
        raise ValueError("covariance: expected unit variances, got others; divide the inputs by their deviations")
    values, index = np.unique(np.clip(covariance, -1, 1), return_inverse=True)
    blocks = feature_moments(feature_map, values, points=points)[index.reshape(covariance.shape)]
    size = covariance.shape[0] * feature_map.count
    return blocks.transpose(0, 2, 1, 3).reshape(size, size)


def _as_correlations(values, *, rtol=1e-12):
    rho = as_array(values, "correlations")
    if not np.all(np.abs(rho) <= 1 + rtol):
        worst = rho.flat[np.argmax(np.abs(rho))]
        raise ValueError(
            f"correlations: expected numbers between -1 and 1, got {worst}; divide the covariances by the deviations"
        )
    return rho


def _polynomial(series, name):
    """Feature map of polynomials given by their Hermite series, with the moments of Mehler's formula."""
    table = np.zeros((len(series), max(map(len, series))))
    for row, coefficients in enumerate(series):
        table[row, : len(coefficients)] = coefficients
    table *= np.sqrt(scipy.special.factorial(np.arange(table.shape[1])))
    exponents = np.arange(table.shape[1])

    def moments(rho):
        return (table * np.asarray(rho, dtype=float)[..., None, None] ** exponents) @ table.T

    functions = [lambda y, row=row: hermite_e.hermeval(y, row) for row in series]
    return FeatureMap(functions, name, moments)
