"""What chapters compute at one combination of parameters: fitted points of a sweep, curves in trained networks."""

from dataclasses import dataclass

import numpy as np

from capacity._validation import as_generator
from capacity.activations.piecewise_linear import hard_tanh, relu
from capacity.allocation.constraints import model_constraints
from capacity.allocation.generic_rank import exact_capacity
from capacity.fitting.least_squares import fit
from capacity.models.convolutions import DilatedConvolution
from capacity.models.tensor_train_approximation import tensor_train_parameters
from capacity.networks.passes import Layer, forward_pass
from capacity.sweeps import seeded_generator
from capacity.tasks.gaussian import standard_process
from capacity_studies.expressivity.curves import arc, layer_curves
from capacity_studies.expressivity.random_dense import he_layers, random_layers
from capacity_studies.expressivity.transitions import count_transitions
from capacity_studies.training.classification import classification_accuracy, cross_entropy
from capacity_studies.training.stochastic_gradient import TrainingRun, train_classifier

__all__ = [
    "CurvesInTraining",
    "curves_in_training",
    "fitted_hierarchical",
    "mean_lengths",
    "random_points",
    "rectifiers_at_loss",
]


def fitted_hierarchical(n_layers, channels, process, seed, max_iterations=100):
    """A point of a sweep: a hierarchical model of two taps, fitted from the tensor train nearest to the target.

    Parameters
    ----------
    n_layers, channels : int
        Layers L and channels c of the hidden layers; the model has 2^L inputs.
    process : str
        One of the names of `standard_process`.
    seed : int
        Of the weights of channels that the tensor train leaves idle.
    max_iterations : int, optional
        Of the fit; from these starts some 25 are enough for most models.

    Returns
    -------
    dict
        inputs, parameters, capacity (numerical, at the fit), generic (exact), loss, residual_variance, converged.
    """
    task, model = standard_process(process), DilatedConvolution.hierarchical(n_layers, channels)
    rng = seeded_generator(n_layers=n_layers, channels=channels, process=process, seed=seed)
    n = model.n_inputs
    near = tensor_train_parameters(task.optimal_coefficients(n), model.taps, model.channels, rng=rng)
    fitted = fit(model, task, initial=near, rng=rng, max_iterations=max_iterations)
    space = model_constraints(model, fitted.parameters, task.operator(n))
    return {
        "inputs": n,
        "parameters": model.n_parameters,
        "capacity": space.total,
        "generic": exact_capacity(model).total,
        "loss": fitted.loss,
        "residual_variance": task.residual_variance(n),
        "converged": fitted.converged,
    }


@dataclass(frozen=True)
class CurvesInTraining:
    """What training does to arcs between pairs of points (Raghu et al., survey, Figs 4 and 5).

    Attributes
    ----------
    run : TrainingRun
        Of all networks at once.
    pairs : dict of str to ndarray, shape (2, pairs, inputs)
        Ends of the arcs: 'data', two training images; 'random', Gaussian points as long as images are on average (root
        mean square).
    lengths : dict of str to ndarray, shape (snapshots, networks, layers + 1)
        Mean over the arcs of the length of each arc, and of its images in the hidden layers.
    transitions : dict of str to ndarray, shape (snapshots, networks, layers)
        Mean over arcs and units of the changes of sign of each weighted sum.
    train_accuracy, test_accuracy : ndarray, shape (snapshots, networks)
    """

    run: TrainingRun
    pairs: dict[str, np.ndarray]
    lengths: dict[str, np.ndarray]
    transitions: dict[str, np.ndarray]
    train_accuracy: np.ndarray
    test_accuracy: np.ndarray


def curves_in_training(
    images, *, sigma_w, width, depth, networks, pairs, points, rng, sigma_b=0.01, activation=None, **training
):
    """Train random networks on images, and follow the images of arcs in their layers.

    Parameters
    ----------
    images : LabelledImages
    sigma_w, width, depth, networks
        As in `random_layers`.
    pairs, points : int
        Arcs, a quarter of a turn each, and points on each of them.
    rng : int or numpy.random.Generator
        Of the weights, the order of the samples and the ends of the arcs.
    sigma_b, activation
        As in `random_layers`; hard tanh by default.
    **training
        As in `train_classifier`.

    Returns
    -------
    CurvesInTraining
    """
    inputs, labels, rng = images.train_inputs, images.train_labels, as_generator(rng)
    layers = random_layers(
        inputs.shape[1],
        width,
        depth,
        activation or hard_tanh(),
        sigma_w=sigma_w,
        sigma_b=sigma_b,
        outputs=images.classes,
        networks=networks,
        rng=rng,
    )
    ends = rng.choice(len(inputs), (2, pairs), replace=False)
    random = random_points(inputs, (2, pairs), "Gaussian", rng)
    run = train_classifier(layers, inputs, labels, rng=rng, **training)
    found = {"data": inputs[ends], "random": random}
    curves = {kind: arc(*both[:, :, None], points) for kind, both in found.items()}  # one axis for the networks
    lengths, transitions = {}, {}
    for kind, curve in curves.items():
        followed = [_followed(net, curve) for net in run.snapshots]
        lengths[kind], transitions[kind] = (np.stack(part) for part in zip(*followed))
    test = images.test_inputs, images.test_labels
    scores = [
        np.stack([classification_accuracy(net, *samples) for net in run.snapshots])
        for samples in ((inputs, labels), test)
    ]
    return CurvesInTraining(run, found, lengths, transitions, *scores)


def random_points(inputs, shape, kind, rng):
    """Points that stand for none of the inputs, of a given shape.

    They are directions of the inputs' mean square length ("Gaussian"), uniform between the least and the greatest entry
    ("uniform"), inputs whose entries are shuffled among themselves ("shuffled"), or have entries of different inputs
    at each place ("mixed").
    """
    size = (*shape, inputs.shape[1])
    if kind == "Gaussian":
        drawn = rng.standard_normal(size)
        return drawn * np.sqrt(np.mean(np.sum(inputs**2, axis=1))) / np.linalg.norm(drawn, axis=-1, keepdims=True)
    if kind == "uniform":
        return rng.uniform(inputs.min(), inputs.max(), size)
    chosen = inputs[rng.integers(len(inputs), size=shape)]
    return {
        "shuffled": lambda: rng.permuted(chosen, axis=-1),
        "mixed": lambda: np.take_along_axis(inputs, rng.integers(len(inputs), size=(np.prod(shape), size[-1])), 0),
    }[kind]().reshape(size)


def mean_lengths(layers, ends, points):
    """Mean length over pairs of ends, of shape (2, pairs, inputs), of the images of their arcs: (networks, layers)."""
    return _followed(layers, arc(*ends[:, :, None], points))[0]


def _followed(layers, curves):
    """Mean lengths (networks, layers), that of the inputs first, and transitions per unit, (networks, layers - 1)."""
    lengths, transitions = [], []
    for below, sums in layer_curves(layers, curves):
        lengths.append(below.length.mean(axis=0))
        transitions.append(count_transitions(sums).mean(axis=(0, -1)))
    return np.stack(np.broadcast_arrays(*lengths), axis=-1), np.stack(transitions[:-1], axis=-1)


def rectifiers_at_loss(inputs, labels, *, hidden, outputs, loss, steps, learning_rate, rng, batch=64):
    """Networks of rectifiers without biases, trained by Adam until the loss on all training samples is small.

    Parameters
    ----------
    inputs : array_like, shape (samples, inputs)
    labels : array_like of int, shape (networks, samples)
        What each network has to learn.
    hidden : sequence of int
        Units of each hidden layer.
    outputs : int
        Number of classes.
    loss : float
        The mean cross-entropy at which a network is taken, looked for at twenty moments of the training, or after each
        step of a shorter one.
    steps : int
        At most so many; a network that has not come down to the loss by then is taken as it is.
    learning_rate : float
    rng : int or numpy.random.Generator
        Of the weights, which start with the variance 2/inputs of their layer, and of the minibatches.
    batch : int, optional
        Samples of a step; no more than there are.

    Returns
    -------
    layers : list of Layer
        Of all networks.
    reached : ndarray, shape (networks,)
        The loss of each.
    """
    inputs, labels, rng = np.asarray(inputs), np.asarray(labels), as_generator(rng)
    layers = he_layers([inputs.shape[-1], *hidden, outputs], relu(), networks=len(labels), rng=rng)
    moments, losses = sorted({steps * k // 20 for k in range(1, 21)}), []

    def enough(now):
        losses.append(cross_entropy(forward_pass(now, inputs).outputs, labels)[0])
        return np.all(np.min(losses, axis=0) < loss)

    run = train_classifier(
        layers,
        inputs,
        labels,
        steps=steps,
        learning_rate=learning_rate,
        method="adam",
        batch=min(batch, len(inputs)),
        snapshots=moments,
        enough=enough,
        rng=rng,
    )
    losses = np.stack(losses)
    low = losses < loss
    first = np.where(low.any(axis=0), low.argmax(axis=0), len(moments) - 1)
    taken = [
        Layer(np.stack([run.snapshots[k][i].weights[net] for net, k in enumerate(first)]), activation=layer.activation)
        for i, layer in enumerate(layers)
    ]
    return taken, losses[first, np.arange(len(labels))]
