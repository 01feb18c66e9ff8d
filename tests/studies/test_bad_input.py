"""Functions that several pages share refuse what cannot be meant by name."""

import numpy as np
from spoilt_calls import answers, leave_alone

from capacity import activations, models, networks
from capacity_studies import blocked_capacity, bridge

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
        {"constraints": J, "temperature": np.array([0.0, 2.0]), "directions": J / np.sqrt(5), "rtol": 0.1},
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


def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone():
    leave_alone(CALLS)


def test_what_cannot_be_meant_is_refused_by_name():
    assert answers(CALLS) == []
