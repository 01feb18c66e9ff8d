"""Every public function refuses what cannot be meant by name, and says what it expected; it never answers with NaN."""

import inspect
import re
from pathlib import Path

import numpy as np

from capacity import (
    activations,
    allocation,
    depth,
    fitting,
    layers,
    linalg,
    models,
    networks,
    statistics,
    tasks,
)
from capacity_inspection import design, graphs, look_backs, readers, reports
from capacity_inspection import models as more_models
from capacity_studies import blocked_capacity, bridge

SIGMA = np.array([[2.0, 1.0], [1.0, 2.0]])
P = np.array([[1.0, 0.5], [0.0, 1.0]])
J = np.array([[1.0], [2.0]])
SHARES = np.array([[0.5, 0.25], [0.5, 0.75]])
STENCIL = np.array([1.0, -3.0, 2.0])
RELU = activations.relu()
RATES = np.array([[-1.0, 2.0], [1.0, -2.0]])
SPACE = allocation.constraint_space(SIGMA, J)
PASSED = networks.forward_pass([networks.Layer(SIGMA, activation=RELU)], P)
NETWORK = [networks.Layer(SIGMA), networks.Layer(J.T, activation=RELU)]
GRAPH = graphs.from_layers(
    (1, 4), [("convolution", {"kernel": np.ones((2, 1, 3))}), ("activation", {"function": "relu"})]
)
SERIES = np.ones((2, 1, 4))
ONNX_FILE = readers.installed_file("onnx", "data/light/light_squeezenet.onnx")
NPZ_FILE = readers.installed_file("matplotlib", "sample_data/jacksboro_fault_dem.npz")
STACK = models.DilatedConvolution.hierarchical(3)
SPATIAL = {"model": STACK, "parameters": STACK.initial(0), "covariance": np.eye(8), "memory": 1000, "rtol": 1e-10}

# A call that is right for each function. What it is given is then spoilt, one argument after the other.
CALLS = [
    (design.expected_allocation, {"sizes": np.array([1.0, 2.0, 3.0]), "totals": np.array([1.0, 2.0])}),
    (design.trained_sizes, {"dilations": [1, 2], "taps": 2, "coefficients": np.array([1.0, 0.5, 0.2, 0.1])}),
    (design.segment_capacity, {"dilations": [1, 2], "channels": 2, "taps": 2, "components": 1}),
    (blocked_capacity.spatial_capacity, SPATIAL),
    (design.search, {"wants": design.Want((3, None), share=0.5), "budget": 20, "fits": 3}),
    (activations.leaky, {"slope": 0.2}),
    (activations.sine, {"frequency": 2.0}),
    (allocation.constraint_space, {"covariance": SIGMA, "jacobian": J}),
    (layers.augmented_capacity, {"augmented_covariance": np.eye(4), "projection": P, "jacobian": J}),
    (layers.augmented_inputs, {"inputs": np.ones((3, 2)), "projection": P, "activation": RELU}),
    (layers.repeated_subspace, {"vectors": J, "outputs": 2}),
    (layers.coupled_covariance, {"covariance": SIGMA, "outputs": 2, "nu": 0.5}),
    (layers.gaussian_covariance, {"covariance": SIGMA, "projection": P, "activation": RELU}),
    (
        layers.sampled_covariance,
        {"covariance": SIGMA, "projection": P, "activation": RELU, "samples": 20, "batch": 10, "rng": 0},
    ),
    (layers.coupled_capacity, {"projection": P, "jacobian": J, "nu": 0.5, "covariance": SIGMA}),
    (layers.coupling_crossover, {"outputs": 4, "gain": np.array([2.0])}),
    (layers.gaussian_capacity, {"projection": P, "jacobian": J, "activation": RELU, "covariance": SIGMA}),
    (layers.linear_capacity, {"projection": P, "jacobian": J, "covariance": SIGMA}),
    (layers.pseudo_random_capacity, {"projection": P, "jacobian": J, "covariance": SIGMA}),
    (layers.differential_capacity, {"projection": P, "jacobian": J, "eps": 0.1}),
    (layers.forward_coefficients, {"left": 0.5, "centre": 0.0, "right": 0.5}),
    (depth.diffuse, {"profile": np.arange(4.0), "spacing": 1.0, "time": 1.0, "drift": 0.5, "diffusion": 1.0}),
    (depth.drift_and_diffusion, {"stencil": STENCIL, "spacing": 1.0}),
    (depth.gaussian_kernel, {"x": np.arange(3.0), "time": 1.0, "drift": 0.5, "diffusion": 1.0}),
    (depth.generator, {"stencil": STENCIL, "size": 4}),
    (depth.stencil_of_diffusion, {"drift": 0.5, "diffusion": 1.0, "spacing": 0.1}),
    (linalg.certified_singular_values, {"matrix": SIGMA}),
    (linalg.exponential_sum, {"sequence": np.array([2.0, 3.0, 5.0, 9.0])}),
    (linalg.power_law_predictor, {"n": 2, "exponent": 0.5}),
    (linalg.rank_modulo, {"matrix": np.array([[1, 2], [3, 4]]), "modulus": 7}),
    (depth.expected_squared_gradient, {"projections": [P, P], "nu": 0.5, "output": 0}),
    (
        depth.gradient_field,
        {"n_layers": 1, "activation": RELU, "channels": 2, "taps": 3, "realisations": 2, "batch": 1, "rng": 0},
    ),
    (linalg.jacobian_basis, {"jacobian": J}),
    (depth.path_features, {"projections": [P, P], "features": J}),
    (depth.straight_path_weights, {"transitions": [SHARES, SHARES]}),
    (depth.propagate, {"transitions": [SHARES, SHARES], "capacity": np.array([1.0, 0.0])}),
    (depth.uppermost_capacity, {"size": 3, "at": 1}),
    (networks.Layer, {"weights": P, "bias": np.ones(2), "residual": 0.5, "dimensions": 0}),
    (networks.forward_pass, {"layers": [networks.Layer(P)], "inputs": P}),
    (networks.backward_pass, {"forward": PASSED, "cotangents": P}),
    (networks.tangent_pass, {"forward": PASSED, "tangents": P}),
    (networks.sample_gradients, {"activities": P, "gradients": P}),
    (networks.second_moment, {"vectors": P}),
    (networks.random_weights, {"n_layers": 1, "channels": 2, "taps": 3, "dimensions": 1, "rng": 0}),
    (depth.field_moments, {"profile": np.array([0.0, 1.0, 2.0]), "dimensions": 1}),
    (depth.random_shares, {"shape": 2, "taps": 3, "eps": 0.1, "dimensions": 1, "rng": 0}),
    (depth.unshared_spread, {"n_layers": 1, "taps": 3, "realisations": 2, "dimensions": 1, "rng": 0}),
    (models.scaled_exponentials, {"poles": np.array([0.5, 2.0]), "n": 3}),
    (more_models.s4d_lin_poles, {"pairs": 2, "step": 0.1}),
    (more_models.s4d_inv_poles, {"pairs": 2, "step": 0.1}),
    (more_models.ring_poles, {"pairs": 2, "inner": 0.5, "outer": 0.9, "largest_angle": 1.0, "rng": 0}),
    (more_models.DiagonalStateSpace, {"n_inputs": 8, "pairs": 2}),
    (more_models.DiagonalStateSpace(8, 2).parameters, {"poles": np.array([0.5, 0.2]), "rng": 0}),
    (more_models.DiagonalStateSpace(8, 1).coefficients, {"parameters": np.array([0.1, 0.2, 0.3, 0.4])}),
    (
        more_models.DiagonalStateSpace(8, 1).pullback,
        {"parameters": np.array([0.1, 0.2, 0.3, 0.4]), "cotangent": np.ones(8)},
    ),
    (
        fitting.fit,
        {
            "model": more_models.DiagonalStateSpace(8, 1),
            "task": tasks.GaussianProcess(),
            "initial": np.ones(4),
            "restarts": 1,
            "rng": 0,
            "max_iterations": 2,
        },
    ),
    (statistics.fit_power_law, {"x": np.array([1.0, 2.0, 4.0]), "y": np.array([3.0, 12.0, 48.0])}),
    (depth.RandomNetwork, {"n_layers": 1, "activation": RELU, "width": 2, "residual": 0.5}),
    (
        depth.gradients_on_grid,
        {"network": depth.RandomNetwork(1, RELU, 2), "points": 3, "reach": 1.0, "realisations": 2, "rng": 0},
    ),
    (
        depth.sampled_gradient_correlation,
        {"network": depth.RandomNetwork(1, RELU, 4), "batch": 2, "realisations": 2, "rng": 0},
    ),
    (depth.straight_share, {"rate": 0.5, "n_layers": np.array([1, 2])}),
    (linalg.is_orthonormal, {"vectors": np.eye(2)}),
    (linalg.orthonormal_basis, {"matrix": J}),
    (linalg.principal_angles, {"first": J, "second": SIGMA}),
    (
        models.tensor_train_parameters,
        {"coefficients": np.arange(4.0), "taps": (2, 2), "channels": (1,), "components": 1, "rng": 0},
    ),
    (models.unfolding_singular_values, {"coefficients": np.arange(4.0), "taps": (2, 2), "components": 1}),
    (linalg.ToeplitzOperator([2.0, 1.0]).solve, {"right": np.ones(2)}),
    (layers.check_transition, {"matrix": SHARES, "name": "matrix"}),
    (layers.convolution_projection, {"kernel": STENCIL, "size": 4, "stride": 1}),
    (layers.residual_projection, {"residual": P, "eps": 0.1}),
    (layers.transition_matrix, {"projection": P, "covariance": SIGMA}),
    (tasks.empirical, {"series": np.array([1.0, 3.0, 2.0])}),
    (depth.layer_step, {"delta": RATES, "eps": 0.1}),
    (depth.kolmogorov_forward, {"delta": RATES, "capacity": np.ones(2), "times": np.array([0.5, 1.0])}),
    (depth.stack_capacity, {"projections": [P, P], "jacobian": J, "covariance": SIGMA}),
    (depth.path_inputs, {"inputs": P, "projections": [P], "activations": [RELU]}),
    (
        fitting.fit,
        {
            "model": models.FullyConnected(2),
            "task": tasks.GaussianProcess(),
            "initial": np.ones(2),
            "restarts": 1,
            "rng": 0,
        },
    ),
    (activations.sampled_coupling, {"activation": RELU, "samples": 10, "scale": 1.0, "rng": 0}),
    (statistics.fit_exponential, {"x": np.array([1.0, 2.0, 4.0]), "y": np.array([3.0, 12.0, 48.0])}),
    (statistics.autocorrelation, {"series": P, "lags": 1}),
    (look_backs.block_bootstrap, {"series": np.arange(24.0) ** 2, "length": 2, "resamples": 2}),
    (readers.recurrent, {"inputs": 8, "channels": 2}),
    (readers.ssm, {"inputs": 8, "states": 4}),
    (readers.tcn, {"dilations": (1, 2), "stacks": 2, "channels": 2, "taps": 2, "components": 1}),
    (readers.cnn, {"size": (8, 8), "channels": (2, 3), "components": 1, "kernel": 3, "strides": 1}),
    (
        reports.linear_report,
        {"model": models.DilatedConvolution([1, 2]), "optima": 1, "resamples": 0, "level": 0.9},
    ),
    (statistics.power_spectrum, {"series": np.array([[1.0, 3.0, 2.0, 7.0]])}),
    (tasks.hermite_features(2), {"inputs": np.array([1.0, 2.0])}),
    (models.DilatedConvolution.from_weights, {"weights": [np.ones((1, 1, 2))], "dilations": (1,)}),
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
    (graphs.forward, {"graph": GRAPH, "inputs": SERIES}),
    (graphs.capacity_flow, {"graph": GRAPH, "coupling": 0.5}),
    (graphs.dense_input_capacity, {"graph": GRAPH, "coupling": 0.5}),
    (graphs.measured_couplings, {"graph": GRAPH, "data": SERIES}),
    (graphs.squared_gradient, {"graph": GRAPH, "data": SERIES}),
    (graphs.sampled_input_capacity, {"graph": GRAPH, "data": SERIES}),
    (graphs.probe_receptive_field, {"graph": GRAPH, "inputs": SERIES}),
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
    (activations.coupling, {"activation": RELU}),
    (depth.masked_gradients, {"projections": [P], "activation": RELU, "output": 0, "samples": 2}),
    (layers.differential_inputs, {"inputs": P, "projection": P, "activation": RELU}),
    (depth.residual_tail_exponent, {"activation": RELU}),
    (allocation.conditional_capacity, {"first": SPACE, "given": SPACE}),
    (allocation.additivity_excess, {"first": SPACE, "second": SPACE}),
    (allocation.expected_squared_error, {"space": SPACE, "subspace": J / np.sqrt(5)}),
    (allocation.chain_capacities, {"spaces": [SPACE]}),
    (allocation.generic_redundant_sets, {"model": models.FullyConnected(2)}),
    (models.FrozenLayers, {"model": models.DilatedConvolution((1, 1)), "values": {"layer 1": [1.0, 2.0]}}),
    (tasks.FeatureProcess, {"process": tasks.GaussianProcess(), "feature_map": tasks.hermite_features(2)}),
    (tasks.feature_moments, {"feature_map": tasks.hermite_features(2), "correlations": np.array([0.5])}),
    (graphs.receptive_fields, {"graph": GRAPH}),
]


def spoilt(value):
    """What may come by mistake in place of an argument, each of which must be refused."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        nan, infinite = value.copy(), value.copy()
        nan.flat[-1], infinite.flat[-1] = np.nan, np.inf
        masked = np.ma.masked_array(value, mask=np.arange(value.size).reshape(value.shape) == 0)
        text = value.astype(str)
        return [nan, infinite, masked, value + 1j, text, text.astype(object), np.zeros((0, *value.shape[1:])), []]
    if isinstance(value, list) and isinstance(value[0], np.ndarray):
        return [[], *([other, *value[1:]] for other in spoilt(value[0]) if not np.ma.isMaskedArray(other))]
    if isinstance(value, tuple):
        return [(*value[:-1], 1.5), (*value[:-1], 0), 2.5]
    if isinstance(value, int):
        return [float("nan"), float("inf"), -1, "3", None, 1j]
    if isinstance(value, float):
        return [float("nan"), float("inf"), float("-inf"), "0.5", 1j, [value]]
    return [] if isinstance(value, np.ndarray | list | str) else ["relu", None, 3][isinstance(value, Path) :]


def label(function):
    """The name of a function, after that of the object whose method it is."""
    owner = getattr(function, "__self__", None)
    return f"{type(owner).__name__}." * (owner is not None) + getattr(function, "__name__", repr(function))


def answer(function, arguments, name):
    """What a call does other than to refuse the argument by its name, or nothing."""
    try:
        function(**arguments)
    except (TypeError, ValueError) as error:
        refused = re.search(rf"{name}\b.*: .*expected .*, got .*; \w", str(error))
        return None if refused else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def meant(function, name, wrong):
    """Whether it is a value that the argument may have: None where that is its default."""
    return wrong is None and inspect.signature(function).parameters[name].default is None


def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone():
    for function, arguments in CALLS:
        arrays = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray)}
        before = {name: value.copy() for name, value in arrays.items()}
        for value in arrays.values():
            value.flags.writeable = False
        function(**arguments)
        for name, value in arrays.items():
            np.testing.assert_equal(value, before[name], err_msg=f"{label(function)}: {name}")


def test_what_cannot_be_meant_is_refused_by_name():
    cases = [
        (function, arguments | {name: wrong}, name)
        for function, arguments in CALLS
        for name, value in arguments.items()
        for wrong in (["0"] if name == "rng" else spoilt(value))
        if not meant(function, name, wrong)
    ]
    answers = ((*case, answer(*case)) for case in cases)
    assert [f"{label(f)}({name}={given[name]!r}): {said}" for f, given, name, said in answers if said] == []
