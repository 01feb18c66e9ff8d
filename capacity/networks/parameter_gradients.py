"""Gradients by the parameters of a layer, sample by sample, their exact second moment, and the Jacobian of a network.

The Fisher information of a layer is the second moment of such gradients; its Kronecker-factored approximation is made
of the second moments of the activities and of the gradients by the weighted sums (Martens and Grosse 2015). Shapes are
those of `capacity.networks.passes`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, check_finite, check_instance, check_integers
from capacity.networks.linear_maps import patches
from capacity.networks.passes import ForwardPass, Layer, backward_pass, forward_pass

__all__ = ["output_gradients", "parameter_jacobian", "sample_gradients", "second_moment"]


def sample_gradients(
    activities: ArrayLike, gradients: ArrayLike, *, taps: tuple[int, ...] = (), bias: bool = False
) -> np.ndarray:
    """Gradient of each sample by the weights of a layer, and by its bias.

    With a normalisation whose statistics are not held fixed, the output of one sample depends on the parameters through
    all samples: its gradient is the sum of the rows that a cotangent of this sample alone gives.

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

    Examples
    --------
    >>> sample_gradients([[5.0, 7.0]], [[2.0]], bias=True)
    array([[10., 14.,  2.]])
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


def second_moment(vectors: np.ndarray) -> np.ndarray:
    """Mean over the samples of v v^T, shape (..., n, n), for vectors (..., samples, n).

    Examples
    --------
    >>> second_moment([[1.0, 0.0], [1.0, 2.0]])
    array([[1., 1.],
           [1., 2.]])
    """
    vectors = as_array(vectors, "vectors", axes=2)
    return check_finite(vectors.swapaxes(-1, -2) @ vectors / vectors.shape[-2], "vectors", "second moments")


def output_gradients(forward: ForwardPass, *, fixed_gains: bool = False) -> tuple[np.ndarray, ...]:
    """Gradients of each output of dense layers without normalisation by the weighted sums of each layer.

    A tuple of arrays (..., samples, outputs, units), from the inputs up; `fixed_gains` as in `backward_pass`.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> output_gradients(forward_pass([Layer([[2.0], [3.0]]), Layer([[1.0, 4.0]])], [[5.0]]))
    (array([[[1., 4.]]]), array([[[1.]]]))
    """
    check_instance(forward, "forward", ForwardPass, "pass forward_pass(layers, inputs)")
    if any(layer.dimensions or layer.batch_norm for layer in forward.layers):
        raise ValueError("layers: expected dense layers without normalisation, got others; leave them out")
    outputs = forward.outputs.shape[-1]
    units = np.eye(outputs).reshape(outputs, *[1] * (forward.outputs.ndim - 1), outputs)
    return tuple(np.moveaxis(by, 0, -2) for by in backward_pass(forward, units, fixed_gains=fixed_gains).sums)


def parameter_jacobian(
    layers: Sequence[Layer] | ForwardPass, inputs: Any = None, *, fixed_gains: bool = False
) -> np.ndarray:
    """Derivatives of all outputs of dense layers by all parameters.

    Parameters
    ----------
    layers : sequence of Layer or ForwardPass
        Dense, without normalisation; of one network or of many. Or the pass of the inputs through them.
    inputs : array_like, shape (..., samples, inputs)
        None with a pass.
    fixed_gains : bool, optional
        Hold the gains eta = f(z)/z fixed: the backward pass takes eta where the true one takes f'.

    Returns
    -------
    ndarray, shape (..., samples * outputs, parameters)
        Output k of sample s is row ``s * outputs + k``; the parameters are in the order of `parameter_vector`.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> parameter_jacobian([Layer([[1.0, 1.0]], [0.0]), Layer([[3.0]])], [[5.0, 7.0]])
    array([[15., 21.,  3., 12.]])
    """
    forward = layers if isinstance(layers, ForwardPass) else forward_pass(layers, inputs)
    gradients = output_gradients(forward, fixed_gains=fixed_gains)
    sizes = [layer.outputs * (layer.inputs + (layer.bias is not None)) for layer in forward.layers]
    ends = np.cumsum([0, *sizes])
    result = np.empty((*gradients[0].shape[:-1], ends[-1]))
    for layer, activities, by, start in zip(forward.layers, forward.activities, gradients, ends):
        stop = start + layer.outputs * layer.inputs
        block = result[..., start:stop].reshape(*by.shape, layer.inputs)  # a view: each product is written once
        np.multiply(by[..., None], activities[..., None, None, :], out=block)
        if layer.bias is not None:
            result[..., stop : stop + layer.outputs] = by
    return result.reshape(*result.shape[:-3], -1, result.shape[-1])
