"""Functions that several pages share refuse what cannot be meant by name."""

import numpy as np
import pytest
from spoilt_calls import answer, answers, leave_alone

from capacity import activations, models, networks
from capacity_studies import blocked_capacity, bridge, data, expressivity, geometry, pole_memory, training

SIGMA = np.array([[2.0, 1.0], [1.0, 2.0]])
P = np.array([[1.0, 0.5], [0.0, 1.0]])
J = np.array([[1.0], [2.0]])
RELU = activations.relu()
NETWORK = [networks.Layer(SIGMA), networks.Layer(J.T, activation=RELU)]
STACK = models.DilatedConvolution.hierarchical(3)
SPATIAL = {"model": STACK, "parameters": STACK.initial(0), "covariance": np.eye(8), "memory": 1000, "rtol": 1e-10}

CALLS = [
    (blocked_capacity.spatial_capacity, SPATIAL),
    (
        bridge.soft_capacity,
        {"constraints": J, "temperature": np.array([0.0, 2.0]), "rtol": 0.1},
    ),
    (
        bridge.effective_dimension,
        {"eigenvalues": np.array([1.0, 2.0]), "temperature": np.array([0.0, 2.0]), "rtol": 0.1},
    ),
    (bridge.shared_matrix, {"inputs": np.sqrt(2) * np.eye(2), "jacobian": J, "temperature": 0.5, "rtol": 0.1}),
    (bridge.rectifier_rank, {"widths": (2, 3, 1), "layers": (1, 2)}),
    (bridge.sample_constraints, {"layers": NETWORK, "inputs": P, "rtol": 0.1}),
    (bridge.smallest_split, {"layers": NETWORK, "inputs": P}),
    (bridge.smallest_difference, {"layers": NETWORK, "inputs": P}),
]


# What is right by its kind and does not fit: the name of the argument, and the call.
WIDE = [networks.Layer(np.ones((10, 1000)))], np.ones((1, 1000))
SEVERAL = expressivity.random_layers(2, 3, 1, RELU, sigma_w=1.0, networks=2, rng=0)
EYE, SINGULAR = np.eye(2), np.ones((2, 2))
CONVOLUTIONAL = {"n_layers": 3, "channels": 2, "outputs": 5, "activation": RELU, "dimensions": 1, "rng": 0}
LABELS = ([0, 1, 2, 3, 0], [0, 1, 2, 0.5, 0], [0, 1, -1, 0, 0], [0, 1])
WRONG = [
    ("widths", lambda: bridge.rectifier_rank((3,))),
    ("widths", lambda: bridge.rectifier_rank((1, 3, 2), bias=False)),
    ("layers", lambda: bridge.rectifier_rank((3, 2), layers=[2])),
    ("layers", lambda: bridge.sample_constraints(SEVERAL, P)),
    ("layers", lambda: bridge.smallest_split([networks.Layer([[1.0]])], [[1.0]])),
    ("layers", lambda: bridge.smallest_difference([networks.Layer([[1.0]])], [[1.0]])),
    ("temperature", lambda: bridge.soft_capacity(J, -1.0)),
    ("inputs", lambda: bridge.shared_matrix(2 * EYE, J)),
    ("eigenvalues", lambda: bridge.effective_dimension([-1.0, 2.0], 0.1)),
    ("n", lambda: data.RowPrediction(np.eye(3), np.eye(3)).held_out_loss(np.ones(3))),
    ("layers", lambda: expressivity.effective_parameters([networks.Layer(EYE, residual=0.5)], [[0, 0]], EYE)),
    ("family", lambda: geometry.fisher_information(NETWORK, P, family="poisson")),
    ("labels", lambda: geometry.output_scores(np.ones((2, 3)), np.ones((2, 2)), family="gaussian")),
    ("layers", lambda: geometry.fisher_spectrum([networks.Layer(EYE, residual=1.0)], P)),
    ("layers", lambda: geometry.fisher_information(*WIDE)),
    ("layers", lambda: geometry.empirical_fisher(*WIDE, [0])),
    ("layers", lambda: geometry.sampled_fisher(*WIDE, rng=0)),
    ("forward", lambda: geometry.parameter_tangents(NETWORK, [1.0])),
    ("vectors", lambda: geometry.apply_score_factor(np.ones((2, 3)), np.ones((3, 3)))),
    ("damping", lambda: geometry.kronecker_step(SINGULAR, EYE, EYE)),
    ("damping", lambda: geometry.kronecker_step(EYE, SINGULAR, EYE)),
    ("outputs_factor", lambda: geometry.kronecker_step([[2.0, 1.0], [0.0, 2.0]], EYE, EYE)),
    ("inputs_factor", lambda: geometry.kronecker_step(EYE, np.ones((2, 3)), np.ones((2, 3)))),
    ("layer", lambda: geometry.kronecker_factors(NETWORK, P, layer=4)),
    ("layers", lambda: geometry.tangent_kernel(SEVERAL, P)),
    ("inputs", lambda: geometry.tangent_kernel([networks.Layer(np.ones((100, 1)))], np.ones((300, 1)))),
    ("memory", lambda: blocked_capacity.spatial_capacity(**SPATIAL | {"memory": 0})),
    ("poles", lambda: pole_memory.memory_by_lag([0.5, 1j], 3)),
    *(("labels", lambda wrong=wrong: training.cross_entropy(np.ones((5, 3)), wrong)) for wrong in LABELS),
    *(
        (
            "labels",
            lambda wrong=wrong: training.classification_accuracy([networks.Layer(np.eye(3))], np.ones((5, 3)), wrong),
        )
        for wrong in LABELS
    ),
    *(
        (name, lambda wrong={name: wrong}: training.random_convolutional_layers(**CONVOLUTIONAL | wrong))
        for name, wrong in (("taps", 2), ("outputs", 0), ("residual", -1.0))
    ),
]


def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone():
    leave_alone(CALLS)


def test_what_cannot_be_meant_is_refused_by_name():
    assert answers(CALLS) == []


@pytest.mark.parametrize(("name", "call"), WRONG)
def test_what_does_not_fit_is_refused_by_name(name, call):
    assert answer(call, {}, name) is None
