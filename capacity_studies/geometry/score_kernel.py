"""The Fisher kernel: scalar products of scores in the metric of the inverse Fisher information."""

import numpy as np
from scipy import linalg

from capacity.linalg.precision import rounding_tolerance

__all__ = ["fisher_kernel"]


def fisher_kernel(scores, *, rtol=None):
    """The Fisher kernel G^T F^+ G of scores, F being the mean of their outer products (Jaakkola and Haussler 1998).

    `scores`, shape (samples, parameters), are gradients of log p by the parameters, see `sample_scores`, with F as
    their empirical Fisher information. Singular values of the scores below `rtol` times the largest count as 0.

    It is the number of samples times a projection, whose trace is the rank of F: the diagonal of the
    kernel divided by the number of samples is the leverage of each.

    Examples
    --------
    >>> fisher_kernel([[1.0, 0.0], [0.0, 2.0], [0.0, 2.0]]).diagonal()
    array([3. , 1.5, 1.5])
    """
    if rtol is None:
        rtol = rounding_tolerance(scores) or 1e-10
    left, values, _ = linalg.svd(np.asarray(scores, dtype=float), full_matrices=False)
    left = left[:, values > rtol * values.max(initial=0.0)]
    return len(scores) * (left @ left.T)
