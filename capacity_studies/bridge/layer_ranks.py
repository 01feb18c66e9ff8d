r"""Effective parameters of a network of rectifiers, and of some of its layers.

The rank of the Fisher information is the number of directions in which the parameters change the outputs of the
samples. In a network of rectifiers a hidden unit can hand a positive factor from the weights that lead to it to those
that lead away from it, which changes no output: each hidden unit costs one parameter. Of the layers in a set S,

    rank_S = sum of p_l, l in S  -  sum of h_l, l and l + 1 in S ,

at most, and often where each unit has enough samples on either side of its kink (`smallest_split`), and no two units of
a layer switch together (`smallest_difference`): the factors of hidden layer l matter only if the layers on both its
sides are free. R activation regions that the samples meet leave
outputs (inputs + 1) R at most, which decides where there is one input. Without biases the output is homogeneous in each
layer (Euler: theta_l . df/dtheta_l = f), so that f itself is a direction of each run of consecutive layers in S, and
every run but one costs one more. A softmax does not see what is added to all outputs alike: h_{L-1} numbers of the last
layer, and one of its biases; one output alone has no Fisher information. With one input and no biases a network is
linear on either side of zero, and its rank depends on how many units are on where.

A set of linear layers loses the square h_l^2 instead, that of all invertible mixtures of the units.

Sources: Grigsby, Lindsey, Meyerhoff and Wu (2022) for the rescalings, whose count is an upper bound that some open sets
of parameters do not attain (a unit may be off on all samples); the counts of sets of layers are derived here.
"""

import numpy as np
import scipy

from capacity._validation import as_array, as_list, check_integer, check_integers
from capacity.allocation.constraints import LayerConstraints
from capacity.linalg.precision import rank_tolerance, unit_columns
from capacity.networks.parameter_gradients import parameter_jacobian
from capacity.networks.parameter_vectors import parameter_vector
from capacity.networks.passes import forward_pass

__all__ = ["rectifier_rank", "sample_constraints", "smallest_difference", "smallest_split"]


def rectifier_rank(widths, *, layers=None, bias=True, softmax=False):
    """Largest rank of the Fisher information of a network of rectifiers, by some of its layers.

    Parameters
    ----------
    widths : sequence of int
        Inputs, units of each hidden layer, outputs.
    layers : iterable of int, optional
        Which of the layers 1, ..., L are free, the others being held constant. Default: all.
    bias : bool, optional
        Whether all layers have biases, or none.
    softmax : bool, optional
        Whether outputs are logits of classes, or means of Gaussian variables.

    Returns
    -------
    int

    Examples
    --------
    >>> rectifier_rank((6, 10, 10, 2), bias=False)  # 180 weights, 20 hidden units
    160
    >>> [rectifier_rank((6, 10, 10, 2), layers=[l], bias=False) for l in (1, 2, 3)]
    [60, 100, 20]
    """
    widths = check_integers(widths, "widths")
    if len(widths) < 2:
        raise ValueError(f"widths: expected inputs and outputs at least, got {widths}; pass (inputs, ..., outputs)")
    depth = len(widths) - 1
    if widths[0] == 1 and depth > 1 and not bias:
        raise ValueError(f"widths: expected two inputs at least without biases, got {widths}; add inputs or biases")
    free = range(1, depth + 1) if layers is None else as_list(layers, "layers", "pass the numbers of the free layers")
    free = sorted({check_integer(l, "layers", minimum=1, maximum=depth) for l in free})
    if softmax and widths[-1] == 1:
        return 0
    rank = sum((widths[l - 1] + bool(bias)) * widths[l] for l in free)
    pairs = [l for l in free if l + 1 in free]
    rank -= sum(widths[l] for l in pairs)
    if not bias:
        rank -= len(free) - len(pairs) - 1  # runs of consecutive layers, but one
    if softmax and depth in free:
        rank -= widths[-2] + bool(bias)
    return rank


def sample_constraints(layers, inputs, *, softmax=False, rtol=None):
    """Derivatives of the outputs of all samples by the parameters of each layer, as constraints on the samples.

    Parameters
    ----------
    layers : sequence of Layer
        Of one dense network, without normalisation.
    inputs : array_like, shape (samples, inputs)
    softmax : bool, optional
        Whether outputs are logits: rows are then multiplied by a root of diag(p) - p p^T, the Fisher information of the
        classes' probabilities p.
    rtol : float, optional
        Relative tolerance of the ranks. Default: 1e-9, or the rounding error of inputs less precise than double.

    Returns
    -------
    LayerConstraints
        By the names "layer 1", "layer 2", ...; its spaces have the Fisher information's rank as their total capacity,
        and the leverage of a sample as that of its outputs. Columns have norm 1, or 0 where an output does not depend
        on a parameter, so that the tolerance means the same for all layers.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> found = sample_constraints([Layer([[1.0, 0.0]]), Layer([[2.0]])], [[1.0, 2.0], [3.0, -1.0]])
    >>> found.space().total, found.space(["layer 2"]).spatial()
    (2, array([0.1, 0.9]))
    """
    rtol = rank_tolerance(rtol, inputs)
    inputs = as_array(inputs, "inputs", axes=2, remedy="pass (samples, inputs)")
    jacobian = parameter_jacobian(layers, inputs)
    if jacobian.ndim != 2:
        raise ValueError(
            f"layers: expected one network and samples as rows, got a Jacobian of shape {jacobian.shape}; take one"
        )
    if softmax:
        p = scipy.special.softmax(forward_pass(layers, inputs).outputs, axis=-1)
        by_sample = jacobian.reshape(*p.shape, -1)
        centred = by_sample - np.einsum("sk,skp->sp", p, by_sample)[:, None]
        jacobian = (np.sqrt(p)[..., None] * centred).reshape(jacobian.shape)
    ends = np.cumsum([parameter_vector([layer]).size for layer in layers])
    blocks = np.split(unit_columns(jacobian), ends[:-1], axis=1)
    return LayerConstraints(
        len(jacobian), {f"layer {l}": block for l, block in enumerate(blocks, 1)}, 1e-9 if rtol is None else rtol
    )


def smallest_split(layers, inputs):
    """The smallest share of the samples that a hidden unit has on one side of its kink at zero.

    Parameters
    ----------
    layers : sequence of Layer
        Of one dense network, whose activations have their kinks at zero, or of many.
    inputs : array_like, shape (..., samples, inputs)

    Returns
    -------
    float
        0 where some unit is on, or off, for all samples, and so is linear on them; 1/2 at most.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> smallest_split([Layer([[1.0], [2.0]], [0.0, -2.5]), Layer([[1.0, 1.0]])], [[-1.0], [1.0], [2.0], [3.0]])
    0.25
    """
    return float(
        min(np.minimum(share, 1 - share).min() for share in (on.mean(axis=-2) for on in _sides(layers, inputs)))
    )


def smallest_difference(layers, inputs):
    """The smallest share of the samples that tells two hidden units of one layer apart.

    Two units that are on, and off, for the same samples switch together; so do two of which one is off where the other
    is on. Either is a matter of how many samples are an exception.

    Parameters
    ----------
    layers : sequence of Layer
        Of one dense network, whose activations have their kinks at zero, or of many.
    inputs : array_like, shape (..., samples, inputs)

    Returns
    -------
    float
        0 where two units of a layer switch together on all samples; 1/2 at most, as in a network without such pairs.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> two = [Layer([[1.0], [2.0]], [0.0, -2.5]), Layer([[1.0, 1.0]])]
    >>> smallest_difference(two, [[-1.0], [1.0], [2.0], [3.0]])
    0.25
    """
    smallest = 0.5
    for on in _sides(layers, inputs):
        first, second = np.triu_indices(on.shape[-1], 1)
        apart = (on[..., first] != on[..., second]).mean(axis=-2)
        smallest = min(smallest, np.minimum(apart, 1 - apart).min(initial=0.5))
    return float(smallest)


def _sides(layers, inputs):
    """Which hidden units are on, above their kink at zero, for each sample; layer after layer."""
    layers = as_list(layers, "layers", "pass the layers from the inputs up")
    if len(layers) < 2:
        raise ValueError(f"layers: expected a hidden layer and a readout at least, got {len(layers)}; pass both")
    return [forward_pass(layers[:end], inputs).outputs > 0 for end in range(1, len(layers))]
