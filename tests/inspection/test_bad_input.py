"""Every public function of the tool refuses what cannot be meant by name."""

import numpy as np
import pytest
from spoilt_calls import answer, answers, leave_alone

from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess
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


# What is right by its kind and does not fit: the name of the argument, and the call.
MODEL, TASK, SQUARE = DilatedConvolution([1, 2]), GaussianProcess(), np.eye(3) + 1
STACKED, IMAGES = (graphs.from_layers(size, [("activation", {"function": "relu"})]) for size in ((1, 9000), (3, 9, 9)))
STATES = models.DiagonalStateSpace(4, 2)
HALF = design.Want((1, 2), share=0.5)
WRONG = [
    ("totals", lambda: design.expected_allocation([1, 0, 1, 1], 4)),
    ("totals", lambda: design.expected_allocation([0.0, 0.0], 1)),
    ("sizes", lambda: design.expected_allocation([-1.0, 1.0], 1)),
    *(
        (name, lambda wrong=wrong: design.Want(**wrong))
        for name, wrong in (
            ("share, full", {"lags": (1, 64)}),
            ("share, full", {"lags": (1, 64), "share": 0.5, "full": 1.0}),
            ("full", {"lags": (1, None), "full": 1.0}),
            ("lags[0]", {"lags": (0, 64), "share": 0.5}),
            ("lags[1]", {"lags": (9, 8), "share": 0.5}),
            ("lags", {"lags": (1, 2, 3), "share": 0.5}),
            ("share", {"lags": (1, 2), "share": 1.5}),
            ("full", {"lags": (1, 2), "full": 0}),
        )
    ),
    ("wants[1]", lambda: design.unmet([HALF, "half"], np.ones(4))),
    ("wants", lambda: design.unmet([], np.ones(4))),
    ("allocation", lambda: design.unmet(HALF, -np.ones(4))),
    *(
        (name, lambda wrong={name: wrong}: design.search(**{"wants": HALF, "budget": 8, "process": TASK} | wrong))
        for name, wrong in (
            ("wants", []),
            ("max_lags", 10**7),
            ("budget", 1),
            ("fits", 0),
            ("stacks", [3]),
            ("starts", 0),
            ("max_iterations", 0),
            ("seed", -1),
            ("jobs", 0),
            ("process", object()),
        )
    ),
    ("wants", lambda: design.search(design.Want((10**6, None), share=0.5), 20)),
    ("stacks", lambda: design.search(HALF, 8, process=TASK, stacks=[DilatedConvolution([1], components=2)])),
    ("budget", lambda: list(design.stacks_within(2.5, 40))),
    ("max_lags", lambda: list(design.stacks_within(2, 1))),
    ("taps[0]", lambda: list(design.stacks_within(2, 10, taps=(0, 2)))),
    ("description", lambda: readers.described_model("tcn")),
    ("process", lambda: readers.described_process("tcn")),
    ("distribution_name", lambda: readers.installed_file(None, "file")),
    ("path", lambda: readers.installed_file("numpy", ".")),
    ("graph", lambda: graphs.dense_input_capacity(STACKED)),
    *(
        (name, lambda f=function, wrong=wrong: f(*wrong))
        for function in (graphs.holding_side, graphs.holding_lags)
        for name, wrong in (("field", ([0.0, 0.0], 0.5)), ("field", ([1.0, -1.0], 0.5)), ("share", ([1.0], 0.0)))
    ),
    ("share", lambda: graphs.holding_side([1.0], 1.5)),
    ("centre", lambda: graphs.holding_side(SQUARE, 0.5, centre=(1,))),
    ("scale", lambda: graphs.redrawn_weights(GRAPH, scale="lecun")),
    ("method", lambda: models.s4d_lin_poles(2, step=0.1, method="euler")),
    ("step", lambda: models.s4d_lin_poles(2, step=1e308)),
    ("step", lambda: models.s4d_inv_poles(2, step=0.0)),
    ("inner", lambda: models.ring_poles(2, inner=0.9, outer=0.5)),
    ("pairs", lambda: models.DiagonalStateSpace(4, 0)),
    ("parameters", lambda: STATES.coefficients(np.ones(3))),
    ("parameters", lambda: STATES.coefficients([1e3, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])),
    ("parameters", lambda: STATES.jacobian(np.ones(8), modulus=7)),
    ("poles", lambda: STATES.parameters([0.5, 1j])),
    ("gains", lambda: STATES.parameters([0.5, 0.1j], [1.0])),
    ("series", lambda: look_backs.look_back(np.arange(31.0) ** 2)),
    ("longest", lambda: look_backs.look_back(np.arange(400.0) ** 2, 26)),
    ("length", lambda: look_backs.block_bootstrap(np.arange(40.0), length=6, resamples=2)),
    ("length", lambda: look_backs.block_bootstrap(np.arange(40.0), length=0, resamples=2)),
    ("resamples", lambda: look_backs.block_bootstrap(np.arange(40.0), length=5, resamples=0)),
    *(
        (name, lambda make=make: make())
        for name, make in (
            ("dilations", lambda: readers.tcn([])),
            ("stacks", lambda: readers.tcn([1, 2], stacks=0)),
            ("dilations", lambda: readers.tcn([1, 2], stacks=5001)),
            ("channels", lambda: readers.cnn([8], channels=[1] * 10_001)),
            ("activation", lambda: readers.tcn([1, 2], activation="step")),
            ("activation", lambda: readers.cnn((8, 8), channels=[4], activation=["relu"])),
            ("size", lambda: readers.cnn((), channels=[4])),
            ("strides", lambda: readers.cnn((8, 8), channels=[4], strides=[1, 2])),
            ("classes", lambda: readers.cnn((8, 8), channels=[4], classes=0)),
            ("n_inputs", lambda: readers.recurrent(0)),
            ("states", lambda: readers.ssm(8, states=3)),
        )
    ),
    *(
        (name, lambda wrong=wrong: reports.linear_report(MODEL, **wrong))
        for name, wrong in (
            ("data", {"process": TASK, "data": [1.0, 2.0]}),
            ("data", {"data": [1.0, np.nan]}),
            ("data", {"data": np.zeros((9, 1, 8))}),
            ("series", {"data": np.ones(100)}),
            ("parameters", {"process": TASK, "parameters": [1.0]}),
            ("process", {"process": "power law"}),
            ("optima", {"optima": 0}),
            ("resamples", {"resamples": -1}),
            ("level", {"level": 1.0}),
        )
    ),
    ("model", lambda: reports.linear_report(np.ones(3))),
    ("process", lambda: reports.linear_report(DilatedConvolution([1, 2], components=2), process=TASK)),
    ("process", lambda: reports.network_report(IMAGES, process=TASK)),
    ("data", lambda: reports.network_report(IMAGES, data=np.ones(100))),
    *(
        (name, lambda wrong=wrong: reports.network_report(GRAPH, **wrong))
        for name, wrong in (
            ("name", {"output": "layer 9"}),
            ("at", {"at": (9, 0)}),
            ("data", {"data": np.zeros((4, 9))}),
            ("data", {"data": np.zeros(9), "process": TASK}),
        )
    ),
    ("process", lambda: reports.layer_shares_report(MODEL)),
    ("output", lambda: reports.layer_shares_report(MODEL, process=TASK, output="layer 1")),
    ("parameters", lambda: reports.layer_shares_report(GRAPH, parameters=[0.0])),
    *(("model", lambda wrong=wrong: reports.summary(wrong)) for wrong in (3, None, object())),
    ("output", lambda: reports.summary(MODEL, output="layer 1")),
    ("input_size", lambda: reports.summary(GRAPH, (1, 1, 4))),
    ("parameters", lambda: reports.summary(GRAPH, parameters=[1.0])),
]


def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone():
    leave_alone(CALLS)


def test_what_cannot_be_meant_is_refused_by_name():
    assert answers(CALLS) == []


@pytest.mark.parametrize(("name", "call"), WRONG)
def test_what_does_not_fit_is_refused_by_name(name, call):
    assert answer(call, {}, name) is None
