"""Diagonal state-space models: sums of damped oscillations of the lag, one for each pair of conjugate poles.

The layers S4D (Gu et al. 2022) and LRU (Orvieto et al. 2023), between an input and an output weight and without what is
non-linear around them. Coefficients are ordered by position, the oldest input first.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_complex_vector, as_generator, check_finite, check_integer
from capacity.models._responses import with_fewer_channels
from capacity.models.base import OfShapes, as_cotangent, as_parameters
from capacity_inspection.models.pole_placements import ring_poles

__all__ = ["DiagonalStateSpace"]

_NEAREST = 1e-6  # angle that a pole keeps from the real line
_NEARLY_REAL = 1e-3  # 1 - cos(theta) below which a fit is continued from a real pole
_REAL = 1e-6  # 1 - cos(theta) below which a pole becomes real if the loss allows it
_RATES = np.log([1e-12, 30.0])  # of decay, as logarithms: moduli from 1e-13 to 1 - 1e-12


@dataclass(frozen=True)
class DiagonalStateSpace(OfShapes):
    """A linear state-space model with a diagonal transition matrix of complex poles and a real output.

    The coefficient of the input at lag k + 1, k = 0..n-1, is
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
    def _shapes(self):
        return dict.fromkeys(("poles", "weights"), (2 * self.pairs,))

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
            return self._jacobian_modulo(self._given(parameters, modulus).reshape(4, -1), modulus)
        exponents, weights = self._unpack(parameters)
        powers, lag = self._powers(exponents), np.arange(self.n_inputs)[:, None]
        moved = lag * powers * weights
        return 2 * np.hstack([exponents.real * moved.real, -moved.imag, powers.real, -powers.imag])[::-1]

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y, shape (4N,)."""
        exponents, weights = self._unpack(parameters)
        by_lag = as_cotangent(self, cotangent)[::-1]
        powers = self._powers(exponents)
        plain, sloped = by_lag @ powers, (by_lag * np.arange(self.n_inputs)) @ powers * weights
        return 2 * np.concatenate([exponents.real * sloped.real, -sloped.imag, plain.real, -plain.imag])

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """For each part, a matrix T of shape (n, min(n, 2N)) with T T^T = J J^T."""
        jacobian = self.jacobian(parameters)
        return {name: with_fewer_channels(jacobian[:, part].T).T for name, part in self.layers.items()}

    @property
    def separated(self) -> "_Poles":
        """The poles alone, for a fit by variable projection."""
        return _Poles(self)

    def field(self, layer: str) -> int:
        """Positions that a unit of a layer sees."""
        return self.n_inputs

    def minimal(self) -> "DiagonalStateSpace":
        """Model with the fewest pairs that has the same generic capacity."""
        return replace(self, pairs=min(self.pairs, -(-self.n_inputs // 4)))

    def _unpack(self, parameters):
        """Exponents log z and weights c."""
        rates, angles, real, imaginary = as_parameters(self, parameters).reshape(4, -1)
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


@dataclass(frozen=True)
class _Poles:
    """The poles of a model as its only unknowns; a point is (log rates, cosines).

    Each pair of poles r exp(+-i theta) is searched for by its rate of decay and u = cos(theta), and spans

        r^k T_k(u)  and  r^(k-1) U_(k-1)(u),

    Chebyshev polynomials of both kinds: polynomials of u, which stay a basis where the pole becomes real and the two
    conjugates meet. There Re z^k and Im z^k do not, and the weights of the model grow without bound.

    The best poles are often at an end of what the model can do: real, where two real ones would do better than a pair
    of conjugates, or on the unit circle. A pair that needs one real exponential becomes a real pole, which moves the
    coefficients in two directions instead of four. One that needs two of them has a double real pole as its limit, and
    ends within an angle of 1e-6 with large weights. At such an end the error does not satisfy all the constraints, and
    `stationarity` tells so.
    """

    model: DiagonalStateSpace
    restarts = 8
    evaluations = 200
    cutoff = 1e-11

    @property
    def bounds(self):
        pairs = self.model.pairs
        lowest, highest = (np.repeat([rate, sign * np.cos(_NEAREST)], pairs) for rate, sign in zip(_RATES, (-1, 1)))
        return lowest, highest

    def start(self, rng):
        """Rates of decay between 1/(2n) and 3, alike on a logarithmic scale, and more of the low angles."""
        rates = rng.uniform(-np.log(2 * self.model.n_inputs), np.log(3), self.model.pairs)
        return np.concatenate([rates, np.cos(np.pi * rng.random(self.model.pairs) ** 2)])

    def point(self, parameters):
        poles = self.model.poles(parameters)
        with np.errstate(divide="ignore"):
            rates = np.log(-np.log(np.maximum(np.abs(poles), np.finfo(float).tiny)))
        return np.clip(np.concatenate([rates, np.cos(np.angle(poles))]), *self.bounds)

    def straightened(self, point):
        """The point with cosines that are nearly 1 or -1 at that end."""
        rates, cosines = point.reshape(2, -1)
        near = 1 - np.abs(cosines) < _NEARLY_REAL
        return np.clip(np.concatenate([rates, np.where(near, np.sign(cosines), cosines)]), *self.bounds)

    def columns(self, point):
        columns = self._derivatives(point)

        def slopes(root, weights):
            weights = weights.reshape(2, -1)
            by_rate, by_cosine = (np.einsum("fkj,fj->kj", part, weights) for part in (columns[2:4], columns[4:]))
            return root @ np.hstack([by_rate, by_cosine])

        return np.hstack(list(columns[:2])), slopes

    def _derivatives(self, point):
        """Both functions of all pairs, and their derivatives by log rates and by cosines, oldest first, (6, n, N)."""
        n = self.model.n_inputs
        rates, cosines = np.exp(point).reshape(2, -1)[0], point.reshape(2, -1)[1]
        lag, impulse = np.arange(n), np.eye(n)[0]
        columns = np.empty((6, n, rates.size))
        for j, (rate, u) in enumerate(zip(rates, cosines)):
            r = np.exp(-rate)
            recursion = [1.0, -2 * r * u, r**2]
            second = scipy.signal.lfilter([0.0, 1.0], recursion, impulse)  # r^(k-1) U_(k-1)
            change = scipy.signal.lfilter([0.0, 2 * r], recursion, second)  # r^(k-1) U'_(k-1)
            first = scipy.signal.lfilter([1.0, -r * u], recursion, impulse)  # r^k T_k
            columns[:2, :, j] = first, second
            columns[2:4, :, j] = -rate * lag * first, -rate * np.maximum(lag - 1, 0) * second
            columns[4:, :, j] = r * lag * second, change
        return columns[:, ::-1]

    def parameters(self, point, best, rounding_error):
        """Poles become real where the loss allows it."""
        rates, cosines = point.reshape(2, -1).copy()
        real = np.zeros(rates.size, bool)
        limit = best(self._functions(point, real))[1] * (1 + 1e-9) + rounding_error
        for pole in np.flatnonzero(1 - np.abs(cosines) < _REAL):
            straightened, also = cosines.copy(), real.copy()
            straightened[pole], also[pole] = np.sign(cosines[pole]), True
            if best(self._functions(np.concatenate([rates, straightened]), also))[1] <= limit:
                cosines, real = straightened, also
        first, second = best(self._functions(np.concatenate([rates, cosines]), real))[0].reshape(2, -1)
        angles = np.arccos(cosines)
        lengths = np.where(real, np.inf, np.exp(-np.exp(rates)) * np.sin(angles))
        return np.concatenate([rates, angles, first / 2, -second / (2 * lengths)])

    def _functions(self, point, real):
        """Both functions of all pairs, but the first one only of real poles."""
        first, second = self._derivatives(point)[:2]
        return np.hstack([first, np.where(real, 0.0, second)])
