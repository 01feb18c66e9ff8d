"""Linear models of drawn shapes beside their plain definitions, and what each of them promises."""

from functools import partial
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from capacity.allocation import exact_capacity, exact_layer_capacities
from capacity.linalg import PRIME, rank_modulo
from capacity.models import (
    DiagonalRecurrence,
    DilatedConvolution,
    FrozenLayers,
    FullyConnected,
    FunctionModel,
    LinearModel,
    RegroupedLayers,
)

__all__ = ["MODELS", "Drawn", "check_counts", "check_model", "check_stack", "stacks", "sum_over_paths"]


class Drawn(NamedTuple):
    """A model, its coefficients as the definition says, and the polynomial whose Jacobian has its exact ranks."""

    model: object
    plain: object
    polynomial: object


@st.composite
def stacks(draw, hierarchical=None):
    """Stacks of one layer to four: odd and even taps, any dilations or those of digits, one to three components."""
    n_layers = draw(st.integers(1, 4))
    some = lambda top, length: draw(st.lists(st.integers(1, top), min_size=length, max_size=length))  # noqa: E731
    channels, taps, components = some(3, n_layers - 1), some(3, n_layers), draw(st.integers(1, 3))
    if draw(st.booleans()) if hierarchical is None else hierarchical:
        return DilatedConvolution.hierarchical(n_layers, channels, taps, components)
    return DilatedConvolution(some(4, n_layers), channels, taps, components)


def sum_over_paths(model, parameters):
    """Coefficients of a stack in any arithmetic: one matrix product per choice of a tap in each layer."""
    filters, start = [], 0
    for outputs, taps, inputs in zip((*model.channels, 1), model.taps, (model.components, *model.channels)):
        size = outputs * taps * inputs
        filters.append(parameters[start : start + size].reshape(outputs, taps, inputs))
        start += size
    reach = 1 + sum((n - 1) * d for n, d in zip(model.taps, model.dilations))
    by_lag = np.zeros((reach, model.components), dtype=parameters.dtype)
    for path in product(*(range(n) for n in model.taps)):
        matrix = np.eye(model.components, dtype=int)
        for weights, tap in zip(filters, path):
            matrix = weights[:, tap] @ matrix
        by_lag[np.dot(path, model.dilations)] += matrix[0]
    return by_lag[::-1].ravel()


def _impulses(model, inputs, poles, outputs):
    """Coefficients of a recurrence: run it once for an impulse at each position."""
    coefficients = []
    for position in range(model.n_inputs):
        state = 0 * inputs
        for time in range(model.n_inputs):
            state = poles * state + inputs * (time == position)
        coefficients.append(outputs @ state)
    return np.array(coefficients, dtype=inputs.dtype)


def _recurrence(n, channels, bound):
    model = DiagonalRecurrence(n, channels, bound)
    polynomial = lambda v: _impulses(model, *np.split(v, 3))  # noqa: E731

    def plain(v):
        inputs, poles, outputs = np.split(v, 3)
        return _impulses(model, inputs, poles if bound is None else bound * np.tanh(poles), outputs)

    return Drawn(model, plain, polynomial)


def _function(rows, columns, components):
    """Two factors and a square of a third: no model of the room has the like."""
    function = lambda a, b, c: np.concatenate([a @ b, (c[0] * b) ** 2]).repeat(components)  # noqa: E731
    model = FunctionModel(function, {"a": (rows, columns), "b": columns, "c": (1,)}, components)
    split = lambda v: (v[: rows * columns].reshape(rows, columns), v[rows * columns : -1], v[-1:])  # noqa: E731
    return Drawn(model, lambda v: function(*split(v)), lambda v: function(*split(v)))


def _stack(model):
    return Drawn(model, *2 * [lambda v: sum_over_paths(model, v)])


@st.composite
def _regrouped(draw):
    drawn = draw(_WHOLE)
    cuts = draw(st.sets(st.integers(1, drawn.model.n_parameters - 1), max_size=3))
    ends = [0, *sorted(cuts), drawn.model.n_parameters]
    groups = {f"group {i}": slice(*part) for i, part in enumerate(pairwise(ends))}
    return drawn._replace(model=RegroupedLayers(drawn.model, groups))


@st.composite
def _frozen(draw):
    drawn = draw(_WHOLE)
    model, names = drawn.model, list(drawn.model.layers)
    frozen = draw(st.lists(st.sampled_from(names), min_size=1, max_size=len(names) - 1, unique=True))
    view = FrozenLayers.at_random(model, frozen, rng=draw(st.integers(0, 9)))
    free = np.ones(model.n_parameters, dtype=bool)
    for name in frozen:
        free[model.layers[name]] = False

    def plain(v):
        whole = np.zeros(model.n_parameters, dtype=v.dtype)
        for name in frozen:
            whole[model.layers[name]] = view.values[name]
        whole[free] = v
        return drawn.plain(whole)

    return Drawn(view, plain, None)  # real constants are no residues


_small = st.integers(1, 4)
_RECURRENCES = st.builds(_recurrence, st.integers(1, 7), _small, st.sampled_from([None, 0.9, 1.5]))
_FUNCTIONS = st.builds(_function, _small, _small, st.integers(1, 3))
_WHOLE = st.one_of(stacks().filter(lambda model: model.n_layers > 1).map(_stack), _RECURRENCES, _FUNCTIONS)
MODELS = {
    "FullyConnected": st.integers(1, 5).map(lambda n: Drawn(FullyConnected(n), *2 * [lambda v: v])),
    "DilatedConvolution": stacks().map(_stack),
    "DiagonalRecurrence": _RECURRENCES,
    "FunctionModel": _FUNCTIONS,
    "FrozenLayers": _frozen(),
    "RegroupedLayers": _regrouped(),
}


def check_model(model, plain, seed):
    """Check all that a model returns at random parameters against the definition and its complex-step derivative."""
    assert isinstance(model, LinearModel)
    n, p = model.n_inputs, model.n_parameters
    assert n % model.components == 0
    assert [at for part in model.layers.values() for at in range(part.start, part.stop)] == list(range(p))
    rng = np.random.default_rng(seed)
    parameters, cotangent = model.initial(seed), rng.standard_normal(n)
    np.testing.assert_array_equal(parameters, model.initial(np.random.default_rng(seed)))
    assert not np.array_equal(parameters, model.initial(seed + 1))
    before = parameters.copy()
    expected = np.transpose([plain(parameters + step).imag / 1e-30 for step in 1e-30j * np.eye(p)])
    scale = max(1, np.abs(expected).max())
    close = partial(np.testing.assert_allclose, rtol=1e-11, atol=1e-11 * scale**2)
    close(model.coefficients(parameters), plain(parameters))
    jacobian, factors = model.jacobian(parameters), model.tangent_factors(parameters)
    assert (parameters.shape, jacobian.shape, list(factors)) == ((p,), (n, p), list(model.layers))
    close(jacobian, expected)
    close(model.pullback(parameters, cotangent), expected.T @ cotangent)
    for name, factor in factors.items():
        block = expected[:, model.layers[name]]
        assert factor.shape[1] <= block.shape[1]
        close(factor @ factor.T, block @ block.T)
    np.testing.assert_array_equal(parameters, before)


def check_stack(model, lead, seed):
    """Check that a stack of parameters gives what each of them gives alone."""
    rng = np.random.default_rng(seed)
    parameters, cotangents = (rng.standard_normal((*lead, size)) for size in (model.n_parameters, model.n_inputs))
    one_by_one = {
        "coefficients": [model.coefficients(each) for each in parameters.reshape(-1, model.n_parameters)],
        "jacobian": [model.jacobian(each) for each in parameters.reshape(-1, model.n_parameters)],
        "pullback": [model.pullback(parameters[at], cotangents[at]) for at in np.ndindex(*lead)],
    }
    factors = [model.tangent_factors(parameters[at]) for at in np.ndindex(*lead)]
    found = {name: getattr(model, name)(parameters) for name in ("coefficients", "jacobian")}
    found |= {"pullback": model.pullback(parameters, cotangents), **model.tangent_factors(parameters)}
    for name, expected in (one_by_one | {name: [one[name] for one in factors] for name in model.layers}).items():
        assert found[name].shape == (*lead, *expected[0].shape)
        atol = 1e-13 * max(1, np.abs(expected).max())
        np.testing.assert_allclose(found[name], np.reshape(expected, found[name].shape), rtol=0, atol=atol)


def check_counts(model, polynomial, seed):
    """Check the Jacobian modulo a prime, all exact ranks and the degree against integers that do not overflow."""
    rng = np.random.default_rng(seed)
    point, step = rng.integers(0, PRIME, (2, model.n_parameters)).astype(object)
    for modulus in (7, PRIME):
        moved = [polynomial(point + modulus * unit) for unit in np.eye(model.n_parameters, dtype=int).astype(object)]
        exact = np.transpose([(new - polynomial(point)) // modulus % modulus for new in moved]).astype(np.int64)
        np.testing.assert_array_equal(model.jacobian(point.astype(np.int64), modulus=modulus), exact)
    assert exact_capacity(model, rng=seed).total == rank_modulo(exact)
    for name, found in exact_layer_capacities(model, rng=seed).items():
        assert found.total == rank_modulo(exact[:, model.layers[name]])
    if hasattr(model, "minimal"):
        minimal = model.minimal()
        assert minimal.n_parameters <= model.n_parameters
        assert minimal.minimal() == minimal
        residues = rng.integers(0, PRIME, minimal.n_parameters)
        assert rank_modulo(minimal.jacobian(residues, modulus=PRIME)) == rank_modulo(exact)
    values = [polynomial(point + k * step) for k in range(model.degree + 2)]
    for _ in range(model.degree):
        values = [later - earlier for earlier, later in pairwise(values)]
    assert values[0].any()  # the difference of the order of the degree is a constant that is not zero
    np.testing.assert_array_equal(*values)
