"""Diagonal state-space models: sums of damped oscillations of the lag, one for each pair of conjugate poles.

The layers S4D (Gu et al. 2022) and LRU (Orvieto et al. 2023), between an input and an output weight and without what is
non-linear around them. Coefficients are ordered by position, the oldest input first.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_complex_vector, as_generator, as_vector, check_finite, check_integer
from capacity.linalg.finite_field import field_elements
from capacity.models._responses import with_fewer_channels
from capacity.models.pole_placements import ring_poles

__all__ = ["DiagonalStateSpace"]


@dataclass(frozen=True)
class DiagonalStateSpace:
    """A linear state-space model with a diagonal transition matrix of complex poles and a real output.

    The coefficient of the input at lag k = 0..n-1, the most recent one having k = 0, is
    a_k = 2 Re sum_j c_j z_j^k: each *pair* is a pole z_j and its conjugate. Parameters are, each for all pairs in
    turn, the logarithms nu of the rates of decay, the angles theta, and the real and imaginary parts of the weights c,
    with z = exp(-exp(nu) + i theta): all poles are stable, abs(z) < 1, whatever the parameters are. This is the
    parametrisation of the LRU, and that of S4D up to the step, which multiplies rates and angles alike.

    Parameters
    ----------
    n_inputs : int
        Number n of inputs that are seen.
    pairs : int
        Number N of pairs of conjugate poles; half of what S4D calls the size of the state.

    Notes
    -----
    The four parameters of a pair move the coefficients along Re and Im of z^k and of k z^k, the columns of a confluent
    Vandermonde matrix with the nodes z and its conjugate, each twice. With distinct nodes 4N of them are independent as
    long as 4N <= n, so that the capacity at almost all parameters is min(4N, n). A weight c_j is the product of what
    S4D and the LRU have as an input and an output weight: a second one, or a step, adds parameters and no capacity.

    Where a pole becomes real, z and its conjugate meet and directions are lost: two of four if z is real.

    Examples
    --------
    A pole at i/2, with the weight 1: every other coefficient is zero.

    >>> model = DiagonalStateSpace(4, pairs=1)
    >>> parameters = model.parameters([0.5j], [1.0])
    >>> model.coefficients(parameters).round(12) + 0.0
    array([ 0. , -0.5,  0. ,  2. ])
    """

    n_inputs: int
    pairs: int

    def __post_init__(self) -> None:
        check_integer(self.n_inputs, "n_inputs", minimum=1)
        check_integer(self.pairs, "pairs", minimum=1)

    @property
    def components(self) -> int:
        """Number of input components per position."""
        return 1

    @property
    def n_parameters(self) -> int:
        """Number of real parameters, 4N."""
        return 4 * self.pairs

    @property
    def layers(self) -> dict[str, slice]:
        """Which slice of the parameter vector is which part."""
        return {"poles": slice(0, 2 * self.pairs), "weights": slice(2 * self.pairs, 4 * self.pairs)}

    @property
    def degree(self) -> int:
        """Degree n of the coefficient at the largest lag, as a polynomial of real and imaginary parts."""
        return self.n_inputs

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Random parameters: poles uniform in the unit disc (the LRU's), weights as `parameters` draws them."""
        rng = as_generator(rng)
        return self.parameters(*ring_poles(self.pairs, rng=rng), rng=rng)

    def parameters(self, poles: ArrayLike, gains: ArrayLike = 1.0, *, rng: Rng = None) -> np.ndarray:
        """Parameters of given poles and weights, shape (4N,).

        Parameters
        ----------
        poles : array_like, shape (N,), complex
            One of each pair, with 0 < abs(z) < 1, such as those of `s4d_lin_poles`.
        gains : array_like, shape (N,) or a number, complex
            The weights c; with `rng`, factors of random weights.
        rng : int, Generator or None
            If given, the gains are multiplied by random complex normal numbers of mean square 1/N, as
            initialisations do.
        """
        remedy = "pass one complex number per pair"
        poles = as_complex_vector(poles, "poles", length=self.pairs, remedy=remedy)
        moduli = np.abs(poles)
        if moduli.min() == 0 or moduli.max() >= 1:
            raise ValueError(
                f"poles: expected 0 < abs(z) < 1, got moduli from {moduli.min():.6g} to {moduli.max():.6g}; "
                "move them into the unit circle, and off its centre"
            )
        given = np.full(self.pairs, gains) if np.isscalar(gains) else gains
        weights = as_complex_vector(given, "gains", length=self.pairs, remedy=remedy)
        if rng is not None:
            draws = as_generator(rng).standard_normal((2, self.pairs)) / np.sqrt(2 * self.pairs)
            weights = weights * (draws[0] + 1j * draws[1])
        return np.concatenate([np.log(-np.log(moduli)), np.angle(poles), weights.real, weights.imag])

    def poles(self, parameters: ArrayLike) -> np.ndarray:
        """Poles z_j, one of each pair, shape (N,), complex."""
        return np.exp(self._unpack(parameters)[0])

    def weights(self, parameters: ArrayLike) -> np.ndarray:
        """Weights c_j, shape (N,), complex."""
        return self._unpack(parameters)[1]

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Coefficients A, oldest first, shape (n,)."""
        exponents, weights = self._unpack(parameters)
        return 2 * (self._powers(exponents) @ weights).real[::-1]

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (n, 4N), dense.

        Parameters
        ----------
        parameters : array_like, shape (4N,)
            Real numbers; integers where `modulus` is given.
        modulus : int, optional
            A prime below 2^31: all arithmetic is done in its field, exactly. There is no exponential in it, so that the
            first 2N parameters are then the real and imaginary parts of the poles, which gives the same rank.
        """
        if modulus is not None:
            self._check(parameters)
            residues = field_elements(parameters, modulus, "parameters")
            return self._jacobian_modulo(residues.reshape(4, -1), modulus)
        exponents, weights = self._unpack(parameters)
        powers, lag = self._powers(exponents), np.arange(self.n_inputs)[:, None]
        moved = lag * powers * weights
        return 2 * np.hstack([exponents.real * moved.real, -moved.imag, powers.real, -powers.imag])[::-1]

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y, shape (4N,)."""
        exponents, weights = self._unpack(parameters)
        by_lag = as_vector(cotangent, "cotangent", length=self.n_inputs, remedy="pass one number per coefficient")[::-1]
        powers = self._powers(exponents)
        plain, sloped = by_lag @ powers, (by_lag * np.arange(self.n_inputs)) @ powers * weights
        return 2 * np.concatenate([exponents.real * sloped.real, -sloped.imag, plain.real, -plain.imag])

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """For each part, a matrix T of shape (n, min(n, 2N)) with T T^T = J J^T."""
        jacobian = self.jacobian(parameters)
        return {name: with_fewer_channels(jacobian[:, part]) for name, part in self.layers.items()}

    def minimal(self) -> "DiagonalStateSpace":
        """Model with the fewest pairs that has the same generic capacity."""
        return replace(self, pairs=min(self.pairs, -(-self.n_inputs // 4)))

    def _check(self, parameters):
        remedy = "pass a vector as long as model.n_parameters, e.g. model.initial(rng)"
        return as_vector(parameters, "parameters", length=self.n_parameters, remedy=remedy)

    def _unpack(self, parameters):
        """Exponents log z and weights c."""
        rates, angles, real, imaginary = self._check(parameters).reshape(4, -1)
        with np.errstate(over="ignore"):
            rates = check_finite(np.exp(rates), "parameters", "rates of decay exp(nu)", "pass smaller ones")
        return -rates + 1j * angles, real + 1j * imaginary

    def _powers(self, exponents):
        """Vandermonde matrix z_j^k, shape (n, N)."""
        return np.exp(np.arange(self.n_inputs)[:, None] * exponents)

    def _jacobian_modulo(self, unpacked, modulus):
        a, b, x, y = unpacked
        powers = np.zeros((2, self.n_inputs, self.pairs), np.int64)
        powers[0, 0] = 1
        for k in range(1, self.n_inputs):
            p, q = powers[:, k - 1]
            powers[:, k] = (p * a - q * b) % modulus, (p * b + q * a) % modulus
        slopes = np.zeros_like(powers)
        slopes[:, 1:] = powers[:, :-1] * np.arange(1, self.n_inputs)[:, None] % modulus
        (p, q), (s, t) = powers, slopes
        blocks = [(x * s - y * t) % modulus, -((x * t + y * s) % modulus), p, -q]
        return 2 * np.hstack(blocks)[::-1] % modulus
