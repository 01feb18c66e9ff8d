r"""The probability simplex: the Fisher metric, and the embeddings that a metric of probabilities must not notice.

A Markov morphism takes probabilities p of n outcomes to probabilities p Q of m outcomes, Q having rows that sum to 1.
It is a *congruent embedding* where each of the m outcomes comes from one of the n only: an outcome is then split into
finer ones at fixed odds, and no information is lost or gained (Cencov 1982; Campbell 1986).
"""

import numpy as np

from capacity._validation import as_array, as_generator, as_matrix, check_integers, check_real

__all__ = ["congruent_embedding", "fisher_distance", "is_congruent_embedding", "simplex_metric"]


def simplex_metric(probabilities, first, second=None, *, exponent=1.0):
    r"""Scalar product of two changes of probabilities, sum_i u_i v_i / p_i^a: with a = 1 the Fisher metric.

    Parameters
    ----------
    probabilities : array_like, shape (..., outcomes)
        Positive.
    first : array_like, shape (..., outcomes)
        A change u of the probabilities, with sum 0.
    second : array_like, shape (..., outcomes), optional
        Default: the first, for a squared length.
    exponent : float, optional
        The a of the metric; 0 gives the Euclidean one.

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> float(simplex_metric([0.5, 0.5], [0.1, -0.1]))
    0.04
    """
    p = _inside(probabilities, "probabilities")
    u = as_array(first, "first", axes=1)
    v = u if second is None else as_array(second, "second", axes=1)
    a = check_real(exponent, "exponent")
    for name, value in (("first", u), ("second", v)):
        if value.shape != p.shape:
            raise ValueError(f"{name}: expected shape {p.shape}, got {value.shape}; pass one number for each outcome")
    return np.sum(u * v * p**-a, axis=-1)


def fisher_distance(first, second):
    r"""Length of the shortest path between two distributions in the Fisher metric, 2 arccos sum_i sqrt(p_i q_i).

    Parameters
    ----------
    first, second : array_like, shape (..., outcomes)
        Probabilities.

    Returns
    -------
    ndarray, shape (...)
        At most pi.

    Notes
    -----
    The map p -> 2 sqrt(p) takes the simplex to a sphere of radius 2, and the Fisher metric to the Euclidean one there.

    Examples
    --------
    >>> float(fisher_distance([1.0, 0.0], [0.0, 1.0]))
    3.14159265
    """
    p, q = _distribution(first, "first"), _distribution(second, "second")
    if p.shape != q.shape:
        raise ValueError(f"second: expected shape {p.shape}, got {q.shape}; pass as many distributions and outcomes")
    # twice the arcsine of half the chord: exact for distributions that are close, where the arc cosine is not
    return np.minimum(4 * np.arcsin(np.minimum(np.linalg.norm(np.sqrt(p) - np.sqrt(q), axis=-1) / 2, 1.0)), np.pi)


def congruent_embedding(parts, *, rng=None):
    """A Markov morphism that splits each outcome into finer ones at random odds.

    Parameters
    ----------
    parts : sequence of int
        Into how many outcomes each is split.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    ndarray, shape (outcomes, finer outcomes)
        Rows with sum 1, and one number other than 0 in each column: p Q are the finer probabilities.

    Examples
    --------
    >>> (congruent_embedding([1, 2], rng=0) > 0).astype(int)
    array([[1, 0, 0],
           [0, 1, 1]])
    """
    parts = check_integers(parts, "parts")
    if not parts:
        raise ValueError("parts: expected at least one entry, got none; pass one number for each outcome")
    rng, found, start = as_generator(rng), np.zeros((len(parts), sum(parts))), 0
    for row, count in zip(found, parts):
        row[start : start + count] = rng.dirichlet(np.ones(count))
        start += count
    return found


def is_congruent_embedding(matrix, *, atol=1e-12):
    """Whether a matrix splits outcomes without mixing them: rows with sum 1, columns with one positive entry.

    Parameters
    ----------
    matrix : array_like, shape (outcomes, finer outcomes)
    atol : float, optional
        Allowed deviation of the sums, and what counts as 0.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_congruent_embedding([[1, 0, 0], [0, 0.5, 0.5]]), is_congruent_embedding([[0.9, 0.1], [0.2, 0.8]])
    (True, False)
    """
    matrix, atol = as_matrix(matrix, "matrix"), check_real(atol, "atol", minimum=0)
    stochastic = matrix.min() >= -atol and np.abs(matrix.sum(axis=1) - 1).max() <= atol
    return bool(stochastic and ((matrix > atol).sum(axis=0) == 1).all())


def _inside(value, name):
    p = as_array(value, name, axes=1)
    if not p.min() > 0:
        raise ValueError(f"{name}: expected positive numbers, got {p.min():g}; leave out outcomes that do not occur")
    return p


def _distribution(value, name):
    p = as_array(value, name, axes=1, minimum=0.0, remedy="pass probabilities")
    sums = p.sum(axis=-1).ravel()
    worst = sums[np.abs(sums - 1).argmax()]
    if abs(worst - 1) > 1e-9:
        raise ValueError(f"{name}: expected rows with sum 1, got {worst:g}; pass probabilities")
    return p
