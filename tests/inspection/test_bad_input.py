"""Every public function of the tool refuses what cannot be meant by name."""

import numpy as np
from spoilt_calls import answers, leave_alone

from capacity.models import DilatedConvolution
from capacity_inspection import design, graphs, look_backs, models, readers, reports

P = np.array([[1.0, 0.5], [0.0, 1.0]])
GRAPH = graphs.from_layers(
    (1, 4), [("convolution", {"kernel": np.ones((2, 1, 3))}), ("activation", {"function": "relu"})]
)
SERIES = np.ones((2, 1, 4))
ONNX_FILE = readers.installed_file("onnx", "data/light/light_squeezenet.onnx")
NPZ_FILE = readers.installed_file("matplotlib", "sample_data/jacksboro_fault_dem.npz")

CALLS = [
    (models.s4d_lin_poles, {"pairs": 2, "step": 0.1}),
    (models.s4d_inv_poles, {"pairs": 2, "step": 0.1}),
    (models.ring_poles, {"pairs": 2, "inner": 0.5, "outer": 0.9, "largest_angle": 1.0, "rng": 0}),
    (models.DiagonalStateSpace, {"n_inputs": 8, "pairs": 2}),
    (models.DiagonalStateSpace(8, 2).parameters, {"poles": np.array([0.5, 0.2]), "rng": 0}),
    (models.DiagonalStateSpace(8, 1).coefficients, {"parameters": np.array([0.1, 0.2, 0.3, 0.4])}),
    (models.DiagonalStateSpace(8, 1).pullback, {"parameters": np.array([0.1, 0.2, 0.3, 0.4]), "cotangent": np.ones(8)}),
    (look_backs.block_bootstrap, {"series": np.arange(24.0) ** 2, "length": 2, "resamples": 2}),
    (design.segment_capacity, {"dilations": [1, 2], "channels": 2, "taps": 2, "components": 1}),
    (design.expected_allocation, {"sizes": np.array([1.0, 2.0, 3.0]), "totals": np.array([1.0, 2.0])}),
    (design.trained_sizes, {"dilations": [1, 2], "taps": 2, "coefficients": np.array([1.0, 0.5, 0.2, 0.1])}),
    (design.search, {"wants": design.Want((3, None), share=0.5), "budget": 20, "fits": 3}),
    (readers.recurrent, {"inputs": 8, "channels": 2}),
    (readers.ssm, {"inputs": 8, "states": 4}),
    (readers.tcn, {"dilations": (1, 2), "stacks": 2, "channels": 2, "taps": 2, "components": 1}),
    (readers.cnn, {"size": (8, 8), "channels": (2, 3), "components": 1, "kernel": 3, "strides": 1}),
    (
        reports.linear_report,
        {"model": DilatedConvolution([1, 2]), "optima": 1, "resamples": 0, "level": 0.9},
    ),
    (graphs.forward, {"graph": GRAPH, "inputs": SERIES}),
    (graphs.capacity_flow, {"graph": GRAPH, "coupling": 0.5}),
    (graphs.dense_input_capacity, {"graph": GRAPH, "coupling": 0.5}),
    (graphs.measured_couplings, {"graph": GRAPH, "data": SERIES}),
    (graphs.squared_gradient, {"graph": GRAPH, "data": SERIES}),
    (graphs.sampled_input_capacity, {"graph": GRAPH, "data": SERIES}),
    (graphs.redrawn_weights, {"graph": GRAPH, "rng": 0}),
    (graphs.holding_side, {"field": P, "share": 0.5, "centre": np.array([0.0, 0.0])}),
    (graphs.holding_lags, {"field": P[0], "share": 0.5}),
    (
        graphs.make_node,
        {"name": "x", "operator": "dense", "inputs": GRAPH.nodes[0], "kernel": np.ones((2, 4))},
    ),
    (graphs.make_node, {"name": "x", "operator": "scale", "inputs": GRAPH.nodes[0], "factor": np.ones(1)}),
    (readers.read_onnx, {"path": ONNX_FILE, "input_sizes": (1, 3, 224, 224), "memory": 2**26}),
    (readers.read_weights, {"path": NPZ_FILE, "memory": 2**26}),
    (graphs.receptive_fields, {"graph": GRAPH}),
]


def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone():
    leave_alone(CALLS)


def test_what_cannot_be_meant_is_refused_by_name():
    assert answers(CALLS) == []
