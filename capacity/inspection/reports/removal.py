"""What a linear model loses without one of its layers: as it is, and once the others are fitted anew."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from tqdm import tqdm

from capacity.fitting.least_squares import fit
from capacity.fitting.objective import Objective
from capacity.inspection.reports.quantity import Quantity, unavailable
from capacity.linalg.toeplitz import LARGE
from capacity.models.convolutions import DilatedConvolution
from capacity.models.views import FrozenLayers

__all__ = ["LOSSES", "losses_without"]

LOSSES = ("loss without", "refitted")
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


def losses_without(model, parameters, task, *, starts=1, rng=None, progress=False):
    """Loss of a linear model without each of its layers, with the others as they are, and with these fitted anew.

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

    Returns
    -------
    dict of str to dict of str to Quantity
        By the name of the layer, with the columns `LOSSES`.
    """
    return {
        name: dict(zip(LOSSES, _losses(model, parameters, task, name, starts, rng)))
        for name in tqdm(model.layers, desc="layers", disable=not progress)
    }


def _losses(model, parameters, task, name, starts, rng):
    if model.n_inputs > LARGE:
        return [unavailable(f"for models of at most {LARGE} inputs")] * 2
    try:
        smaller, start = _without(model, parameters, name)
    except (TypeError, ValueError) as error:
        return [unavailable(str(error))] * 2
    if smaller is None:
        target = Objective.of_task(model, task)
        return [Quantity(float(np.square(target.root @ target.target).sum()), "numerical", "nothing is left")] * 2
    objective = Objective.of_task(smaller, task)
    after = float(np.square(objective.residual(start)).sum())
    fits = [fit(smaller, task, initial=start, max_iterations=_ITERATIONS)]
    fits += [fit(smaller, task, rng=rng, max_iterations=_ITERATIONS) for _ in range(starts)]
    best = min(fits, key=lambda each: each.loss)
    told = _ONE_TAP if isinstance(model, DilatedConvolution) else _ZERO
    return Quantity(after, "numerical", told), Quantity(best.loss, "numerical", "" if best.converged else best.message)


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
    return _Shorter(smaller, model.n_inputs), np.concatenate(list(left.values()))
