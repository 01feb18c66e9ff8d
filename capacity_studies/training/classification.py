"""Classification by the largest output: the softmax cross-entropy with its gradient, and the accuracy."""

import numpy as np

from capacity._validation import as_array
from capacity.networks.passes import forward_pass
from capacity_studies.geometry.fisher import as_labels

__all__ = ["classification_accuracy", "cross_entropy", "mean_over_positions"]


def cross_entropy(outputs, labels):
    """Mean over the samples of -log p(label), p being the softmax of the outputs, and its gradient.

    Parameters
    ----------
    outputs : array_like, shape (..., samples, classes)
        Unnormalised log-probabilities, one row for each sample.
    labels : array_like of int, shape (samples,) or (..., samples)
        From 0 to classes - 1.

    Returns
    -------
    loss : ndarray, shape (...)
        In nats. Uniform outputs have log(classes).
    gradient : ndarray, shape of `outputs`
        Of the loss by the outputs.

    Examples
    --------
    >>> loss, gradient = cross_entropy([[0.0, np.log(3.0)]], [0])
    >>> float(np.exp(-loss)), gradient
    (0.25, array([[-0.75,  0.75]]))
    """
    outputs = as_array(outputs, "outputs", axes=2, remedy="pass (..., samples, classes)")
    labels = as_labels(labels, outputs.shape[:-1], outputs.shape[-1])
    shifted = outputs - outputs.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=-1, keepdims=True)
    own = labels[..., None] == np.arange(outputs.shape[-1])
    losses = np.log(sums)[..., 0] - shifted[own].reshape(labels.shape)
    return losses.mean(axis=-1), (exponentials / sums - own) / outputs.shape[-2]


def classification_accuracy(layers, inputs, labels):
    """Share of the samples whose largest output is that of their label.

    Parameters
    ----------
    layers : sequence of Layer
        Of one network or of many. The outputs of convolutions are averaged over the positions.
    inputs : array_like, shape (samples, inputs, *positions)
    labels : array_like of int, shape (samples,) or (..., samples)
        From 0 to the number of outputs - 1.

    Returns
    -------
    ndarray, shape (...)
        One for each network. Of equal outputs the first counts as the largest.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> float(classification_accuracy([Layer(np.eye(2))], [[1.0, 0.0], [0.0, 1.0], [3.0, 2.0]], [0, 1, 1]).round(3))
    0.667
    """
    outputs = mean_over_positions(forward_pass(layers, inputs).outputs, layers[0].dimensions)
    labels = as_labels(labels, outputs.shape[:-1], outputs.shape[-1])
    return np.mean(outputs.argmax(axis=-1) == labels, axis=-1)


def mean_over_positions(outputs, dimensions):
    """Outputs of each sample, averaged over its positions.

    Parameters
    ----------
    outputs : ndarray, shape (..., samples, classes, *positions)
    dimensions : int
        Number of spatial axes.

    Returns
    -------
    ndarray, shape (..., samples, classes)
    """
    return outputs.mean(axis=tuple(range(-dimensions, 0))) if dimensions else outputs
