"""Training on squared errors by Adam, with all samples in each step: many networks of one architecture at once."""

import numpy as np

from capacity.networks import backward_pass, forward_pass
from capacity_studies.training.stochastic_gradient import TrainingRun, moved

__all__ = ["train_regression"]


def train_regression(layers, inputs, targets, *, steps, learning_rate, snapshots=None):
    """Train dense networks on the mean square of outputs - targets, a sum over the outputs, as a TrainingRun.

    Inputs have shape (samples, inputs), targets (samples, outputs), with another axis in front where each network has
    targets of its own. Snapshots are taken after these steps, by default at the start and at the end.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> run = train_regression([Layer([[0.0]])], [[1.0], [2.0]], [[3.0], [6.0]], steps=500, learning_rate=0.1)
    >>> float(run.layers[0].weights[0, 0].round(3))
    3.0
    """
    inputs, targets = np.asarray(inputs, dtype=float), np.asarray(targets, dtype=float)
    layers, moments, losses, kept = list(layers), {}, [], {}
    order = sorted({0, steps} if snapshots is None else snapshots)
    for step in range(steps + 1):
        if step in order:
            kept[step] = tuple(layers)
        if step == steps:
            break
        forward = forward_pass(layers, inputs)
        errors = forward.outputs - targets
        losses.append(np.square(errors).sum(axis=-1).mean(axis=-1))
        gradients = backward_pass(forward, 2 * errors / len(inputs)).sums
        for k, (layer, below, above) in enumerate(zip(tuple(layers), forward.activities, gradients)):
            layers[k] = moved(layer, below, above, learning_rate, "adam", moments, k, step + 1)
    return TrainingRun(np.array(order), tuple(kept[step] for step in order), np.stack(losses, axis=-1))
