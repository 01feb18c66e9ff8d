"""Training of classifiers by stochastic gradient descent, or by Adam, with some of their layers frozen.

Many networks of one architecture are trained at once, each on minibatches of its own. The weights of a layer have the
gradient D^T A of the mean loss, D being the gradients by the weighted sums, one row per sample, and A the activities;
in a convolution there is one row per sample and position, and A holds what the kernel sees there. A convolutional
network has the mean of its outputs over the positions as its output for a class.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from capacity._validation import as_array, as_generator, check_choice, check_integer, check_integers, check_real
from capacity.networks.parameter_gradients import sample_gradients
from capacity.networks.passes import Layer, backward_pass, forward_pass
from capacity_studies.training.classification import as_labels, cross_entropy, mean_over_positions

__all__ = ["TrainingRun", "moved", "train_classifier"]

_DECAYS, _FLOOR = (0.9, 0.999), 1e-8  # of Kingma and Ba (2015), Algorithm 1


@dataclass(frozen=True)
class TrainingRun:
    """What became of one or many networks during training.

    Attributes
    ----------
    steps : ndarray of int, shape (snapshots,)
        After how many steps each snapshot was taken, in increasing order; 0 is the start.
    snapshots : tuple of tuple of Layer
        The layers then.
    losses : ndarray, shape (..., steps)
        Mean loss on the minibatch of each step that was made, before the step.
    """

    steps: np.ndarray
    snapshots: tuple[tuple[Layer, ...], ...]
    losses: np.ndarray

    @property
    def layers(self):
        """The layers at the last snapshot."""
        return self.snapshots[-1]


def train_classifier(
    layers,
    inputs,
    labels,
    *,
    steps,
    learning_rate,
    method="sgd",
    batch=64,
    trained=None,
    snapshots=None,
    enough=None,
    rng=None,
):
    """Train dense or convolutional networks on the softmax cross-entropy of their outputs.

    Parameters
    ----------
    layers : sequence of Layer
        Without normalisation; of one network or of many, with weights of shape (networks, outputs, inputs, *taps). The
        outputs of convolutions are averaged over the positions.
    inputs : array_like, shape (samples, inputs, *positions)
    labels : array_like of int, shape (samples,), or (networks, samples)
        Classes, from 0 to the number of outputs - 1.
    steps : int
        How many steps.
    learning_rate : float
        Length of a step, in units of the gradient with 'sgd'; with 'adam' about that of the change of each weight.
    method : {'sgd', 'adam'}, optional
    batch : int, optional
        Samples of a step. They are taken in a random order, which is drawn anew when all have been taken; each network
        has its own.
    trained : sequence of int, optional
        Which layers learn, their weights and their biases, counted from 1 at the inputs. Default: all. The others stay
        as they are.
    snapshots : sequence of int, optional
        After how many steps to keep the layers. Default: the start and the end.
    enough : callable, optional
        Given the layers of a snapshot: whether the training ends there. `rng` is left as if it had gone on.
    rng : int or numpy.random.Generator, optional
        Of the order of the samples.

    Returns
    -------
    TrainingRun

    Raises
    ------
    ValueError
        If the training diverges.

    Notes
    -----
    Adam is that of Kingma and Ba (2015) with their constants, 0.9, 0.999 and 1e-8. Frozen layers below the first that
    learns are computed once, and the backward pass ends at that layer.

    Examples
    --------
    >>> from capacity_studies.training import classification_accuracy
    >>> points = np.random.default_rng(0).standard_normal((200, 2))
    >>> run = train_classifier([Layer(np.zeros((2, 2)))], points, points[:, 0] > 0, steps=100, learning_rate=1.0, rng=0)
    >>> float(classification_accuracy(run.layers, points, points[:, 0] > 0)) > 0.97
    True
    """
    inputs = as_array(inputs, "inputs", axes=2, remedy="pass (samples, inputs)")
    if isinstance(layers, Sequence) and any(isinstance(layer, Layer) and layer.batch_norm for layer in layers):
        raise ValueError("layers: expected layers without normalisation, got one with it; leave out batch_norm")
    outputs = forward_pass(layers, inputs[:1]).outputs  # whether they fit each other
    dimensions = layers[0].dimensions
    if inputs.ndim > 2 + dimensions:
        wanted = "(samples, inputs" + ", positions" * dimensions + ")"
        raise ValueError(f"inputs: expected shape {wanted}, got {inputs.shape}; pass one set for all networks")
    networks, samples = outputs.shape[: -2 - dimensions], len(inputs)
    labels = as_labels(labels, (*networks, samples), outputs.shape[-1 - dimensions])
    steps = check_integer(steps, "steps", minimum=1)
    rate = check_real(learning_rate, "learning_rate", above=0)
    check_choice(method, "method", ("sgd", "adam"))
    batch = check_integer(batch, "batch", minimum=1, maximum=samples, remedy="pass at most all samples")
    learns = _as_levels(trained, len(layers))
    wanted = {0, steps} if snapshots is None else set(check_integers(snapshots, "snapshots", minimum=0))
    if not wanted or max(wanted) > steps:
        raise ValueError(f"snapshots: expected numbers from 0 to {steps}, got {sorted(wanted)}; train for more steps")
    below, above = list(layers[: learns[0]]), list(layers[learns[0] :])
    if below:
        inputs = forward_pass(below, inputs).outputs
    rows, axes = _batches(as_generator(rng), networks, samples), (..., *[None] * (1 + dimensions))
    own = inputs.ndim > 2 + dimensions  # of each network, by frozen layers below that differ
    inputs = np.broadcast_to(inputs, (*networks, *inputs.shape[-2 - dimensions :])) if own else inputs
    moments, losses, kept, ended = {}, [], {}, False
    for step in range(steps + 1):
        if step in wanted and not ended:
            kept[step] = (*below, *above)
            ended = enough is not None and enough(kept[step])
        if step == steps:
            break
        now = rows(batch)
        if ended:
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                drawn = np.take_along_axis(inputs, now[axes], axis=-2 - dimensions) if own else inputs[now]
                forward = forward_pass(above, drawn)
                scores = mean_over_positions(forward.outputs, dimensions)
                loss, cotangents = cross_entropy(scores, np.take_along_axis(labels, now, axis=-1))
                positions = int(np.prod(forward.outputs.shape[forward.outputs.ndim - dimensions :]))
                shared = cotangents[(..., *[None] * dimensions)] / positions
                gradients = _by_sums(forward, shared)
                for level in learns:
                    k = level - learns[0]
                    above[k] = moved(above[k], forward.activities[k], gradients[k], rate, method, moments, k, step + 1)
            except ValueError as error:
                raise ValueError(
                    f"learning_rate: expected one at which the training converges, got {rate:g}, at which numbers "
                    f"overflow in step {step + 1}; pass a smaller one"
                ) from error
        losses.append(loss)
    order = sorted(kept)
    losses = np.stack(losses, axis=-1) if losses else np.empty((*networks, 0))
    return TrainingRun(np.array(order), tuple(kept[step] for step in order), losses)


def _as_levels(trained, depth):
    if trained is None:
        return list(range(depth))
    numbers = sorted(set(check_integers(trained, "trained", minimum=1)))
    if not numbers or numbers[-1] > depth:
        raise ValueError(f"trained: expected layers from 1 to {depth}, got {list(trained)}; count them from 1")
    return [number - 1 for number in numbers]


def _batches(rng, networks, samples):
    """A function that gives the next samples of each network, in passes through all of them in random order."""
    left = np.empty((*networks, 0), dtype=int)

    def take(batch):
        nonlocal left
        if left.shape[-1] < batch:
            order = np.broadcast_to(np.arange(samples), (*networks, samples))
            left = np.concatenate([left, rng.permuted(order, axis=-1)], axis=-1)
        now, left = left[..., :batch], left[..., batch:]
        return now

    return take


def _by_sums(forward, cotangents):
    """Gradients by the weighted sums of each layer, without those by the inputs, which nothing needs."""
    first, *others = forward.layers
    if not others:
        return backward_pass(forward, cotangents).sums
    above = backward_pass(forward.part(1, len(forward.layers)), cotangents)
    return (above.inputs if first.residual is None else first.residual * above.inputs, *above.sums)


def moved(layer, activities, gradients, rate, method, moments, number, step):
    """The layer after a step along the negative gradient of its weights and of its bias."""
    if layer.dimensions:
        by_weights = sample_gradients(activities, gradients, taps=layer.taps).sum(axis=-2)
        by_weights = by_weights.reshape(*by_weights.shape[:-1], *layer.weights.shape[-2 - layer.dimensions :])
        gradients = gradients.sum(axis=tuple(range(-layer.dimensions, 0)))
    else:
        by_weights = gradients.swapaxes(-1, -2) @ activities
    found = {"weights": _summed(by_weights, layer.weights.shape)}
    if layer.bias is not None:
        found["bias"] = _summed(gradients.sum(axis=-2), layer.bias.shape)
    changed = {}
    for name, gradient in found.items():
        if method == "adam":
            gradient = _by_moments(gradient, moments.setdefault((number, name), np.zeros((2, *gradient.shape))), step)
        changed[name] = getattr(layer, name) - rate * gradient
    return replace(layer, **changed)


def _by_moments(gradient, moments, step):
    """The direction of Adam, mean/(sqrt(square) + floor) without bias; moments are changed in place, to save memory."""
    np.multiply(moments, np.reshape(_DECAYS, (2, *[1] * gradient.ndim)), out=moments)
    for moment, power, decay in zip(moments, (gradient, np.square(gradient)), _DECAYS):
        moment += (1 - decay) * power
    found, size = (moment / (1 - decay**step) for moment, decay in zip(moments, _DECAYS))
    np.sqrt(size, out=size)
    size += _FLOOR
    found /= size
    return found


def _summed(gradient, shape):
    """A gradient that many networks have by weights that they share, summed over these networks."""
    more = gradient.ndim - len(shape)
    return gradient.sum(axis=tuple(range(more))) if more else gradient
