"""Diagonal linear recurrences: sums of exponentials of the lag (paper 1, Section 5.2).

Coefficients are ordered by position, the oldest input first.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integer, check_real
from capacity.linalg.finite_field import reduced
from capacity.linalg.precision import unit_columns
from capacity.models._responses import with_fewer_channels
from capacity.models.base import OfShapes, as_parameters

__all__ = ["DiagonalRecurrence", "scaled_exponentials"]


@dataclass(frozen=True)
class DiagonalRecurrence(OfShapes):
    """A recurrent layer without links across channels, between two 1x1 convolutions: eq. 21.

    The coefficient of the input at lag k + 1, k = 0..n-1, is sum_j W_in[j] z_j^k W_out[j], where the *poles* z_j are
    the recurrent weights W_rec themselves or, with a bound b, b tanh(W_rec). Parameters are (W_in, W_rec, W_out).

    Parameters
    ----------
    n_inputs : int
        Number n of inputs that are seen.
    channels : int
        Number c of channels.
    bound : float, optional
        Keep all poles in (-bound, bound); 1 makes the recurrence stable. None leaves them free, as in the paper.

    Notes
    -----
    The Jacobian has the columns z_j^k and k z_j^{k-1}, those of a confluent Vandermonde matrix. 2c of them with
    distinct nodes are independent (as long as 2c <= n), so that the capacity at almost all parameters is min(2c, n).

    A bound changes the parametrisation and not the tangent space: wherever b tanh is used, its derivative is not zero.
    Over a prime field there is no tanh, so that `jacobian` with a modulus and `degree` take W_rec as the poles, which
    gives the same rank.

    Examples
    --------
    >>> model = DiagonalRecurrence(4, channels=1)
    >>> model.coefficients([1.0, 0.5, 8.0])
    array([1., 2., 4., 8.])
    """

    n_inputs: int
    channels: int
    bound: float | None = None
    stacks = True

    def __post_init__(self) -> None:
        check_integer(self.n_inputs, "n_inputs", minimum=1)
        check_integer(self.channels, "channels", minimum=1)
        if self.bound is not None:
            check_real(self.bound, "bound", above=0, remedy="pass a positive bound of the poles, or None")

    @property
    def _shapes(self):
        return dict.fromkeys(("input", "recurrence", "output"), (self.channels,))

    @property
    def degree(self) -> int:
        """Degree n + 1 of the coefficient at the largest lag, as a polynomial of the input and output and the poles."""
        return self.n_inputs + 1

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Random parameters: normal input and output weights of variance 1 and 1/c, poles uniform in (-1, 1).

        With a bound, poles are uniform within it.
        """
        rng = as_generator(rng)
        inputs, outputs = rng.standard_normal((2, self.channels))
        poles = rng.uniform(-1, 1, self.channels)
        recurrence = poles if self.bound is None else np.arctanh(poles)
        return np.concatenate([inputs, recurrence, outputs / np.sqrt(self.channels)])

    def poles(self, parameters: ArrayLike) -> np.ndarray:
        """Poles z_j, shape (..., c)."""
        return self._unpack(as_parameters(self, parameters))[1]

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (..., n, 3c), dense.

        Parameters
        ----------
        parameters : array_like, shape (..., 3c)
            Real numbers; integers where `modulus` is given.
        modulus : int, optional
            A prime below 2^31: all arithmetic is done in its field, exactly.
        """
        given = self._given(parameters, modulus)
        unpacked = self._unpack(given) if modulus is None else self._split(given)
        inputs, poles, outputs = (part[..., None, :] for part in unpacked)
        powers, slopes = self._powers(poles[..., 0, :], modulus), self._slopes(poles[..., 0, :], modulus)
        both = reduced(inputs * outputs, modulus)
        if modulus is None:
            both = both * self._chain(poles)
        blocks = [powers * outputs, slopes * both, powers * inputs]
        return np.concatenate([reduced(block, modulus) for block in blocks], axis=-1)[..., ::-1, :]

    def vjp(self, parameters: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        """Coefficients, and their pullback y -> (dA/dW)^T y; numbers are not checked."""
        inputs, poles, outputs = self._unpack(parameters)
        powers = self._powers(poles)

        def pullback(cotangent):
            by_lag = cotangent[..., None, ::-1]
            plain = (by_lag @ powers)[..., 0, :]
            sloped = ((by_lag[..., 1:] * np.arange(1, self.n_inputs)) @ powers[..., :-1, :])[..., 0, :]
            blocks = [outputs * plain, inputs * outputs * self._chain(poles) * sloped, inputs * plain]
            return np.concatenate(blocks, axis=-1)

        return (powers @ (inputs * outputs)[..., None])[..., ::-1, 0], pullback

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """For each layer, a matrix T of shape (..., n, min(n, c)) with T T^T = J J^T."""
        rows = self.jacobian(parameters).swapaxes(-1, -2)
        return {name: with_fewer_channels(rows[..., part, :]).swapaxes(-1, -2) for name, part in self.layers.items()}

    def directions(self, parameters: ArrayLike) -> np.ndarray:
        """Unit vectors that span the tangent space, shape (n, 2c): the exponentials and their derivatives, normalised.

        The Jacobian's columns have lengths that differ by z^n, so that its numerical rank drops small but accurate
        ones. Its span is the same, as long as no weight W_in W_out is zero.
        """
        return unit_columns(np.hstack(scaled_exponentials(self.poles(parameters), self.n_inputs)))[::-1]

    @property
    def separated(self) -> "_Poles":
        """The recurrent weights alone, for a fit by variable projection."""
        return _Poles(self)

    def field(self, layer: str) -> int:
        """Positions that a unit of a layer sees."""
        return 1 if layer == "input" else self.n_inputs

    def minimal(self) -> "DiagonalRecurrence":
        """Model with the fewest channels that reaches exactly the same coefficients.

        n distinct poles already reach all of R^n. Fewer do not, even where the capacity is n: with real poles only,
        n/2 channels reach a set that has an interior and is not everything.
        """
        return replace(self, channels=min(self.channels, self.n_inputs))

    def _unpack(self, parameters):
        inputs, recurrence, outputs = self._split(parameters)
        return inputs, self._bounded(recurrence), outputs

    def _bounded(self, recurrence):
        """Poles of recurrent weights."""
        return recurrence if self.bound is None else self.bound * np.tanh(recurrence)

    def _powers(self, poles, modulus=None):
        """Vandermonde matrix z_j^k, shape (..., n, c)."""
        powers = np.ones((*poles.shape[:-1], self.n_inputs, poles.shape[-1]), poles.dtype)
        if modulus is None:
            powers[..., 1:, :] = poles[..., None, :]
            return np.cumprod(powers, axis=-2)
        for k in range(1, self.n_inputs):
            powers[..., k, :] = powers[..., k - 1, :] * poles % modulus
        return powers

    def _slopes(self, poles, modulus=None):
        """Derivatives k z_j^{k-1}, shape (..., n, c)."""
        slopes = np.roll(self._powers(poles, modulus), 1, axis=-2) * np.arange(self.n_inputs)[:, None]
        return reduced(slopes, modulus)

    def _chain(self, poles):
        """Derivative of the poles with respect to the recurrent weights."""
        return 1.0 if self.bound is None else self.bound - poles**2 / self.bound


@dataclass(frozen=True)
class _Poles:
    """The recurrent weights of a model as its only unknowns."""

    model: DiagonalRecurrence
    restarts = 10
    evaluations = 1000

    @property
    def cutoff(self):
        return np.finfo(float).eps * self.model.n_inputs

    @property
    def bounds(self):
        """Up to where no power z^(n-1) overflows."""
        pole, bound = 10.0 ** (300 / max(self.model.n_inputs - 1, 1)), self.model.bound
        limit = pole if bound is None else np.inf if bound <= pole else np.arctanh(pole / bound)
        return -limit, limit

    def start(self, rng):
        """Poles uniform in (-1.3, 1.3), or within the bound."""
        poles, limit = rng.uniform(-1, 1, self.model.channels), self.bounds[1]
        if self.model.bound is None:
            return poles * min(1.3, limit)
        return np.clip(np.arctanh(poles), -limit, limit)

    def point(self, parameters):
        return np.clip(parameters[self.model.layers["recurrence"]], *self.bounds)

    def columns(self, point):
        poles = self.model._bounded(point)
        powers, slopes = scaled_exponentials(poles, self.model.n_inputs)
        chain = self.model._chain(poles)
        return powers[::-1], lambda root, weights: root @ slopes[::-1] * (weights * chain)

    def parameters(self, point, best, rounding_error):
        """W_in and W_out share each best weight equally, up to its sign."""
        poles = self.model._bounded(point)
        weights, _ = best(self.columns(point)[0])
        weights = weights / np.where(np.abs(poles) > 1, poles, 1.0) ** (self.model.n_inputs - 1)
        share = np.sqrt(np.abs(weights))
        return np.concatenate([share, point, np.sign(weights) * share])


def scaled_exponentials(poles: ArrayLike, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Powers z^k and derivatives k z^(k-1), k = 0..n-1, divided by z^(n-1) where abs(z) > 1: nothing overflows.

    Parameters
    ----------
    poles : ndarray, shape (c,)
        The values of z.
    n : int
        Number of powers.

    Returns
    -------
    powers, slopes : ndarray, shape (n, c)

    Examples
    --------
    >>> scaled_exponentials(np.array([2.0]), 3)[0].ravel()
    array([0.25, 0.5 , 1.  ])
    """
    poles, n = as_vector(poles, "poles"), check_integer(n, "n", minimum=1)
    k, large = np.arange(n)[:, None], np.abs(poles) > 1
    inside, outside = np.where(large, 0.0, poles), 1 / np.where(large, poles, 1.0)
    powers = np.where(large, outside ** (n - 1 - k), inside**k)
    return powers, k * np.vstack([np.zeros((1, poles.size)), powers[:-1]])
