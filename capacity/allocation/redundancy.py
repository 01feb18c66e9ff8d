"""Jointly redundant layers, and whether they may be fixed at random before the others are fitted (paper 1, App. D).

Layers are *jointly redundant* at an optimum when the constraints of the others already span the whole constraint space
(Definition 3). Conjectures 1 and 2 say that such layers can then be fixed, almost everywhere, and the optimum be
recovered by the others. They hold where the free layers can undo the fixed ones by linear algebra, as the outer layers
of hierarchical models, and not in general: redundancy is local, and over the real numbers the others may be unable to
reach the optimum for a set of fixed values of positive measure.

To test them, one must know the global minimum and be able to reach it: a target that the model itself generates has the
minimum 0, whereas the loss of a fit to another target only bounds its minimum from above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Covariance, Rng
from capacity._validation import as_generator, as_list, check_integer, check_real, check_size
from capacity.allocation.constraints import layer_constraints
from capacity.fitting.least_squares import fit
from capacity.linalg.finite_field import PRIME, rank_modulo
from capacity.models.base import LinearModel, check_model
from capacity.models.views import FrozenLayers
from capacity.tasks.prediction_task import PredictionTask

__all__ = ["Recovery", "generic_redundant_sets", "recover_with_frozen_layers", "redundant_sets"]


@dataclass(frozen=True)
class Recovery:
    """Outcome of fits with some layers frozen at random.

    Attributes
    ----------
    losses : ndarray, shape (draws,)
        Lowest loss that was found for each draw of the frozen layers.
    threshold : float
        Losses up to it count as the optimum recovered.
    frozen : ndarray, shape (draws, q), optional
        The q frozen parameters of each draw, layer by layer.

    Examples
    --------
    >>> recovery = Recovery(losses=np.array([0.0, 1e-20, 0.3]), threshold=1e-12)
    >>> recovery.recovered, recovery.interval()
    (2, (0.09429932, 0.99159624))
    """

    losses: np.ndarray
    threshold: float
    frozen: np.ndarray | None = None

    @property
    def recovered(self) -> int:
        """Number of draws for which the optimum was recovered."""
        return int(np.count_nonzero(self.losses <= self.threshold))

    @property
    def fraction(self) -> float:
        """Share of the draws for which it was."""
        return self.recovered / self.losses.size

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Clopper-Pearson confidence interval of the probability of recovery."""
        found = scipy.stats.binomtest(self.recovered, self.losses.size).proportion_ci(confidence, method="exact")
        return float(found.low), float(found.high)


def redundant_sets(
    model: LinearModel, parameters: ArrayLike, covariance: Covariance, *, rtol: float | None = None
) -> list[tuple[str, ...]]:
    """Largest sets of jointly redundant layers at given parameters (Definition 3).

    Parameters
    ----------
    model : LinearModel
        With at most 12 layers, as all their subsets are tried.
    parameters : array_like, shape (p,)
        Usually those of a fit.
    covariance : array_like, shape (n, n), or operator
        Covariance of the inputs. It must be regular, and then does not matter.
    rtol : float, optional
        Relative tolerance of the ranks.

    Returns
    -------
    list of tuple of str
        Sets none of which contains another; every subset of one is redundant too. Empty if no layer is redundant.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(2, channels=2)
    >>> redundant_sets(model, model.initial(rng=0), GaussianProcess().covariance(4))
    [('layer 1',), ('layer 2',)]
    """
    check_model(model, "layers")
    constraints = layer_constraints(model, parameters, covariance, rtol=rtol)
    return _largest(list(model.layers), lambda names: constraints.space(names).total)


def generic_redundant_sets(model: LinearModel, *, rng: Rng = None) -> list[tuple[str, ...]]:
    """Largest sets of layers that are jointly redundant (Definition 3) at almost all parameters, by exact ranks.

    Parameters
    ----------
    model : LinearModel
        With at most 12 layers, and a Jacobian modulo a prime.
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    list of tuple of str
        As in `redundant_sets`.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> generic_redundant_sets(DilatedConvolution.hierarchical(6, channels=4))
    [('layer 1', 'layer 2', 'layer 5', 'layer 6')]
    """
    check_model(model, "jacobian", "layers", "n_parameters")
    check_size(model.n_inputs * model.n_parameters, "model", "a Jacobian", maximum=2**28)
    jacobian = model.jacobian(as_generator(rng).integers(0, PRIME, model.n_parameters), modulus=PRIME)
    columns = {name: jacobian[:, part] for name, part in model.layers.items()}
    return _largest(
        list(columns), lambda names: rank_modulo(np.hstack([columns[name] for name in names])) if names else 0
    )


def recover_with_frozen_layers(
    model: LinearModel,
    task: PredictionTask,
    layers: Sequence[str],
    *,
    threshold: float,
    draws: int = 20,
    restarts: int = 3,
    rng: Rng = None,
    max_iterations: int | None = None,
    progress: bool = False,
) -> Recovery:
    """Freeze layers at random, fit the others, and count how often the optimum is recovered (Conjectures 1 and 2).

    Parameters
    ----------
    model : LinearModel
        The architecture.
    task : GaussianProcess or PrescribedTask
        The prediction task. Only with a target that the model attains is the minimum of the loss, 0, known.
    layers : sequence of str
        The layers to freeze, each draw at a value of ``model.initial``.
    threshold : float
        Losses up to it count as recovered.
    draws : int, optional
        Number of draws of the frozen layers.
    restarts : int, optional
        Gauss-Newton runs per draw, from random values of the other layers, until one recovers the optimum.
    rng : int, Generator or None
        Source of randomness.
    max_iterations : int, optional
        Per run, as in `fit`.
    progress : bool, optional
        Show a progress bar over the draws.

    Returns
    -------
    Recovery

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> from capacity.tasks import PrescribedTask
    >>> model = DilatedConvolution.hierarchical(2, channels=2)  # one filter too many
    >>> task = PrescribedTask(GaussianProcess(), [1.0, 2.0, 3.0, 4.0])
    >>> recovery = recover_with_frozen_layers(model, task, ["layer 1"], threshold=1e-10, draws=3, rng=0)
    >>> recovery.recovered
    3
    """
    layers = as_list(layers, "layers", "pass names among model.layers")
    threshold = check_real(threshold, "threshold", minimum=0, remedy="pass the largest loss that counts")
    restarts = check_integer(restarts, "restarts", minimum=1)
    rng = as_generator(rng)
    losses, values = [], []
    for _ in tqdm(range(check_integer(draws, "draws", minimum=1)), desc="draws", disable=not progress):
        frozen = FrozenLayers.at_random(model, layers, rng)
        values.append(np.concatenate(list(frozen.values.values())))
        losses.append(np.inf)
        for _ in range(restarts):
            losses[-1] = min(losses[-1], fit(frozen, task, rng=rng, max_iterations=max_iterations).loss)
            if losses[-1] <= threshold:
                break
    return Recovery(np.array(losses), threshold, np.array(values))


def _largest(names, rank):
    """Maximal sets of names without which the rank stays whole: a set is tried only where all smaller ones are such."""
    if len(names) > 12:
        raise ValueError(f"model: expected at most 12 layers, got {len(names)}; their subsets are too many to try")
    whole, found = rank(names), [()]
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            smaller = set(combinations(chosen, size - 1))
            if smaller <= set(found) and rank([name for name in names if name not in chosen]) == whole:
                found.append(chosen)
    largest = [chosen for chosen in found if not any(set(chosen) < set(other) for other in found)]
    return sorted(filter(None, largest), key=len, reverse=True)
