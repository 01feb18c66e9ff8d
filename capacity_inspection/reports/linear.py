"""The report on a linear model: paper 1 on a process or on data, with what is exact told from what is fitted.

Generic ranks are exact (modulo a prime). Constraints are taken at the best of several optima of the fit. What the data
leave open is seen by resampling them in blocks, each resample being fitted anew from the best optimum.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_array, as_generator, as_vector, check_integer, check_members, check_real
from capacity.allocation.constraints import LayerConstraints, layer_constraints, model_constraints
from capacity.allocation.generic_rank import exact_capacity
from capacity.allocation.tensor_trains import tensor_train_capacity
from capacity.fitting.least_squares import fit
from capacity.fitting.objective import check_task, stationarity
from capacity.linalg.precision import balanced
from capacity.linalg.toeplitz import LARGE
from capacity.models import DilatedConvolution, LinearModel, tensor_train_parameters
from capacity.tasks import GaussianProcess, PredictionTask, Samples, empirical
from capacity_inspection.design.segments import segment_capacity
from capacity_inspection.graphs.holding import holding_lags
from capacity_inspection.look_backs import block_bootstrap
from capacity_inspection.reports.decisions import NO_DATA, WORTH, by_reach_of_series, percent, plural
from capacity_inspection.reports.quantity import HeldIn, Quantity, unavailable
from capacity_inspection.reports.reaches import linear_reaches
from capacity_inspection.reports.report import LayerRow, Report
from capacity_inspection.reports.standard_errors import sampling_variance

__all__ = [
    "LAGS",
    "SEEN",
    "STATED",
    "fitted_points",
    "held_columns",
    "holding",
    "linear_report",
    "rank",
    "size_of",
    "task_of",
]

_OWN = 10_000  # multiplications that take as long as a column, however short
_WORK, _JACOBIANS = 5e9, 5e7  # multiplications of a rank, and entries of Jacobians, that take some seconds
_ITERATIONS, _FEWER_ITERATIONS = 300, 100  # of a fit, and of one that starts at the optimum for much the same data
_GAP = 1e3  # smallest ratio of singular values that leaves no doubt of a rank
_OPTIMUM = 1e-3  # largest stationarity of what is called one
SEEN = ("field", "stride", "start")
STATED = 0.9  # share of the capacity that sentences are about
_NO_TASK = "needs what the model is to predict: pass a process or data"


def held_columns(extent):
    """Columns that say in which lags, or in which box, so large a share of the capacity lies."""
    return [HeldIn(extent, share) for share in (0.5, STATED, 0.99)]


LAGS = held_columns("lags")


def linear_report(
    model: LinearModel,
    *,
    process: PredictionTask | None = None,
    data: ArrayLike | None = None,
    parameters: ArrayLike | None = None,
    samples: int | None = None,
    optima: int = 3,
    resamples: int = 20,
    level: float = 0.9,
    rng: Rng = 0,
    progress: bool = False,
) -> Report:
    """Capacity of a linear model, layer by layer and input by input.

    Parameters
    ----------
    model : LinearModel
    process : PredictionTask, optional
        What the model predicts.
    data : array_like, shape (t,) or (t, d), optional
        Or a series whose autocovariance is estimated, or several side by side.
    parameters : array_like, shape (p,), optional
        Those of a trained model, where the constraints are taken. By default they are fitted.
    samples : int, optional
        For how many independent samples of the process the gap between training and held-out loss is predicted.
    optima : int, optional
        Fits from as many starts.
    resamples : int, optional
        Of the data, for intervals; 0 for none.
    level : float, optional
        Of the intervals.
    rng : int, Generator or None
        Source of randomness.
    progress : bool, optional
        Show progress bars.

    Returns
    -------
    Report

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> report = linear_report(DilatedConvolution.hierarchical(6, channels=2), process=GaussianProcess(), optima=1)
    >>> report["total", "independent"].value, report["total", "capacity"].value
    (20, 20)
    """
    members = ("n_inputs", "n_parameters", "components", "layers", "tangent_factors")
    check_members(model, "model", members, "make one of its function: FunctionModel(function, shapes)")
    optima = check_integer(optima, "optima", minimum=1)
    resamples = check_integer(resamples, "resamples", minimum=0)
    level = check_real(level, "level", above=0, below=1)
    rng = as_generator(rng)
    task = task_of(model, process, data)
    generic = {name: _generic(model, rng, name) for name in model.layers}
    total = _generic(model, rng)
    inputs = Quantity(model.n_inputs // model.components)
    totals = {"inputs": inputs, "parameters": Quantity(model.n_parameters), "independent": total}
    title = f"{type(model).__name__} of {inputs} inputs" + f" x {model.components} components" * (model.components > 1)
    seen = _seen_steps(model)
    extent = _extent(model, seen)
    if task is None:
        missing = dict.fromkeys(["capacity", *LAGS], unavailable(_NO_TASK))
        rows = [_row(model, name, generic[name], missing) for name in model.layers]
        return _report(title, rows, totals | missing, extent)
    sentences, known = _by_length(task, data, seen)
    totals |= known
    title += f" on {task.name if isinstance(task, GaussianProcess) else 'the given task'}"
    residual = getattr(task, "residual_variance", None)
    if residual is not None:
        totals["residual variance"] = Quantity(
            float(residual(inputs.value)), "numerical", "of the best linear prediction; the loss is on top"
        )
    samples = None if samples is None else check_integer(samples, "samples", minimum=1)
    if parameters is None and total.kind == "exact" and total.value == model.n_inputs and _reaches_all(model):
        if samples is not None and residual is not None:
            totals |= _new_samples(samples, residual(inputs.value), model.n_inputs)
        return _full(model, title, generic, totals, extent, sentences)
    points = fitted_points(model, task, parameters, optima, rng, progress)
    allocation, bands = {"capacity": points.allocations[0]}, {}
    if len(points.allocations) > 1:
        bands[f"{len(points.allocations)} optima"] = _ends(points.allocations, 1.0)
    intervals = {}
    if data is not None and resamples and parameters is None:
        drawn = _resampled(model, data, points.parameters[0], resamples, rng, progress)
        if isinstance(drawn, str):
            totals["intervals"] = unavailable(drawn)
        else:
            bands[f"{100 * level:g} % of {resamples} resamples"] = _ends(drawn, level)
            held = {name: [holding_lags(each, name.share) for each in drawn] for name in LAGS}
            intervals = {name: tuple(_ends(lags, level, method="inverted_cdf")) for name, lags in held.items()}
    remarks = points.remarks()
    totals["capacity"] = _rank(points.space, total, remarks)
    totals |= holding(points.allocations[0], intervals=intervals) | remarks
    if samples is not None:
        totals |= points.on_new_samples(samples)
    rows = [_row(model, name, generic[name], points.of_layer(name)) for name in model.layers]
    return _report(title, rows, totals, extent, allocation, bands, sentences=sentences)


def task_of(model, process, data):
    """What a model is to predict: a process, or the process of some data, or None."""
    if data is None:
        if process is not None:
            check_task(process, model.components, "process")
        return process
    if process is not None:
        raise ValueError("data: expected either a process or data, got both; leave one out")
    data = as_array(data, "data", axes=1, remedy="pass one row per time")
    if data.ndim > 2:
        raise ValueError(
            f"data: expected a series, or several side by side, for a linear model, got samples of shape {data.shape}; "
            "pass the series that they are windows of"
        )
    if data.ndim == 1 or data.shape[1] == 1:
        return GaussianProcess(empirical(data.ravel()), "data")
    return Samples.from_series(data, model.n_inputs // model.components)


def _generic(model, rng, name=None):
    """Independent parameters of a layer, or of all."""
    whole, layers = name is None, None if name is None else [name]
    columns = model.n_parameters if whole else size_of(model.layers[name])
    if whole and hasattr(model, "minimal") and _rank_work(model, len(model.layers)) <= _WORK:
        columns = min(columns, 2 * model.minimal().n_parameters)
    if whole and _is_hierarchical(model):
        return Quantity(tensor_train_capacity(model.taps, model.channels), note="dimension of tensor trains")
    if not hasattr(model, "degree"):
        return unavailable("no exact rank: the coefficients are not known as polynomials")
    jacobians = model.n_inputs * model.n_parameters * len(model.layers)
    if _rank_work(model, columns) > _WORK or (not whole and jacobians > _JACOBIANS):
        if whole and isinstance(model, DilatedConvolution):
            found = segment_capacity(model.dilations, model.channels, model.taps, model.components)
            return Quantity(found, "assumed", "the closed form segment_capacity, a bound that nearly all stacks reach")
        return unavailable("an exact rank of this size takes minutes: capacity.exact_capacity")
    try:
        found = exact_capacity(model, layers=layers, rng=rng)
    except (TypeError, ValueError) as error:
        return unavailable(f"no exact rank: {error}")
    return Quantity(found.total, note="rank modulo a prime")


def _rank_work(model, columns):
    """Multiplications that the rank of so many columns takes."""
    return columns * max(model.n_inputs * min(model.n_inputs, columns), _OWN)


def _is_hierarchical(model):
    return getattr(model, "is_hierarchical", False) and model.components == 1


def _reaches_all(model):
    """Whether a model with as many independent parameters as inputs reaches every target.

    It does if its coefficients are linear in the parameters, and if it is a stack whose tensor trains are then all
    tensors. Otherwise real coefficients may have an interior and not be everything, as w^2 is on a line.
    """
    return _is_hierarchical(model) or getattr(model, "degree", None) == 1


def _row(model, name, generic, numbers):
    size, shapes = size_of(model.layers[name]), getattr(model, "shapes", {})
    shape = tuple(dict(shapes if isinstance(shapes, Mapping) else zip(model.layers, shapes)).get(name, (size,)))
    operator = "convolution" if isinstance(model, DilatedConvolution) else "linear"
    counts = {"parameters": Quantity(size), "independent": generic}
    return LayerRow(name, operator, shape, counts | _seen(model, name) | numbers)


def _seen(model, name):
    """Receptive field of a layer: its length, its stride, and where that of the first unit starts, in the past."""
    if not hasattr(model, "field"):
        return dict.fromkeys(SEEN, unavailable("the model does not say what a layer sees"))
    field = model.field(name)
    return dict(zip(SEEN, (Quantity(field), Quantity(1), Quantity(1 - field))))


def size_of(part):
    """Number of parameters of a layer, from its slice."""
    return part.stop - part.start


def _full(model, title, generic, totals, extent, sentences):
    """As many independent parameters as inputs: nothing is left to be allocated, and no fit is needed."""
    positions = model.n_inputs // model.components
    note = "as many independent parameters as inputs: each input is modelled fully"
    allocation = np.full(positions, float(model.components))
    totals = (
        totals
        | {"loss": Quantity(0, note="at an optimum of full rank"), "capacity": Quantity(model.n_inputs, note=note)}
        | holding(allocation, "exact")
    )
    open_ = unavailable("any optimum fits exactly, and a layer's share depends on which one is found")
    rows = [
        _row(model, name, generic[name], {"capacity": generic[name]} | dict.fromkeys(LAGS, open_))
        for name in model.layers
    ]
    return _report(title, rows, totals, extent, {"capacity": allocation}, sentences=(f"It has {note}.", *sentences))


def _seen_steps(model):
    """How many of the last steps almost all parameters give a coefficient."""
    steps = model.n_inputs // model.components
    if not (hasattr(model, "initial") and hasattr(model, "coefficients")):
        return steps
    given = model.coefficients(model.initial(0)).reshape(steps, -1).any(axis=1)
    return steps - int(np.argmax(given)) if given.any() else 0


def _extent(model, seen):
    """So many steps, or positions of a module that takes images."""
    if len(getattr(model, "input_size", ())) > 3:
        return plural(seen, "position")
    return f"the last {plural(seen, 'step')}" if seen else "nothing of the input"


def _report(title, rows, totals, extent, *curves, sentences=(NO_DATA,)):
    """The report, with what its numbers say."""
    inputs, parameters, independent = list(totals.values())[:3]
    says = f"It sees {extent}"
    if independent.value is not None:
        says += f" with {independent} independent parameters"
        redundant = parameters.value - independent.value
        says += f", the other {redundant} of {parameters} being redundant" * (redundant > 0)
    first = ("shape", "parameters", "independent", "field", "loss", "held-out loss", "gap")
    return Report(
        title,
        tuple(rows),
        totals,
        *curves,
        says=(f"{says}.", *sentences),
        first=first,
        step=inputs.value - 1,
    )


def _by_length(process, data, inputs):
    """How far a model should look on a process or a series, in sentences and as totals."""
    if data is not None and np.ndim(data) < 3 and min(np.shape(data)[1:], default=1) == 1:
        series = balanced(np.asarray(data, float).ravel())
        try:
            return by_reach_of_series(linear_reaches(series, inputs), "On these data")
        except ValueError as error:
            return (f"What another length would lose is not known: {error}.",), {}
    if not isinstance(process, GaussianProcess):  # others may know no longer reach
        return (), {}
    here, twice = (float(process.residual_variance(n)) for n in (inputs, 2 * inputs))
    gain = 1 - twice / here if here > 0 else 0.0
    todo = "longer may pay" if gain > WORTH else "longer would not pay"
    return (
        f"Linear prediction from twice as many steps would leave {percent(gain)} less of the variance: {todo}.",
    ), {}


def _rank(space, generic, remarks):
    """Capacity at a point, and what is odd about it."""
    note = ""
    if "stationarity" in remarks and remarks["stationarity"].value > _OPTIMUM:
        note = "the parameters are not at an optimum: these are the directions in which they can move"
    elif generic.value is not None and generic.value != space.total:
        note = f"the generic one is {generic.value}: a singular point, or too small a gap"
    return rank(space, note)


def rank(space, note=""):
    """Capacity of a space with the gap of its rank, and a warning where that is small."""
    gap = _gap(space)
    if gap is not None and gap < _GAP:
        note = "; ".join(filter(None, [note, "the gap is small: another cut would give another number"]))
    return Quantity(space.total, "numerical", note, gap=gap)


def _gap(space):
    return float(space.basis.gap) if space.total else None


def holding(allocation, kind="numerical", intervals=None):
    """Lags that hold shares of an allocation, by column."""
    if not allocation.any():
        return dict.fromkeys(LAGS, unavailable("there is no capacity: nothing is predicted"))
    intervals = intervals or {}
    return {name: Quantity(holding_lags(allocation, name.share), kind, interval=intervals.get(name)) for name in LAGS}


def _ends(values, level, method="linear"):
    return np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0, method=method)


@dataclass(frozen=True)
class _Points:
    """Parameters at which constraints are taken, the best ones first."""

    model: Any
    task: Any
    parameters: Sequence[np.ndarray]
    losses: Sequence[float]
    messages: Sequence[str]

    @cached_property
    def spaces(self):
        return [model_constraints(self.model, point, self.covariance) for point in self.parameters]

    @property
    def space(self):
        return self.spaces[0]

    @property
    def covariance(self):
        return _covariance(self.model, self.task)

    @property
    def allocations(self):
        return [space.spatial(self.model.components) for space in self.spaces]

    @cached_property
    def layers(self) -> LayerConstraints | None:
        if self.model.n_inputs > LARGE:
            return None
        return layer_constraints(self.model, self.parameters[0], self.covariance)

    def of_layer(self, name):
        """Capacity of a layer alone, the others being constants, and the lags that hold it."""
        if self.layers is None:
            missing = unavailable(f"for models of at most {LARGE} inputs")
            return dict.fromkeys(["capacity", *LAGS], missing)
        space = self.layers.space([name])
        found = {"capacity": Quantity(space.total, "numerical", gap=_gap(space))}
        return found | holding(space.spatial(self.model.components))

    def remarks(self):
        """The loss of the best optimum, how near it is to one, and what the others are like."""
        found = {"loss": Quantity(self.losses[0], "numerical", self.messages[0])}
        if self.model.n_inputs <= LARGE:
            distance = stationarity(self.model, self.parameters[0], self.task)
            found["stationarity"] = Quantity(distance, "numerical", "0 at an optimum, 1 at worst")
        if len(self.losses) > 1:
            others = ", ".join(f"{loss:.3g}" for loss in self.losses[1:])
            found["optima"] = Quantity(len(self.losses), note=f"losses of the others: {others}")
        return found

    def on_new_samples(self, samples):
        """Gap and loss to expect of a fit to as many samples."""
        try:
            found = sampling_variance(self.model, self.parameters[0], self.task, samples=samples)
        except ValueError as error:
            return dict.fromkeys(("gap", "held-out loss"), unavailable(str(error)))
        return _new_samples(samples, found.loss, found.capacity)


def _new_samples(samples, loss, total):
    """Gap of a fit to samples of a process, and its loss on new ones, which is higher by half the gap than at best."""
    gap, note = 2 * loss * total / samples, f"of a fit to {samples} independent Gaussian samples, to first order"
    return {
        "gap": Quantity(gap, "assumed", note),
        "held-out loss": Quantity(loss + gap / 2, "assumed", note),
    }


def fitted_points(model, task, parameters, optima, rng, progress):
    """Parameters at which constraints are taken: those that are given, or several optima of the fit, the best first."""
    if parameters is not None:
        remedy = "pass a vector as long as model.n_parameters"
        point = as_vector(parameters, "parameters", length=model.n_parameters, remedy=remedy)
        with np.errstate(over="ignore", invalid="ignore"):
            coefficients = model.coefficients(point)
        if not np.isfinite(coefficients).all():
            raise ValueError(
                "parameters: expected coefficients within the range of a double, got products of layers beyond it; "
                "divide the weights of a layer by a constant, on which capacity does not depend"
            )
        error = coefficients - task.optimal_coefficients(model.n_inputs // model.components)
        loss = float(error @ (_covariance(model, task) @ error))
        return _Points(model, task, [point], [loss], ["at the parameters given"])
    if model.n_inputs > LARGE and _is_hierarchical(model):
        point, message = _nearest(model, task, rng), "the nearest tensor train, not fitted: so many inputs take minutes"
        return replace(fitted_points(model, task, point, 1, rng, progress), messages=[message])
    fits = [_fit(model, task, k, rng) for k in tqdm(range(optima), desc="fits", leave=False, disable=not progress)]
    fits.sort(key=lambda each: each.loss)
    messages = ["" if each.converged else each.message for each in fits]
    return _Points(model, task, [each.parameters for each in fits], [each.loss for each in fits], messages)


def _fit(model, task, number, rng):
    """Fit from one start; the first one of a hierarchical model is the tensor train nearest to the target."""
    if hasattr(model, "separated"):
        return fit(model, task, restarts=model.separated.restarts // 2, rng=rng)
    start = None
    if number == 0 and _is_hierarchical(model):
        start = _nearest(model, task, rng)
    return fit(model, task, initial=start, rng=rng, max_iterations=_ITERATIONS)


def _nearest(model, task, rng):
    """Parameters of the tensor train nearest to what is to be predicted."""
    return tensor_train_parameters(task.optimal_coefficients(model.n_inputs), model.taps, model.channels, rng=rng)


def _covariance(model, task):
    positions = model.n_inputs // model.components
    return (task.operator if hasattr(task, "operator") else task.covariance)(positions)


def _resampled(model, data, start, resamples, rng, progress):
    """Allocations of fits to resampled data, or why there are none."""
    series = np.asarray(data, float)
    if series.ndim > 1 and series.shape[1] > 1:
        return "resampling several series at once is not offered"
    if not hasattr(model, "pullback"):
        return "the model cannot be fitted anew: it has no pullback"
    n, series = model.n_inputs, series.ravel()
    if series.size < 8 * n:
        return f"blocks of {n} steps, one receptive field, need a series of {8 * n}; this one has {series.size}"
    length = int(np.clip(series.size // 16, n, 8 * n))
    drawn = block_bootstrap(series, length, resamples=resamples, rng=rng)
    allocations = []
    for each in tqdm(drawn, desc="resamples", leave=False, disable=not progress):
        task = GaussianProcess(empirical(each))
        fitted = fit(model, task, initial=start, restarts=1, max_iterations=_FEWER_ITERATIONS, tolerance=_OPTIMUM)
        allocations.append(
            model_constraints(model, fitted.parameters, _covariance(model, task)).spatial(model.components)
        )
    return np.array(allocations)
