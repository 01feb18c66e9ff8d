"""Exact generic capacity: the rank of a polynomial model's Jacobian over a prime field.

At almost all parameters the rank of dA/dW is the same, the *generic* rank. For a model whose coefficients are
polynomials of its parameters, the rank at a random point of a prime field can only be smaller, and is so with a
probability that the Schwartz-Zippel lemma bounds (Schwartz 1980, Zippel 1979). No tolerance is involved.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer, check_size
from capacity.linalg.finite_field import PRIME, rank_modulo
from capacity.models.base import LinearModel, check_layers, check_model

__all__ = ["ExactCapacity", "exact_capacity", "exact_layer_capacities"]


@dataclass(frozen=True)
class ExactCapacity:
    """Generic rank of a Jacobian.

    Attributes
    ----------
    total : int
        The rank found: the total capacity at almost all parameters.
    failure_probability : Fraction
        Bound on the probability that the generic rank is larger.

    Examples
    --------
    >>> from capacity import DilatedConvolution
    >>> exact = exact_capacity(DilatedConvolution.hierarchical(6, channels=2), rng=0)
    >>> exact.total, exact.failure_probability < 1e-6
    (20, True)
    """

    total: int
    failure_probability: Fraction


def exact_capacity(
    model: LinearModel, *, layers: Iterable[str] | None = None, rounds: int = 1, rng: Rng = None
) -> ExactCapacity:
    """Total capacity of a polynomial model at almost all parameters, exactly.

    Parameters
    ----------
    model : LinearModel
        Its `jacobian` must accept a prime `modulus`.
    layers : iterable of str, optional
        Count only the parameters of these layers, the others being constants at almost all values; all layers by
        default.
    rounds : int, optional
        Random points tried; the largest rank counts, and the failure probability is raised to this power.
    rng : int, Generator or None
        Source of randomness; the result depends on it with the failure probability only.

    Returns
    -------
    ExactCapacity

    Notes
    -----
    A minor of the Jacobian, of size at most min(n, q), has a degree of at most that size times the largest degree of an
    entry, which is one less than the degree of the model (its number of layers). Unless it is the zero polynomial, it
    vanishes at a random point of the field with at most that degree over the prime. One premise remains: a minor that
    is not zero over the rationals is not zero modulo the prime, i.e. its coefficients are not all multiples of it.
    A model that has a `minimal` form is counted in it, by its `generic_columns` where it names them.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> exact_capacity(DilatedConvolution.hierarchical(6, channels=2)).total
    20
    """
    rng = as_generator(rng)
    rounds = check_integer(rounds, "rounds", minimum=1)
    check_model(model, "n_parameters", "layers", "degree", "jacobian")
    names = check_layers(layers, model.layers)
    if not names:
        return ExactCapacity(0, Fraction(0))
    columns = np.r_[tuple(model.layers[name] for name in names)]
    remedy = "take a smaller model, or the closed form tensor_train_capacity if it is hierarchical"
    check_size(model.n_inputs, "model", "coefficients", maximum=2**20, remedy=remedy)
    if layers is None and hasattr(model, "minimal"):
        model = model.minimal()
        columns = getattr(model, "generic_columns", np.arange(model.n_parameters))
    check_size(model.n_inputs * columns.size, "model", "a Jacobian", maximum=2**28, remedy=remedy)
    return _ranks(model, [columns], rounds, rng)[0]


def exact_layer_capacities(model: LinearModel, *, rounds: int = 1, rng: Rng = None) -> dict[str, ExactCapacity]:
    """`exact_capacity` of each layer by itself, all from the Jacobians at the same points.

    Parameters
    ----------
    model : LinearModel
    rounds, rng
        As in `exact_capacity`.

    Returns
    -------
    dict of str to ExactCapacity
        By the name of the layer.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> found = exact_layer_capacities(DilatedConvolution([1, 2, 4], channels=2), rng=0)
    >>> {name: each.total for name, each in found.items()}
    {'layer 1': 4, 'layer 2': 8, 'layer 3': 4}
    """
    rng, rounds = as_generator(rng), check_integer(rounds, "rounds", minimum=1)
    check_model(model, "n_parameters", "layers", "degree", "jacobian")
    remedy = "take a smaller model, or one layer at a time with exact_capacity"
    check_size(model.n_inputs * model.n_parameters, "model", "a Jacobian", maximum=2**28, remedy=remedy)
    columns = [np.arange(part.start, part.stop) for part in model.layers.values()]
    return dict(zip(model.layers, _ranks(model, columns, rounds, rng)))


def _ranks(model, parts, rounds, rng):
    """The largest ranks that parts of the columns of the Jacobian have at random points."""
    totals = [0] * len(parts)
    for _ in range(rounds):
        jacobian = model.jacobian(rng.integers(0, PRIME, model.n_parameters), modulus=PRIME)
        totals = [max(total, rank_modulo(jacobian[:, columns])) for total, columns in zip(totals, parts)]
    degrees = [min(model.n_inputs, columns.size) * (model.degree - 1) for columns in parts]
    return [ExactCapacity(total, Fraction(max(degree, 0), PRIME) ** rounds) for total, degree in zip(totals, degrees)]
