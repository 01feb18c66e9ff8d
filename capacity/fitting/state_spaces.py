"""Fitting a diagonal state-space model by variable projection: minimise over the poles only.

For given poles the best weights solve a linear least-squares problem (Golub and Pereyra 1973; the Jacobian is that of
Kaufman 1975). Each pair of poles r exp(+-i theta) is searched for by its rate of decay and u = cos(theta), and spans

    r^k T_k(u)  and  r^(k-1) U_(k-1)(u),

Chebyshev polynomials of both kinds: polynomials of u, which stay a basis where the pole becomes real and the two
conjugates meet. There Re z^k and Im z^k do not, and the weights of the model grow without bound.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, signal
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integer, check_members
from capacity.fitting.objective import Objective
from capacity.fitting.result import Fit
from capacity.linalg.subspaces import singular_value_decomposition
from capacity.models.state_space import DiagonalStateSpace
from capacity.tasks.base import PredictionTask

__all__ = ["fit_state_space"]

_NEAREST = 1e-6  # angle that a pole keeps from the real line
_NEARLY_REAL = 1e-3  # 1 - cos(theta) below which a run is continued from a real pole
_REAL = 1e-6  # 1 - cos(theta) below which a pole becomes real if the loss allows it
_CANCELLATION = 1e-11  # smallest singular value of the functions, relative to the largest, whose weights are told
_RATES = np.log([1e-12, 30.0])  # of decay, as logarithms: moduli from 1e-13 to 1 - 1e-12


def fit_state_space(
    model: DiagonalStateSpace,
    task: PredictionTask,
    *,
    initial: ArrayLike | None = None,
    restarts: int = 8,
    rng: Rng = None,
    max_iterations: int = 200,
    progress: bool = False,
) -> Fit:
    """Fit a `DiagonalStateSpace` to a prediction task by variable projection (Golub and Pereyra 1973).

    Parameters
    ----------
    model : DiagonalStateSpace
        The architecture.
    task : PredictionTask
        With one component.
    initial : array_like, shape (4N,), optional
        Parameters with the poles from which the first run starts; its weights are replaced by the best ones. Further
        runs, and by default the first one, start from random poles of many time scales.
    restarts : int, optional
        Number of runs; the best one is returned. There are many local minima from four pairs on.
    rng : int, Generator or None
        Source of randomness.
    max_iterations : int, optional
        Evaluations per run, in each of its two stages.
    progress : bool, optional
        Show a progress bar over the runs.

    Returns
    -------
    Fit
        With method 'variable projection'; `losses` holds the lowest loss so far after each iteration, `restarts` the
        final one of each run. Where `converged` is False, the best run used up its evaluations, and `message` says so.

    Notes
    -----
    The best poles are often at an end of what the model can do: real, where two real ones would do better than a pair
    of conjugates, or on the unit circle. A pair that needs one real exponential becomes a real pole, which moves the
    coefficients in two directions instead of four. One that needs two of them has a double real pole as its limit, and
    ends within an angle of 1e-6 with large weights. At such an end the error does not satisfy all the constraints, and
    `stationarity` tells so.

    Examples
    --------
    >>> from capacity.models import DiagonalStateSpace
    >>> from capacity.tasks import standard_process
    >>> fit_state_space(DiagonalStateSpace(32, pairs=1), standard_process("autoregressive"), rng=0).loss < 1e-12
    True
    """
    restarts = check_integer(restarts, "restarts", minimum=1)
    evaluations = check_integer(max_iterations, "max_iterations", minimum=1)
    members = ("pairs", "poles", "parameters", "n_inputs")
    check_members(model, "model", members, "pass a DiagonalStateSpace; others go to fit")
    objective, rng = Objective.of_task(model, task), as_generator(rng)
    problem = _Projected(objective, objective.root @ objective.target)
    if (first := initial) is not None:
        first = as_vector(initial, "initial", length=model.n_parameters, remedy="pass model.parameters(poles)")
    runs = []
    for run in tqdm(range(restarts), desc="restarts", disable=not progress):
        start = problem.start(rng) if first is None or run else problem.point(model.poles(first))
        runs.append(_run(problem, start, evaluations))
    best = min(runs, key=lambda run: run.loss)
    return replace(best, restarts=np.array([run.loss for run in runs]))


@dataclass(frozen=True)
class _Projected:
    """The least-squares problem in the poles alone; a point is (log rates, cosines)."""

    objective: Objective
    wanted: np.ndarray  # R A*

    @property
    def bounds(self):
        pairs = self.objective.model.pairs
        lowest, highest = (np.repeat([rate, sign * np.cos(_NEAREST)], pairs) for rate, sign in zip(_RATES, (-1, 1)))
        return lowest, highest

    def start(self, rng):
        """Point with rates of decay between 1/(2n) and 3, alike on a logarithmic scale, and more of the low angles."""
        model = self.objective.model
        rates = rng.uniform(-np.log(2 * model.n_inputs), np.log(3), model.pairs)
        return np.concatenate([rates, np.cos(np.pi * rng.random(model.pairs) ** 2)])

    def point(self, poles):
        """Point of given poles, within the bounds."""
        with np.errstate(divide="ignore"):
            rates = np.log(-np.log(np.maximum(np.abs(poles), np.finfo(float).tiny)))
        return np.clip(np.concatenate([rates, np.cos(np.angle(poles))]), *self.bounds)

    def straightened(self, point):
        """The point with cosines that are nearly 1 or -1 at that end."""
        rates, cosines = point.reshape(2, -1)
        near = 1 - np.abs(cosines) < _NEARLY_REAL
        return np.clip(np.concatenate([rates, np.where(near, np.sign(cosines), cosines)]), *self.bounds)

    def columns(self, point):
        """Both functions of all pairs, and their derivatives by log rates and by cosines, oldest first, (6, n, N)."""
        n = self.objective.model.n_inputs
        rates, cosines = np.exp(point).reshape(2, -1)[0], point.reshape(2, -1)[1]
        lag, impulse = np.arange(n), np.eye(n)[0]
        columns = np.empty((6, n, rates.size))
        for j, (rate, u) in enumerate(zip(rates, cosines)):
            r = np.exp(-rate)
            recursion = [1.0, -2 * r * u, r**2]
            second = signal.lfilter([0.0, 1.0], recursion, impulse)  # r^(k-1) U_(k-1)
            change = signal.lfilter([0.0, 2 * r], recursion, second)  # r^(k-1) U'_(k-1)
            first = signal.lfilter([1.0, -r * u], recursion, impulse)  # r^k T_k
            columns[:2, :, j] = first, second
            columns[2:4, :, j] = -rate * lag * first, -rate * np.maximum(lag - 1, 0) * second
            columns[4:, :, j] = r * lag * second, change
        return columns[:, ::-1]

    def split(self, functions):
        """Orthonormal basis of the span of the functions in the metric of the loss, and their best weights."""
        pairs = self.objective.model.pairs
        left, values, right = singular_value_decomposition(self.objective.root @ np.hstack(list(functions)))
        kept = values > values[0] * _CANCELLATION
        left = left[:, kept]
        return left, (right[kept].T @ ((left.T @ self.wanted) / values[kept])).reshape(2, pairs)

    def residual(self, point):
        """What is left of R A* outside the span."""
        left, _ = self.split(self.columns(point)[:2])
        return left @ (left.T @ self.wanted) - self.wanted

    def jacobian(self, point):
        """Kaufman's approximation of the residual's derivative by the point."""
        columns = self.columns(point)
        left, weights = self.split(columns[:2])
        by_rate, by_cosine = (np.einsum("fkj,fj->kj", part, weights) for part in (columns[2:4], columns[4:]))
        moved = self.objective.root @ np.hstack([by_rate, by_cosine])
        return moved - left @ (left.T @ moved)

    def parameters(self, point):
        """All parameters of the model at a point, with the best weights; poles become real where the loss allows it."""
        rates, cosines = point.reshape(2, -1).copy()
        real = np.zeros(rates.size, bool)
        limit = self.loss(self.functions(point, real)) * (1 + 1e-9) + self.objective.rounding_error
        for pole in np.flatnonzero(1 - np.abs(cosines) < _REAL):
            straightened, also = cosines.copy(), real.copy()
            straightened[pole], also[pole] = np.sign(cosines[pole]), True
            if self.loss(self.functions(np.concatenate([rates, straightened]), also)) <= limit:
                cosines, real = straightened, also
        first, second = self.split(self.functions(np.concatenate([rates, cosines]), real))[1]
        angles = np.arccos(cosines)
        lengths = np.where(real, np.inf, np.exp(-np.exp(rates)) * np.sin(angles))
        return np.concatenate([rates, angles, first / 2, -second / (2 * lengths)])

    def functions(self, point, real):
        """Both functions of all pairs, but the first one only of real poles."""
        functions = self.columns(point)[:2].copy()
        functions[1][:, real] = 0
        return functions

    def loss(self, functions):
        """Loss that functions leave with their best weights."""
        left, _ = self.split(functions)
        return np.square(left @ (left.T @ self.wanted) - self.wanted).sum()


def _run(problem, start, evaluations):
    """One run: through the interior first, then along its ends, and once more from real poles where they are nearly."""
    losses = [np.square(problem.residual(start)).sum()]
    inside = _descend(problem, start, evaluations, "trf", losses)
    found = _descend(problem, inside.x, evaluations, "dogbox", losses)
    real = _descend(problem, problem.straightened(found.x), evaluations, "dogbox", losses)
    if real.cost <= found.cost * (1 + 1e-9):
        found = real
    losses = np.minimum.accumulate([*losses, 2 * found.cost])
    parameters, converged, message = problem.parameters(found.x), bool(found.success), str(found.message)
    return Fit.of_run(problem.objective, parameters, losses, "variable projection", converged, message)


def _descend(problem, point, evaluations, method, losses):
    return optimize.least_squares(
        problem.residual,
        point,
        problem.jacobian,
        bounds=problem.bounds,
        method=method,
        x_scale="jac",
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
        max_nfev=evaluations,
        callback=lambda intermediate_result: losses.append(2 * intermediate_result.cost),
    )
