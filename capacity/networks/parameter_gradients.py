"""Gradients by the parameters of a layer, sample by sample, and their exact second moment.

The Fisher information of a layer is the second moment of such gradients; its Kronecker-factored approximation is made
of the second moments of the activities and of the gradients by the weighted sums (Martens and Grosse 2015). Shapes are
those of `capacity.networks.passes`.
"""

import numpy as np

from capacity._validation import as_array, check_finite, check_integers
from capacity.networks.linear_maps import patches

__all__ = ["sample_gradients", "second_moment"]


def sample_gradients(activities, gradients, *, taps=(), bias=False):
    """Gradient of each sample by the weights of a layer, and by its bias.

    Parameters
    ----------
    activities : array_like, shape (..., samples, inputs, *positions)
        What the weights are applied to, from a `ForwardPass`.
    gradients : array_like, shape (..., samples, outputs, *positions)
        By the weighted sums of the layer, from a `BackwardPass`. May have more axes in front.
    taps : tuple of int, optional
        Taps of a convolution along each of its axes. Default: a dense layer.
    bias : bool, optional
        Append the gradient by the bias.

    Returns
    -------
    ndarray, shape (..., samples, parameters)
        The weights in C order, outputs first, then the bias.

    Raises
    ------
    TypeError, ValueError
        If the arrays do not fit each other or hold numbers that are not finite, or `taps` are not positive integers.

    Notes
    -----
    With a normalisation whose statistics are not held fixed, the output of one sample depends on the parameters through
    all samples: its gradient is the sum of the rows that a cotangent of this sample alone gives.
    """
    taps = check_integers(taps, "taps")
    activities = as_array(activities, "activities", axes=2 + len(taps))
    gradients = as_array(gradients, "gradients", axes=2 + len(taps))
    ends = [(array.shape[-2 - len(taps)], *array.shape[array.ndim - len(taps) :]) for array in (activities, gradients)]
    if ends[0] != ends[1]:
        raise ValueError(
            f"gradients: expected as many samples and positions as the activities have, {ends[0]}, got {ends[1]}; take "
            "both from passes through one network"
        )
    if taps:
        gradients = gradients.reshape(*gradients.shape[: -len(taps)], -1)
        by_weights = gradients @ patches(activities, taps).swapaxes(-1, -2)
        gradients = gradients.sum(axis=-1)
    else:
        by_weights = gradients[..., None] * activities[..., None, :]
    by_weights = by_weights.reshape(*by_weights.shape[:-2], -1)
    return np.concatenate([by_weights, gradients], axis=-1) if bias else by_weights


def second_moment(vectors):
    """Mean over the samples of v v^T.

    Parameters
    ----------
    vectors : array_like, shape (..., samples, n)
        Gradients of `sample_gradients`, or activities and gradients of a dense layer.

    Returns
    -------
    ndarray, shape (..., n, n)

    Raises
    ------
    ValueError
        If there are fewer than two axes, or a number is not finite.
    """
    vectors = as_array(vectors, "vectors", axes=2)
    return check_finite(vectors.swapaxes(-1, -2) @ vectors / vectors.shape[-2], "vectors", "second moments")
