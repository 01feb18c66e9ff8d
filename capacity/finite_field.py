"""Exact generic capacity: the rank of a polynomial model's Jacobian over a prime field.

At almost all parameters the rank of dA/dW is the same, the *generic* rank. For a model whose coefficients are
polynomials of its parameters, the rank at a random point of a prime field can only be smaller, and is so with a
probability that the Schwartz-Zippel lemma bounds (Schwartz 1980, Zippel 1979). No tolerance is involved.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpz, nmod_mat

from capacity.checks import check_integer, check_members

__all__ = ["PRIME", "ExactCapacity", "exact_capacity", "rank_modulo"]

PRIME = 2**31 - 1
"""Mersenne prime; products of two residues fit into 64-bit integers."""


@dataclass(frozen=True)
class ExactCapacity:
    """Generic rank of a Jacobian.

    Attributes
    ----------
    total : int
        The rank found: the total capacity at almost all parameters.
    failure_probability : Fraction
        Bound on the probability that the generic rank is larger.
    """

    total: int
    failure_probability: Fraction


def rank_modulo(matrix, modulus=PRIME):
    """Rank of an integer matrix over the field of a prime.

    Parameters
    ----------
    matrix : array_like of int, shape (n, p)
        Residues, or any integers.
    modulus : int, optional
        A prime below 2^63.

    Returns
    -------
    int

    Raises
    ------
    TypeError
        If the entries or the modulus are not integers.
    ValueError
        If the modulus is not a prime.

    Examples
    --------
    >>> rank_modulo([[1, 2], [3, 13]], modulus=7)
    1
    """
    modulus = check_integer(modulus, "modulus", minimum=2, maximum=2**63 - 1, remedy="pass a prime, e.g. PRIME")
    if not fmpz(modulus).is_prime():  # elimination over a ring that is no field makes FLINT end the process
        raise ValueError(f"modulus: expected a prime, got {modulus}; pass a prime, e.g. PRIME")
    matrix = np.atleast_2d(matrix)
    if matrix.ndim != 2:
        raise ValueError(f"matrix: expected shape (n, p), got {matrix.shape}; pass a matrix")
    if not np.issubdtype(matrix.dtype, np.integer):
        raise TypeError(f"matrix: expected integers, got {matrix.dtype}; exact ranks need exact entries")
    return nmod_mat(*matrix.shape, matrix.ravel().tolist(), modulus).rank()


def exact_capacity(model, *, layers=None, rounds=1, rng=0):
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
        Source of randomness.

    Returns
    -------
    ExactCapacity

    Raises
    ------
    TypeError
        If `rounds` is not an integer, or the model lacks a member that is needed.
    ValueError
        If a layer is unknown, or `rounds` is below 1.

    Notes
    -----
    A minor of the Jacobian, of size at most min(n, q), has a degree of at most that size times the largest degree of an
    entry, which is one less than the degree of the model (its number of layers). Unless it is the zero polynomial, it
    vanishes at a random point of the field with at most that degree over the prime. One premise remains: a minor that
    is not zero over the rationals is not zero modulo the prime, i.e. its coefficients are not all multiples of it.
    A model that has a `minimal` form is counted in it, by its `generic_columns` where it names them.

    Examples
    --------
    >>> from capacity.convolutions import DilatedConvolution
    >>> exact_capacity(DilatedConvolution.hierarchical(6, channels=2)).total
    20
    """
    rng = np.random.default_rng(rng)
    rounds = check_integer(rounds, "rounds", minimum=1)
    members = ("n_inputs", "n_parameters", "layers", "degree", "jacobian")
    check_members(model, "model", members, "make one of its function: FunctionModel(function, shapes)")
    names = list(model.layers) if layers is None else list(layers)
    unknown = [name for name in names if name not in model.layers]
    if unknown:
        raise ValueError(f"layers: expected names among {list(model.layers)}, got {unknown}; see model.layers")
    if not names:
        return ExactCapacity(0, Fraction(0))
    columns = np.r_[tuple(model.layers[name] for name in names)]
    if layers is None and hasattr(model, "minimal"):
        model = model.minimal()
        columns = getattr(model, "generic_columns", np.arange(model.n_parameters))
    total = 0
    for _ in range(rounds):
        point = rng.integers(0, PRIME, model.n_parameters)
        total = max(total, rank_modulo(model.jacobian(point, modulus=PRIME)[:, columns]))
    degree = min(model.n_inputs, columns.size) * (model.degree - 1)
    return ExactCapacity(total, Fraction(degree, PRIME) ** rounds)
