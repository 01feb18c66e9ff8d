r"""The four norm-based measures of capacity of Neyshabur et al. (2017), with margins, for many networks at once.

A path goes from an input through one unit of each layer to an output. Sums over paths of products of weights along them
are products of matrices: 1^T |W_L| ... |W_1| 1 is the sum over all paths of the products of absolute weights.
"""

from dataclasses import dataclass, fields

import numpy as np
import scipy  # its `stats` takes half a second, when it is first used

from capacity_studies.training.classification import as_labels

__all__ = ["NormMeasures", "classification_margins", "norm_measures", "rank_correlation"]


@dataclass(frozen=True)
class NormMeasures:
    """Four measures of one network, or of many, divided by the squared margin."""

    l2: np.ndarray  # the product over the layers of 4 |W_i|_F^2
    l1_path: np.ndarray  # the square of the sum over all paths of the product of the |2 W_i| along them
    l2_path: np.ndarray  # the sum over all paths of the product of the 4 h_i W_i^2, with h_i outputs of layer i
    spectral: np.ndarray  # the product over the layers of h_i |W_i|_2^2, with the largest singular value

    def by_name(self):
        """The measures as a dictionary, in the order of the slides."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def norm_measures(layers, margin=1.0):
    """Norm-based measures of a network's capacity (Neyshabur et al. 2017, Section 2.1).

    Layers are dense and without biases, for which the measures are defined; the margin gamma of each network is above
    0. None of the measures changes if all weights of a layer are multiplied by a number, since this multiplies the
    margin too. The path measures do not change either if the weights into a hidden unit are multiplied by c > 0, and
    those out of it divided by c, which leaves a network of rectifiers the same function.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> found = norm_measures([Layer(np.ones((2, 2))), Layer(np.ones((1, 2)))])
    >>> [round(float(value)) for value in found.by_name().values()]
    [128, 256, 128, 16]
    """
    weights, margin = [layer.weights for layer in layers], np.asarray(margin)
    l2 = spectral = 1.0
    sums, squares = (np.ones((*weights[0].shape[:-2], weights[0].shape[-1], 1)) for _ in range(2))
    for w in weights:
        l2 = l2 * 4 * np.square(w).sum(axis=(-2, -1))
        spectral = spectral * w.shape[-2] * np.square(np.linalg.norm(w, ord=2, axis=(-2, -1)))
        sums = np.abs(2 * w) @ sums
        squares = (4 * w.shape[-2] * w**2) @ squares
    l1_path, l2_path = sums.sum(axis=(-2, -1)) ** 2, squares.sum(axis=(-2, -1))
    return NormMeasures(*(value / margin**2 for value in (l2, l1_path, l2_path, spectral)))


def classification_margins(outputs, labels, *, share=0.05):
    """Margin of a classifier: a low quantile of the amount by which the right output exceeds all others.

    Outputs have shape (..., samples, classes). `share` is that of the samples whose margin may be smaller, by default
    the fifth percentile, as Neyshabur et al. (2017) take it; 0 gives the smallest margin, that of a support vector
    machine.

    Examples
    --------
    >>> classification_margins([[3.0, 1.0, 0.0], [0.0, 1.0, 2.5]], [0, 2], share=0)
    array(1.5)
    """
    outputs = np.asarray(outputs)
    labels = as_labels(labels, outputs.shape[:-1], outputs.shape[-1])
    own = np.take_along_axis(outputs, labels[..., None], axis=-1)[..., 0]
    others = outputs.copy()
    np.put_along_axis(others, labels[..., None], -np.inf, axis=-1)
    return np.asarray(np.quantile(own - others.max(axis=-1), share, axis=-1))


def rank_correlation(first, second, *, level=0.95):
    """Spearman's rank correlation of two series of at least five pairs, and its confidence interval.

    By Fisher's transformation with the variance (1 + correlation^2/2)/(n - 3) of Bonett and Wright (2000). It takes the
    pairs as independent.

    Examples
    --------
    >>> correlation, interval = rank_correlation([1, 2, 3, 4, 5, 6], [1, 2, 3, 5, 4, 6])
    >>> round(correlation, 3), interval.round(2)
    (0.943, array([0.38, 1.  ]))
    """
    correlation = float(scipy.stats.spearmanr(first, second).statistic)
    bounded = np.clip(correlation, -1 + 1e-12, 1 - 1e-12)
    error = np.sqrt((1 + bounded**2 / 2) / (len(first) - 3))
    return correlation, np.tanh(np.arctanh(bounded) + scipy.stats.norm.ppf([(1 - level) / 2, (1 + level) / 2]) * error)
