"""The Fisher kernel: scalar products of scores in the metric of the inverse Fisher information."""

from scipy import linalg

from capacity._validation import as_matrix
from capacity.linalg.precision import rank_tolerance

__all__ = ["fisher_kernel"]


def fisher_kernel(scores, others=None, *, rtol=None):
    """The Fisher kernel G_x^T F^+ G_y of scores, F being the mean of their outer products (Jaakkola and Haussler 1998).

    Parameters
    ----------
    scores : array_like, shape (samples, parameters)
        Gradients of log p by the parameters, see `sample_scores`; F is the empirical Fisher information of these.
    others : array_like, shape (others, parameters), optional
        Scores of further examples x. Default: the samples themselves.
    rtol : float, optional
        Singular values of the scores below this share of the largest count as 0. Default: 1e-10, or the rounding error
        of a type less precise than double.

    Returns
    -------
    ndarray, shape (others, samples)

    Notes
    -----
    For the samples themselves it is their number times a projection, whose trace is the rank of F: the diagonal of the
    kernel divided by the number of samples is the leverage of each.

    Examples
    --------
    >>> fisher_kernel([[1.0, 0.0], [0.0, 2.0], [0.0, 2.0]]).diagonal()
    array([3. , 1.5, 1.5])
    """
    rtol = rank_tolerance(rtol, scores)
    scores = as_matrix(scores, "scores")
    left, values, right = linalg.svd(scores, full_matrices=False)
    kept = values > (1e-10 if rtol is None else rtol) * values.max(initial=0.0)
    left, values, right = left[:, kept], values[kept], right[kept]
    if others is None:
        return len(scores) * (left @ left.T)
    others = as_matrix(others, "others", columns=scores.shape[1], remedy="pass scores by the same parameters")
    return len(scores) * (others @ (right.T / values)) @ left.T
