"""Small networks fitted to few samples: what they lose on new ones, beside ranks and effective dimensions.

Two settings. Students learn a teacher, a network whose outputs they see with noise of known variance; and classifiers
learn the digits. The gap is given in parameters: N/2 times the difference of the losses on new samples and on those
fitted, over the variance of the noise, or N times the difference of the cross-entropies. To first order in 1/N it is
the rank of the Fisher information F, if the network is well specified and its optimum regular; and tr F (F + lambda)^-1
if a penalty, lambda times the squared norm of the parameters, is added to the mean square (or half of it to the
cross-entropy).
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import optimize

from capacity.activations import tanh
from capacity.networks import forward_pass, parameter_jacobian, parameter_vector, with_parameter_vector
from capacity_studies.bridge import sample_constraints
from capacity_studies.expressivity import he_layers, one_network
from capacity_studies.geometry import fisher_information, parameter_cotangents, sample_scores
from capacity_studies.training import cross_entropy

__all__ = ["Gap", "classifier_gap", "digit_gaps", "student_gap", "student_gaps", "teacher"]


class Gap(NamedTuple):
    """What one fit loses on new samples, in parameters, and what may predict it; or arrays of these, of many fits."""

    gap: float
    rank: int  # of the Fisher information of the samples, at the fit
    dimension: float  # effective, at the temperature of the penalty; without one the rank
    trace: float  # Takeuchi's, which knows how large the errors at the fit are, but not how the model bends
    parameters: int
    training: float  # loss on the samples, over that of the teacher, or in nats
    converged: bool


def student_gaps(sizes, activation, count, noise, *, teachers, fits, elsewhere=False, **options):
    """Gaps (teachers, fits) of students that start at the parameters of their teacher, or else at random ones."""
    found = []
    for number in range(teachers):
        taught = teacher(sizes, activation, number)
        start = teacher(sizes, activation, 1000 + number) if elsewhere else taught
        found += [student_gap(taught, start, count, noise, 100 * number + fit, **options) for fit in range(fits)]
    return Gap(*(np.reshape(values, (teachers, fits)) for values in zip(*found)))


def digit_gaps(images, penalty, *, draws, hidden=8, components=10, count=900):
    """Gaps (draws,) of classifiers of tanh units on the principal components of images, half of which they see."""
    inputs = np.vstack([images.train_inputs, images.test_inputs])
    labels = np.concatenate([images.train_labels, images.test_labels])
    inputs = np.linalg.svd(inputs - inputs.mean(axis=0), full_matrices=False)[0][:, :components] * len(inputs) ** 0.5
    found = []
    for draw in range(draws):
        layers = one_network(he_layers((components, hidden, labels.max() + 1), tanh(), sigma_b=0.1, rng=draw))
        found.append(classifier_gap(layers, inputs, labels, count, draw, penalty=penalty))
    return Gap(*map(np.array, zip(*found)))


def teacher(sizes, activation, rng):
    """A random network of one output, whose outputs at normal inputs have about the variance 1."""
    rng = np.random.default_rng(rng)
    layers = one_network(he_layers(sizes, activation, sigma_b=0.5, rng=rng))
    spread = forward_pass(layers, rng.standard_normal((2000, sizes[0]))).outputs.std()
    return [*layers[:-1], replace(layers[-1], weights=layers[-1].weights / spread)]


def student_gap(taught, start, count, noise, rng, *, penalty=0.0, evaluations=60, new=5000):
    """Fit a network to noisy outputs of a teacher at normal inputs, by least squares, from `start`."""
    rng = np.random.default_rng(rng)
    inputs, fresh = (rng.standard_normal((n, taught[0].inputs)) for n in (count, new))
    clean = forward_pass(taught, inputs).outputs[:, 0]
    outputs = clean + rng.normal(0, noise**0.5, count)
    begin, root = parameter_vector(start), (penalty * count) ** 0.5

    @lru_cache(maxsize=1)  # derivatives are asked for where errors were
    def forward(vector):
        return forward_pass(with_parameter_vector(start, np.frombuffer(vector)), inputs)

    def errors(vector):
        found = forward(vector.tobytes()).outputs[:, 0] - outputs
        return np.append(found, root * vector) if penalty else found

    def derivatives(vector):
        found = parameter_jacobian(forward(vector.tobytes()))
        return np.vstack([found, root * np.eye(vector.size)]) if penalty else found

    found = optimize.least_squares(errors, begin, derivatives, max_nfev=evaluations, ftol=1e-6, xtol=1e-6, gtol=1e-6)
    layers = with_parameter_vector(start, found.x)
    training = np.square(forward_pass(layers, inputs).outputs[:, 0] - outputs).mean()
    own = np.square(clean - outputs).mean()
    lost = np.square(forward_pass(layers, fresh).outputs - forward_pass(taught, fresh).outputs).mean()
    rank, dimension, trace = _sizes(layers, inputs, outputs[:, None], penalty, "gaussian")
    gap = count / 2 * (lost - (training - own)) / noise
    return Gap(float(gap), rank, dimension, trace / noise, begin.size, float(training / own), found.status > 0)


def classifier_gap(layers, inputs, labels, count, rng, *, penalty, evaluations=1000):
    """Fit a classifier to some of the samples, drawn at random, by L-BFGS; all others are new."""
    order = np.random.default_rng(rng).permutation(len(inputs))
    seen, new = order[:count], order[count:]

    def loss(vector):
        now = with_parameter_vector(layers, vector)
        forward = forward_pass(now, inputs[seen])
        value, gradient = cross_entropy(forward.outputs, labels[seen])
        return value + penalty / 2 * vector @ vector, parameter_cotangents(forward, gradient) + penalty * vector

    found = optimize.minimize(
        loss, parameter_vector(layers), jac=True, method="L-BFGS-B", options={"maxiter": evaluations, "maxfun": 10**6}
    )
    fitted = with_parameter_vector(layers, found.x)
    training, held_out = (
        float(cross_entropy(forward_pass(fitted, inputs[part]).outputs, labels[part])[0]) for part in (seen, new)
    )
    rank, dimension, trace = _sizes(fitted, inputs[seen], labels[seen], penalty, "softmax")
    return Gap(count * (held_out - training), rank, dimension, trace, found.x.size, training, bool(found.success))


def _sizes(layers, inputs, labels, penalty, family):
    """At the fit, on its samples: rank of the Fisher information, its effective dimension at the temperature of the
    penalty, and Takeuchi's trace.
    """
    rank = sample_constraints(layers, inputs, softmax=family == "softmax").space().total
    fisher = fisher_information(layers, inputs, family=family)
    scores = np.cov(sample_scores(layers, inputs, labels, family=family).T, bias=True)
    held = np.linalg.pinv(fisher + penalty * np.eye(len(fisher)), rcond=1e-12, hermitian=True)
    return rank, float(np.sum(held * fisher)) if penalty else float(rank), float(np.sum(held * scores))
