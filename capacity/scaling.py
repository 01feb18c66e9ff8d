"""Power laws: exponents read off a log-log plot, with their uncertainty."""

from dataclasses import dataclass

import numpy as np

from capacity.checks import as_array, as_vector

__all__ = ["PowerLaw", "fit_power_law"]


@dataclass(frozen=True)
class PowerLaw:
    """y = prefactor * x ** exponent, with the standard error of the exponent from the residuals of the fit.

    Where several curves were fitted at once, the attributes are arrays with one entry per curve.
    """

    exponent: np.ndarray | float
    standard_error: np.ndarray | float
    prefactor: np.ndarray | float

    def __call__(self, x):
        """The fitted curve at x."""
        powers = np.exp(np.multiply.outer(self.exponent, np.log(x)))
        return np.multiply.outer(self.prefactor, np.ones(np.shape(x))) * powers


def fit_power_law(x, y):
    """Least-squares fit of a straight line to log y against log x.

    Parameters
    ----------
    x : array_like, shape (points,)
        Positive.
    y : array_like, shape (..., points)
        Positive; one curve per leading index.

    Returns
    -------
    PowerLaw

    Raises
    ------
    ValueError
        If there are fewer than two points, the lengths differ, or a value is not positive.

    Notes
    -----
    The standard error takes the residuals as independent. Points of one random walk are not: there, fit each
    realisation and take the spread of the exponents.

    Examples
    --------
    >>> float(fit_power_law([1, 2, 4], [3, 12, 48]).exponent)
    2.0
    """
    x, y = as_vector(x, "x"), as_array(y, "y")
    if np.unique(x).size < 2 or y.shape[-1:] != x.shape:
        raise ValueError(
            f"x, y: expected at least two different x and y of shape (..., points), got shapes {x.shape} and "
            f"{y.shape}; pass one y for each x"
        )
    if not (np.all(x > 0) and np.all(y > 0)):
        raise ValueError("y: expected positive numbers on both axes, got one that is not; leave out those points")
    centred = np.log(x) - np.log(x).mean()
    spread = np.sum(centred**2)
    exponent = np.log(y) @ centred / spread
    level = np.log(y).mean(axis=-1)
    residuals = np.log(y) - level[..., None] - exponent[..., None] * centred
    freedom = max(x.size - 2, 1)
    error = np.sqrt(np.sum(residuals**2, axis=-1) / freedom / spread)
    return PowerLaw(exponent, error, np.exp(level - exponent * np.log(x).mean()))
