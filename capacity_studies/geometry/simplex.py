r"""The probability simplex: the Fisher metric, and the embeddings that a metric of probabilities must not notice.

A Markov morphism takes probabilities p of n outcomes to probabilities p Q of m outcomes, Q having rows that sum to 1.
It is a *congruent embedding* where each of the m outcomes comes from one of the n only: an outcome is then split into
finer ones at fixed odds, and no information is lost or gained (Cencov 1982; Campbell 1986).
"""

import numpy as np

__all__ = ["congruent_embedding", "fisher_distance", "simplex_metric"]


def simplex_metric(probabilities, first, second=None, *, exponent=1.0):
    """Scalar product of two changes of probabilities, sum_i u_i v_i / p_i^a: with a = 1 the Fisher metric.

    The changes have sum 0; by default they are the same, for a squared length.

    Examples
    --------
    >>> float(simplex_metric([0.5, 0.5], [0.1, -0.1]))
    0.04
    """
    return np.sum(np.multiply(first, first if second is None else second) * np.power(probabilities, -exponent), axis=-1)


def fisher_distance(first, second):
    """Length of the shortest path between two distributions in the Fisher metric, 2 arccos sum_i sqrt(p_i q_i).

    The map p -> 2 sqrt(p) takes the simplex to a sphere of radius 2, and the Fisher metric to the Euclidean one there.

    Examples
    --------
    >>> float(fisher_distance([1.0, 0.0], [0.0, 1.0]))
    3.14159265
    """
    # twice the arcsine of half the chord: exact for distributions that are close, where the arc cosine is not
    chord = np.linalg.norm(np.sqrt(first) - np.sqrt(second), axis=-1)
    return np.minimum(4 * np.arcsin(np.minimum(chord / 2, 1.0)), np.pi)


def congruent_embedding(parts, *, rng=None):
    """A Markov morphism that splits each outcome into some finer ones at random odds, shape (outcomes, finer outcomes).

    Rows with sum 1, and one number other than 0 in each column: p Q are the finer probabilities.

    Examples
    --------
    >>> (congruent_embedding([1, 2], rng=0) > 0).astype(int)
    array([[1, 0, 0],
           [0, 1, 1]])
    """
    rng, found, start = np.random.default_rng(rng), np.zeros((len(parts), sum(parts))), 0
    for row, count in zip(found, parts):
        row[start : start + count] = rng.dirichlet(np.ones(count))
        start += count
    return found
