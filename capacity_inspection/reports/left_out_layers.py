"""What a linear model loses without some of its layers: as it is, and once the others are fitted anew."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from capacity.fitting import Objective, fit
from capacity.linalg.toeplitz import LARGE
from capacity.models import DilatedConvolution, FrozenLayers
from capacity_inspection.reports.quantity import Quantity, unavailable

__all__ = ["LIMIT", "LOSSES", "layers_out", "together"]

LOSSES = ("loss without", "refitted")
LIMIT = 0.05  # share of the squared error, or of an output's variance, that ends a search for layers to remove
_ITERATIONS = 300  # of a fit
_ONE_TAP = "only the most recent tap of the layer is left"
_ZERO = "the parameters of the layer are zero"


@dataclass(frozen=True)
class _Shorter:
    """A model of fewer inputs as one of more, the coefficients of the oldest being zero."""

    model: Any
    n_inputs: int

    def __getattr__(self, name):
        return getattr(self.model, name)

    def coefficients(self, parameters):
        """Coefficients A, shape (n,)."""
        return np.pad(self.model.coefficients(parameters), (self._older, 0))

    def pullback(self, parameters, cotangent):
        """Product (dA/dW)^T y, shape (p,)."""
        return self.model.pullback(parameters, cotangent[self._older :])

    def tangent_factors(self, parameters):
        """Tangent factors of the layers."""
        factors = self.model.tangent_factors(parameters)
        return {name: np.pad(factor, ((self._older, 0), (0, 0))) for name, factor in factors.items()}

    @property
    def _older(self):
        return self.n_inputs - self.model.n_inputs


class Remainder(NamedTuple):
    """What is left of a model without some of its layers: the model, None if nothing, and the parameters of its fit."""

    model: Any
    parameters: np.ndarray | None
    before: Quantity
    refitted: Quantity

    @property
    def losses(self):
        """Its numbers by the columns `LOSSES`."""
        return dict(zip(LOSSES, (self.before, self.refitted)))


def layers_out(model, parameters, task, *, starts=1, rng=None, progress=False, n_inputs=None):
    """A linear model without each of its layers: its loss with the others as they are, and with these fitted anew.

    A layer of a stack of convolutions is removed by leaving it the most recent of its taps, so that what remains is the
    stack without its dilation. Of other models, whose layers may be anything, its parameters become zero.

    Parameters
    ----------
    model : LinearModel
    parameters : ndarray, shape (p,)
        From which layers are taken.
    task : PredictionTask
    starts : int, optional
        Of each new fit, beside the remaining parameters themselves: it never ends above the loss of these.
    rng : Generator
        Of these starts.
    progress : bool, optional
        Show a progress bar over the layers.
    n_inputs : int, optional
        Of the task, where the model reads fewer.

    Returns
    -------
    dict of str to Remainder
        By the name of the layer.
    """
    n_inputs = model.n_inputs if n_inputs is None else n_inputs
    return {
        name: _remainder(model, parameters, task, name, starts, rng, n_inputs)
        for name in tqdm(model.layers, desc="layers", leave=False, disable=not progress)
    }


def together(found, task, least, n_inputs, *, starts=1, rng=None, progress=False):
    """Layers that can go together, the cheapest first, each with the loss once what is left has been fitted anew.

    To those that went, the one is added without which the others, fitted anew, lose least. That is greedy: another set
    of as many may cost less.

    Parameters
    ----------
    found : dict of str to Remainder
        What `layers_out` found.
    task, starts, rng, progress
        As there.
    least : float
        Loss that only the last of these sets exceeds, unless nothing is left to go.
    n_inputs : int
        Of the whole model.

    Returns
    -------
    list of (str, float)
    """
    gone = []
    while known := {name: each for name, each in found.items() if each.refitted.value is not None}:
        name = min(known, key=lambda key: known[key].refitted.value)
        gone.append((name, known[name].refitted.value))
        if gone[-1][1] > least or known[name].model is None:
            break
        model, parameters = known[name].model, known[name].parameters
        found = layers_out(model, parameters, task, starts=starts, rng=rng, progress=progress, n_inputs=n_inputs)
        found = {key: each for key, each in found.items() if key not in dict(gone)}
    return gone


def _remainder(model, parameters, task, name, starts, rng, n_inputs):
    if n_inputs > LARGE:
        return Remainder(model, None, *[unavailable(f"for models of at most {LARGE} inputs")] * 2)
    try:
        smaller, start = _without(model, parameters, name)
    except (TypeError, ValueError) as error:
        return Remainder(model, None, *[unavailable(str(error))] * 2)
    if smaller is None:
        target = Objective.of_task(model, task)
        loss = Quantity(float(np.square(target.root @ target.target).sum()), "numerical", "nothing is left")
        return Remainder(None, None, loss, loss)
    padded = _Shorter(smaller, n_inputs) if smaller.n_inputs < n_inputs else smaller
    objective = Objective.of_task(padded, task)
    after = float(np.square(objective.residual(start)).sum())
    best = fit(padded, task, initial=start, restarts=1 + starts, rng=rng, max_iterations=_ITERATIONS)
    note = _ONE_TAP if isinstance(model, DilatedConvolution) else _ZERO
    refitted = Quantity(best.loss, "numerical", "" if best.converged else best.message)
    return Remainder(smaller, best.parameters, Quantity(after, "numerical", note), refitted)


def _without(model, parameters, name):
    """A model without one of its layers, None if nothing is left, and the parameters that remain."""
    if not isinstance(model, DilatedConvolution):
        if len(model.layers) == 1:
            return None, None
        part = model.layers[name]
        return FrozenLayers(model, {name: np.zeros(part.stop - part.start)}), np.delete(parameters, part)
    index = list(model.layers).index(name)
    if model.taps[index] == 1:
        raise ValueError("the layer reads one position, and has no other to lose")
    left = {key: parameters[part] for key, part in model.layers.items()}
    left[name] = left[name].reshape(model.shapes[index])[:, :1].ravel()
    smaller = replace(model, taps=[1 if i == index else taps for i, taps in enumerate(model.taps)])
    return smaller, np.concatenate(list(left.values()))
