"""What capacity is worth on data that no fit has seen: inputs that are masked, architectures that are chosen by it.

The questions, the data and what counts as an answer were written down before any result was known, in
`ledger/protocol-usefulness.md`.
"""

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product

import numpy as np
from scipy import linalg

from capacity._validation import as_array, as_generator, as_vector
from capacity.activations.piecewise_linear import relu
from capacity.allocation.constraints import model_constraints
from capacity.depth.propagation import stack_capacity
from capacity.fitting.least_squares import fit
from capacity.models.convolutions import DilatedConvolution
from capacity.networks.passes import backward_pass, forward_pass
from capacity_studies.expressivity.random_dense import he_layers, one_network
from capacity_studies.training.classification import cross_entropy
from capacity_studies.training.stochastic_gradient import train_classifier

__all__ = [
    "ArchitectureChoice",
    "ImageMasking",
    "RowMasking",
    "choose_architecture",
    "even_channels",
    "fitted_losses",
    "image_masking",
    "initial_capacities",
    "lag_demand",
    "least",
    "masking_losses",
    "random_architectures",
    "refitted",
    "row_masking",
    "unmet_demand",
    "verdict",
]


_TOLERANCE = 1e-3  # of fits, whose square is the share of the loss that a further step would remove


def least(scores, count):
    """Which inputs have the `count` least scores; of equal ones the first.

    Parameters
    ----------
    scores : array_like, shape (n,)
    count : int
        From 0 to n.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> least([3.0, 1.0, 2.0, 1.0], 3)
    array([False,  True,  True,  True])
    """
    scores = as_vector(scores, "scores")
    chosen = np.zeros(scores.size, dtype=bool)
    chosen[np.argsort(scores, kind="stable")[:count]] = True
    return chosen


def masking_losses(loss, scores, counts, *, draws, rng):
    """Logarithm of a loss with the inputs masked that some scores put last, and with inputs drawn at random.

    Parameters
    ----------
    loss : callable
        Takes a mask, True where an input is hidden, shape (n,), and returns a positive loss.
    scores : dict of str to array_like, shape (n,)
        For each criterion one number per input; the least are masked first.
    counts : sequence of int
        How many inputs are masked.
    draws : int
        Random masks of each size.
    rng : int or numpy.random.Generator
        Of these.

    Returns
    -------
    dict of str to ndarray, shape (counts,)
        For each criterion, and for 'random' the mean of the logarithms over the draws.

    Examples
    --------
    >>> found = masking_losses(lambda mask: np.exp(mask @ [1, 2]), {"size": [1, 2]}, [1], draws=900, rng=0)
    >>> float(found["size"][0]), abs(float(found["random"][0]) - 1.5) < 0.05
    (1.0, True)
    """
    masks = _masks(scores, counts, draws, rng)
    losses = {name: [[loss(mask) for mask in chosen] for chosen in by_count] for name, by_count in masks.items()}
    return {name: np.array([np.mean(np.log(chosen)) for chosen in by_count]) for name, by_count in losses.items()}


def _masks(scores, counts, draws, rng):
    """For each criterion one mask of each size, and for 'random' as many as draws."""
    rng = as_generator(rng)
    masks = {name: [[least(values, count)] for count in counts] for name, values in scores.items()}
    n = len(next(iter(scores.values())))
    return masks | {"random": [[least(rng.random(n), count) for _ in range(draws)] for count in counts]}


def refitted(task, kept):
    """Coefficients of the least-squares predictions of a task from some of its inputs; the others have 0.

    Parameters
    ----------
    task : PredictionTask
        With one component.
    kept : array_like of bool, shape (..., n)

    Returns
    -------
    ndarray, shape (..., n)

    Examples
    --------
    >>> from capacity.tasks import GaussianProcess
    >>> refitted(GaussianProcess(), [True, False]).round(3)
    array([0.577, 0.   ])
    """
    kept = np.asarray(kept, dtype=bool)
    covariance = task.covariance(kept.shape[-1])
    cross = covariance @ task.optimal_coefficients(kept.shape[-1])
    coefficients = np.zeros(kept.shape)
    for index in np.ndindex(kept.shape[:-1]):
        some = kept[index]
        coefficients[(*index, some)] = linalg.solve(covariance[np.ix_(some, some)], cross[some], assume_a="pos")
    return coefficients


@dataclass(frozen=True)
class RowMasking:
    """What masking inputs does to a fitted linear model.

    Attributes
    ----------
    coefficients : ndarray, shape (n,)
        Of the fit.
    scores : dict of str to ndarray, shape (n,)
        By which inputs were masked: 'capacity', 'gradient' (the squared coefficient times the variance of the input),
        'recency' (the oldest are masked first).
    losses, refitted : dict of str to ndarray, shape (counts,)
        Logarithm of the held-out loss for each of them and for 'random', with the coefficients of the fit, and with
        those of least squares on the inputs that are kept.
    """

    coefficients: np.ndarray
    scores: dict[str, np.ndarray]
    losses: dict[str, np.ndarray]
    refitted: dict[str, np.ndarray]


def row_masking(task, model, *, shares, draws, restarts, iterations, rng):
    """Fit a model to rows, and mask the inputs that received least.

    Parameters
    ----------
    task : RowPrediction
    model : LinearModel
        With as many inputs as the task.
    shares : sequence of float
        Of the inputs that are masked.
    draws : int
        Random masks of each size.
    restarts, iterations : int
        As in `fitted_losses`.
    rng : int or numpy.random.Generator
        Of starts and masks.

    Returns
    -------
    RowMasking
    """
    rng, n = as_generator(rng), model.n_inputs
    counts = [round(share * n) for share in shares]
    found = fit(model, task, restarts=restarts, max_iterations=iterations, tolerance=_TOLERANCE, rng=rng)
    covariance, kept = task.covariance(n), found.coefficients
    scores = {
        "capacity": model_constraints(model, found.parameters, covariance).spatial(),
        "gradient": kept**2 * np.diag(covariance),
        "recency": np.arange(n, dtype=float),
    }
    by_mask = (
        lambda mask: task.held_out_loss(np.where(mask, 0.0, kept)),
        lambda mask: task.held_out_loss(refitted(task, ~mask)),
    )
    losses, again = (masking_losses(loss, scores, counts, draws=draws, rng=rng) for loss in by_mask)
    return RowMasking(kept, scores, losses, again)


def lag_demand(task, n):
    """By how much the error of the best linear prediction falls when each lag is added to the more recent ones.

    Parameters
    ----------
    task : PredictionTask
        With one component.
    n : int
        Number of inputs.

    Returns
    -------
    ndarray, shape (n,)
        The oldest input first; together the variance that n inputs explain, in the unit of the task.

    Examples
    --------
    An autoregression of two lags asks nothing of the third:

    >>> from capacity.tasks import GaussianProcess, autoregressive
    >>> lag_demand(GaussianProcess(autoregressive([0.6, -0.5])), 3).round(3)
    array([0.  , 0.21, 0.16])
    """
    covariance = task.covariance(n)
    cross = covariance @ task.optimal_coefficients(n)
    root = np.linalg.cholesky(covariance[::-1, ::-1])
    return np.square(linalg.solve_triangular(root, cross[::-1], lower=True))[::-1]


def random_architectures(count, *, parameters, fields, rng):
    """Different stacks of dilated convolutions, drawn at random, all with the same number of parameters.

    Two to five layers of two to four taps each, dilations from 1, 2, 3, 4, 6, 8, 12 and 16 in any order, hidden layers
    of one to four channels, all uniformly; what does not have the parameters or the receptive field is drawn anew.

    Parameters
    ----------
    count : int
        How many.
    parameters : int
        Of each.
    fields : tuple of int
        Smallest and largest receptive field.
    rng : int or numpy.random.Generator

    Returns
    -------
    list of DilatedConvolution

    Raises
    ------
    ValueError
        If so many were not found in 20 000 draws.

    Examples
    --------
    >>> models = random_architectures(3, parameters=32, fields=(8, 32), rng=0)
    >>> [model.n_parameters for model in models]
    [32, 32, 32]
    """
    rng, (low, high) = as_generator(rng), fields
    found = {}  # in the order of the draws, each once
    for _ in range(20_000):
        depth = rng.integers(2, 6)
        dilations = rng.choice([1, 2, 3, 4, 6, 8, 12, 16], depth)
        taps, channels = rng.integers(2, 5, depth), rng.integers(1, 5, depth - 1)
        widths = [1, *channels, 1]
        fits = sum(k * a * b for k, (a, b) in zip(taps, pairwise(widths))) == parameters
        if fits and low <= 1 + (taps - 1) @ dilations <= high:
            found[DilatedConvolution(dilations.tolist(), channels.tolist(), taps.tolist())] = None
        if len(found) == count:
            return list(found)
    raise ValueError(
        f"count: expected at most {len(found)}, which was found with {parameters} parameters and a receptive field "
        f"from {low} to {high}, got {count}; ask for fewer, or for other parameters"
    )


def even_channels(n_layers, parameters, *, taps=2, largest=4):
    """Channels of the hidden layers of a stack that give a number of parameters and differ least from each other.

    Parameters
    ----------
    n_layers : int
        At least two.
    parameters : int
        Of all layers, for one input and one output channel.
    taps, largest : int, optional
        Taps of each layer, and the largest number of channels to try.

    Returns
    -------
    tuple of int
        Of the least variance; of equal ones the first in the order of a dictionary.

    Examples
    --------
    >>> even_channels(5, 66), even_channels(4, 24)
    ((3, 3, 3, 3), (2, 2, 2))
    """
    tried = product(range(1, largest + 1), repeat=n_layers - 1)
    fits = [c for c in tried if taps * sum(a * b for a, b in pairwise((1, *c, 1))) == parameters]
    return min(fits, key=lambda c: (np.var(c).round(12), c))


def fitted_losses(models, task, *, restarts, iterations, rng):
    """Losses of models after a fit of each, the best of several starts by training loss.

    Parameters
    ----------
    models : sequence of LinearModel
    task : RowPrediction
    restarts, iterations : int
        Starts of each model, and Gauss-Newton steps of each start at most.
    rng : int or numpy.random.Generator
        Of the starts.

    Returns
    -------
    ndarray, shape (2, models)
        On the training and on the test targets.
    """
    rng = as_generator(rng)
    fits = [
        fit(model, task, restarts=restarts, max_iterations=iterations, tolerance=_TOLERANCE, rng=rng).coefficients
        for model in models
    ]
    return np.array([[loss(a) for a in fits] for loss in (task.training_loss, task.held_out_loss)])


def initial_capacities(models, tasks, n, *, draws, rng):
    """Capacity per input that models have on average at random weights, before any fit, on tasks of n inputs.

    Parameters
    ----------
    models : sequence of LinearModel
        With one component and at most n inputs.
    tasks : sequence of PredictionTask
    n : int
        Inputs; those beyond the receptive field of a model have none.
    draws : int
        Random choices of the weights, for each task and model.
    rng : int or numpy.random.Generator

    Returns
    -------
    ndarray, shape (tasks, models, n)
        The oldest input first.
    """
    rng, found = as_generator(rng), np.zeros((len(tasks), len(models), n))
    weights = [[[model.initial(rng) for _ in range(draws)] for model in models] for _ in tasks]
    for number, model in enumerate(models):
        covariances = np.array([task.covariance(model.n_inputs) for task in tasks])
        spaces = model_constraints(model, np.array([own[number] for own in weights]), covariances[:, None])
        found[:, number, n - model.n_inputs :] = spaces.spatial().mean(axis=1)
    return found


def unmet_demand(capacity, demand):
    """Demand of all inputs that capacity leaves unmet: the sum of (1 - c_i) d_i, by which (b) of the protocol chooses.

    Parameters
    ----------
    capacity, demand : array_like, shape (..., n)
        Capacities between 0 and 1, as from `initial_capacities`, and demands as from `lag_demand`.

    Returns
    -------
    ndarray, shape (...)

    Examples
    --------
    >>> float(unmet_demand([0.5, 1.0], [2.0, 3.0]))
    1.0
    """
    capacity, demand = as_array(capacity, "capacity", axes=1), as_array(demand, "demand", axes=1)
    return np.sum((1 - capacity) * demand, axis=-1)


@dataclass(frozen=True)
class ArchitectureChoice:
    """Architectures on one task, before and after their fits.

    Attributes
    ----------
    unmet : ndarray, shape (models,)
        Unmet demand at random weights; the least is chosen.
    training, held_out : ndarray, shape (models,)
        Losses after the fit of each.
    """

    unmet: np.ndarray
    training: np.ndarray
    held_out: np.ndarray


def choose_architecture(models, task, *, draws, restarts, iterations, rng):
    """Ask of each architecture how much demand its capacity leaves unmet at random weights, and fit it.

    Parameters
    ----------
    models : sequence of LinearModel
    task : RowPrediction
    draws : int
        As in `initial_capacities`.
    restarts, iterations : int
        As in `fitted_losses`.
    rng : int or numpy.random.Generator

    Returns
    -------
    ArchitectureChoice
    """
    rng, n = as_generator(rng), task.n_inputs
    (capacities,) = initial_capacities(models, [task], n, draws=draws, rng=rng)
    losses = fitted_losses(models, task, restarts=restarts, iterations=iterations, rng=rng)
    return ArchitectureChoice(unmet_demand(capacities, lag_demand(task, n)), *losses)


@dataclass(frozen=True)
class ImageMasking:
    """What masking pixels does to trained networks.

    Attributes
    ----------
    losses : dict of str to ndarray, shape (networks, counts)
        Logarithm of the held-out cross-entropy for each criterion: 'capacity', 'gradient', 'variance', 'random'.
    accuracies, refitted : dict of str to ndarray, shape (networks, counts)
        Share of the test images that are classified as labelled, for each of them and for the mask, of all that were
        tried, with which it is largest ('oracle'): by the network as it is, and with a new readout, least squares from
        the units below it on the masked training images.
    unmasked : ndarray, shape (networks,)
        The logarithm of the cross-entropy with all pixels.
    accuracy : ndarray, shape (networks,)
        Share of the test images that are classified as labelled, with all pixels.
    scores : dict of str to ndarray, shape (networks, pixels)
        By which pixels were masked. Those that do not vary on the training images are left out.
    """

    losses: dict[str, np.ndarray]
    accuracies: dict[str, np.ndarray]
    refitted: dict[str, np.ndarray]
    unmasked: np.ndarray
    accuracy: np.ndarray
    scores: dict[str, np.ndarray]


def image_masking(images, *, hidden, networks, steps, learning_rate, shares, draws, rng):
    """Train rectifier networks without biases on images, and mask the pixels that received least.

    Parameters
    ----------
    images : LabelledImages
    hidden : sequence of int
        Units of each hidden layer.
    networks, steps, learning_rate
        As in `train_classifier`, with Adam and minibatches of 64.
    shares : sequence of float
        Of the pixels that are masked, that is, set to their training mean.
    draws : int
        Random masks of each size.
    rng : int or numpy.random.Generator
        Of weights, minibatches and masks.

    Returns
    -------
    ImageMasking

    Notes
    -----
    Capacity is that of the layers below the readout, one unit for each of its inputs, by the rule of pseudo-random
    layers and with the covariance of the training images. The gradient is the mean square over the training images of
    those of all outputs, times the variance of the pixel: as if each pixel were measured in its own standard deviation.
    """
    rng = as_generator(rng)
    varies = images.train_inputs.std(axis=0) > 0
    mean = images.train_inputs[:, varies].mean(axis=0)
    scale = images.train_inputs[:, varies].std()
    train, test = ((inputs[:, varies] - mean) / scale for inputs in (images.train_inputs, images.test_inputs))
    counts = [round(share * train.shape[1]) for share in shares]
    layers = he_layers([train.shape[1], *hidden, images.classes], relu(), networks=networks, rng=rng)
    run = train_classifier(
        layers, train, images.train_labels, steps=steps, learning_rate=learning_rate, method="adam", rng=rng
    )
    covariance, found = np.cov(train.T, bias=True), []
    for index in range(networks):
        network = one_network(run.layers, index)
        scores = {
            "capacity": _pixel_capacity(network, covariance),
            "gradient": _pixel_gradients(network, train) * np.diag(covariance),
            "variance": np.diag(covariance),
        }
        judge = partial(_judged, network, (train, images.train_labels), (test, images.test_labels))
        masks = _masks(scores, counts, draws, rng)
        values = {name: np.array([[judge(m) for m in same] for same in chosen]) for name, chosen in masks.items()}
        whole = judge(np.zeros(train.shape[1], dtype=bool))
        best = np.concatenate(list(values.values()), axis=1).max(axis=1)
        means = {name: each.mean(axis=1) for name, each in values.items()}
        by_measure = [{name: each[:, i] for name, each in means.items()} for i in range(3)]
        for i in (1, 2):
            by_measure[i]["oracle"] = best[:, i]
        found.append((*by_measure, *whole[:2], scores))
    *tables, unmasked, accuracy, scores = zip(*found)
    *tables, scores = ({name: np.stack([one[name] for one in many]) for name in many[0]} for many in (*tables, scores))
    return ImageMasking(*tables, np.array(unmasked), np.array(accuracy), scores)


def _judged(layers, train, test, mask):
    """Logarithm of the cross-entropy on test images with a mask, accuracy, and that with a new readout."""
    (_, seen_labels), (_, labels) = train, test
    masked = [replace(layers[0], weights=np.where(mask, 0.0, layers[0].weights)), *layers[1:]]  # fewer than the inputs
    passes = [forward_pass(masked, inputs) for inputs, _ in (train, test)]
    outputs, classes = passes[1].outputs, np.eye(layers[-1].outputs)
    units, new_units = [np.column_stack([np.ones(len(each.outputs)), each.activities[-1]]) for each in passes]
    again = new_units @ np.linalg.lstsq(units, classes[seen_labels])[0]
    right = [np.mean(each.argmax(axis=1) == labels) for each in (outputs, again)]
    return np.log(cross_entropy(outputs, labels)[0]), *right


def _pixel_capacity(layers, covariance):
    *below, readout = [layer.weights.T for layer in layers]
    return stack_capacity(below, np.eye(len(readout)), covariance)[0]


def _pixel_gradients(layers, inputs):
    forward = forward_pass(layers, inputs)
    units = np.eye(forward.outputs.shape[-1])
    by_output = [backward_pass(forward, np.tile(unit, (len(inputs), 1))).inputs for unit in units]
    return np.sum(np.square(by_output), axis=0).mean(axis=0)


def verdict(interval, margin):
    """Verdict on an effect that should be negative, from an interval for it, by the rules of the protocol.

    Parameters
    ----------
    interval : array_like, shape (2,)
        Lower and upper end.
    margin : float
        Effects closer to 0 count as none.

    Returns
    -------
    str
        'no difference' where the interval lies within the margin, else 'yes' where it lies below 0, 'no' where it
        lies above 0, and 'undecided' where it holds 0.

    Examples
    --------
    >>> [verdict(ends, 0.05) for ends in ((-0.01, 0.02), (-0.3, -0.1), (0.1, 0.3), (-0.3, 0.1))]
    ['no difference', 'yes', 'no', 'undecided']
    """
    low, high = interval
    if -margin <= low and high <= margin:
        return "no difference"
    return "yes" if high < 0 else "no" if low > 0 else "undecided"
