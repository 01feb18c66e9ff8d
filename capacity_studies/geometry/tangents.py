r"""The tangent kernel of a dense network: scalar products of the derivatives of its outputs by its parameters.

The derivative of an output by the weights of a layer is an outer product of the gradient d by the weighted sums and
the activities a (`sample_gradients`); the scalar product of two such is (d . d') (a . a'). No object of the size of the
parameters is needed.
"""

import numpy as np

from capacity._validation import as_array, check_size
from capacity.networks.parameter_gradients import output_gradients
from capacity.networks.passes import ForwardPass, forward_pass

__all__ = ["pass_of_samples", "tangent_kernel"]


def pass_of_samples(layers, inputs):
    """The forward pass of inputs of shape (samples, inputs), unless it stands in the place of the layers."""
    if isinstance(layers, ForwardPass):
        return layers
    return forward_pass(layers, as_array(inputs, "inputs", axes=2, remedy="pass (samples, inputs)"))


def tangent_kernel(layers, inputs=None, *, by_layer=False):
    """Scalar products J J^T of the derivatives of the outputs by the parameters, from sample to sample.

    Parameters
    ----------
    layers : sequence of Layer or ForwardPass
        Of one dense network, without normalisation; or the pass of the inputs through it.
    inputs : array_like, shape (samples, inputs)
        None with a pass.
    by_layer : bool, optional
        One kernel for the parameters of each layer. They sum to that of the network.

    Returns
    -------
    ndarray, shape (samples * outputs, samples * outputs), or (layers, ...) of these
        Output k of sample s is row ``s * outputs + k``, as in `parameter_jacobian`.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> tangent_kernel([Layer([[1.0, 1.0]])], [[1.0, 2.0], [0.0, 3.0]])  # the inputs' own
    array([[5., 6.],
           [6., 9.]])
    """
    forward = pass_of_samples(layers, inputs)
    if forward.outputs.ndim != 2:
        raise ValueError(
            f"layers: expected one network and samples as rows, got outputs of shape {forward.outputs.shape}; take one"
        )
    samples, outputs = forward.outputs.shape
    check_size(
        (len(forward.layers) if by_layer else 1) * (samples * outputs) ** 2,
        "inputs",
        "products",
        maximum=2**29,
        remedy="pass fewer samples",
    )
    kernels = (
        np.einsum("sku,tju->sktj", by, by, optimize=True)
        * (below @ below.T + (layer.bias is not None))[:, None, :, None]
        for layer, below, by in zip(forward.layers, forward.activities, output_gradients(forward))
    )
    shape = samples * outputs, samples * outputs
    if by_layer:
        return np.stack([kernel.reshape(shape) for kernel in kernels])
    return sum(kernels).reshape(shape)
