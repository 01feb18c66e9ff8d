"""Every public function refuses what cannot be meant by name, and says what it expected; it never answers with NaN."""

import re

import numpy as np
import pytest

from capacity import activations
from capacity.activations import coupling, sampled_coupling
from capacity.allocation import (
    additivity_excess,
    allocation_distance,
    chain_capacities,
    conditional_capacity,
    constraint_space,
    expected_squared_error,
    generic_redundant_sets,
    segment_capacity,
    spatial_capacity,
)
from capacity.bridge import (
    effective_dimension,
    rectifier_rank,
    sample_constraints,
    shared_matrix,
    smallest_split,
    soft_capacity,
)
from capacity.depth import (
    RandomNetwork,
    diffuse,
    drift_and_diffusion,
    expected_squared_gradient,
    field_moments,
    gaussian_kernel,
    generator,
    gradient_field,
    gradients_on_grid,
    kolmogorov_forward,
    layer_step,
    masked_gradients,
    path_features,
    path_inputs,
    propagate,
    random_shares,
    residual_tail_exponent,
    sampled_gradient_correlation,
    stack_capacity,
    stencil_of_diffusion,
    straight_path_weights,
    straight_share,
    unshared_spread,
    uppermost_capacity,
)
from capacity.design import DilatedStack, Want, expected_allocation, pareto_layers, search
from capacity.fitting import fit
from capacity.inspection.graphs import (
    capacity_flow,
    dense_input_capacity,
    forward,
    from_layers,
    holding_lags,
    holding_side,
    make_node,
    measured_couplings,
    probe_receptive_field,
    receptive_fields,
    redrawn_weights,
    sampled_input_capacity,
    squared_gradient,
)
from capacity.inspection.readers import cnn, installed_file, read_onnx, read_weights, recurrent, ssm, tcn
from capacity.inspection.reports import linear_report
from capacity.layers import (
    augmented_capacity,
    augmented_inputs,
    check_transition,
    convolution_projection,
    coupled_capacity,
    coupled_covariance,
    coupling_crossover,
    differential_capacity,
    differential_inputs,
    forward_coefficients,
    gaussian_capacity,
    gaussian_covariance,
    linear_capacity,
    pseudo_random_capacity,
    repeated_subspace,
    residual_projection,
    sampled_covariance,
    transition_matrix,
)
from capacity.linalg import (
    ToeplitzOperator,
    certified_singular_values,
    exponential_sum,
    is_orthonormal,
    jacobian_basis,
    orthonormal_basis,
    power_law_predictor,
    principal_angles,
    rank_modulo,
    singular_value_decomposition,
)
from capacity.models import (
    DiagonalStateSpace,
    DilatedConvolution,
    FrozenLayers,
    FullyConnected,
    ring_poles,
    s4d_inv_poles,
    s4d_lin_poles,
    scaled_exponentials,
    tensor_train_parameters,
    unfolding_singular_values,
)
from capacity.networks import (
    Layer,
    backward_pass,
    central_gradient,
    forward_pass,
    random_weights,
    sample_gradients,
    second_moment,
    tangent_pass,
)
from capacity.statistics import autocorrelation, block_bootstrap, fit_exponential, fit_power_law, power_spectrum
from capacity.tasks import FeatureProcess, GaussianProcess, empirical, feature_moments, hermite_features
from studies.data import RowPrediction, tone_spectrogram
from studies.held_out import (
    even_channels,
    initial_capacity,
    lag_demand,
    least,
    random_architectures,
    unmet_demand,
    verdict,
)
from studies.memory import memory_by_lag, memory_capacity
from studies.training import classification_accuracy, cross_entropy, train_classifier

SIGMA = np.array([[2.0, 1.0], [1.0, 2.0]])
P = np.array([[1.0, 0.5], [0.0, 1.0]])
J = np.array([[1.0], [2.0]])
SHARES = np.array([[0.5, 0.25], [0.5, 0.75]])
STENCIL = np.array([1.0, -3.0, 2.0])
KERNELS = np.random.default_rng(0).standard_normal((2, 1, 2, 2, 3))
FIELD = np.random.default_rng(1).standard_normal((1, 2, 5))
RELU = activations.relu()
RATES = np.array([[-1.0, 2.0], [1.0, -2.0]])
SPACE = constraint_space(SIGMA, J)
PASSED = forward_pass([Layer(SIGMA, activation=RELU)], P)
NETWORK = [Layer(SIGMA), Layer(J.T, activation=RELU)]
GRAPH = from_layers((1, 4), [("convolution", {"kernel": np.ones((2, 1, 3))}), ("activation", {"function": "relu"})])
SERIES = np.ones((2, 1, 4))

ONNX_FILE = installed_file("onnx", "data/light/light_squeezenet.onnx")
NPZ_FILE = installed_file("matplotlib", "sample_data/jacksboro_fault_dem.npz")

# A call that is right for each function. Its arrays and numbers are then spoilt one after the other.
STACK = DilatedConvolution.hierarchical(3)
SPATIAL = {"model": STACK, "parameters": STACK.initial(0), "covariance": np.eye(8), "memory": 1000, "rtol": 1e-10}
CALLS = [
    (DilatedStack, {"base": 2, "depth": 3, "stacks": 1, "taps": 2, "channels": 2}),
    (expected_allocation, {"sizes": np.array([1.0, 2.0, 3.0]), "totals": np.array([1.0, 2.0])}),
    (pareto_layers, {"costs": np.array([[1.0, 2.0], [2.0, 1.0]])}),
    (segment_capacity, {"dilations": [1, 2], "channels": 2, "taps": 2, "components": 1}),
    (spatial_capacity, SPATIAL),
    (search, {"wants": Want((3, None), share=0.5), "budget": 20, "fits": 3}),
    (activations.leaky, {"slope": 0.2}),
    (activations.sine, {"frequency": 2.0}),
    (constraint_space, {"covariance": SIGMA, "jacobian": J}),
    (augmented_capacity, {"augmented_covariance": np.eye(4), "projection": P, "jacobian": J}),
    (augmented_inputs, {"inputs": np.ones((3, 2)), "projection": P, "activation": RELU}),
    (repeated_subspace, {"vectors": J, "outputs": 2}),
    (coupled_covariance, {"covariance": SIGMA, "outputs": 2, "nu": 0.5}),
    (gaussian_covariance, {"covariance": SIGMA, "projection": P, "activation": RELU}),
    (
        sampled_covariance,
        {"covariance": SIGMA, "projection": P, "activation": RELU, "samples": 20, "batch": 10, "rng": 0},
    ),
    (coupled_capacity, {"projection": P, "jacobian": J, "nu": 0.5, "covariance": SIGMA}),
    (coupling_crossover, {"outputs": 4, "gain": np.array([2.0])}),
    (gaussian_capacity, {"projection": P, "jacobian": J, "activation": RELU, "covariance": SIGMA}),
    (linear_capacity, {"projection": P, "jacobian": J, "covariance": SIGMA}),
    (pseudo_random_capacity, {"projection": P, "jacobian": J, "covariance": SIGMA}),
    (differential_capacity, {"projection": P, "jacobian": J, "eps": 0.1}),
    (forward_coefficients, {"left": 0.5, "centre": 0.0, "right": 0.5}),
    (diffuse, {"profile": np.arange(4.0), "spacing": 1.0, "time": 1.0, "drift": 0.5, "diffusion": 1.0}),
    (drift_and_diffusion, {"stencil": STENCIL, "spacing": 1.0}),
    (gaussian_kernel, {"x": np.arange(3.0), "time": 1.0, "drift": 0.5, "diffusion": 1.0}),
    (generator, {"stencil": STENCIL, "size": 4}),
    (stencil_of_diffusion, {"drift": 0.5, "diffusion": 1.0, "spacing": 0.1}),
    (certified_singular_values, {"matrix": SIGMA}),
    (exponential_sum, {"sequence": np.array([2.0, 3.0, 5.0, 9.0])}),
    (power_law_predictor, {"n": 2, "exponent": 0.5}),
    (rank_modulo, {"matrix": np.array([[1, 2], [3, 4]]), "modulus": 7}),
    (expected_squared_gradient, {"projections": [P, P], "nu": 0.5, "output": 0}),
    (
        gradient_field,
        {"n_layers": 1, "activation": RELU, "channels": 2, "taps": 3, "realisations": 2, "batch": 1, "rng": 0},
    ),
    (allocation_distance, {"first": np.array([1.0, 2.0]), "second": np.array([2.0, 1.0])}),
    (jacobian_basis, {"jacobian": J}),
    (path_features, {"projections": [P, P], "features": J}),
    (straight_path_weights, {"transitions": [SHARES, SHARES]}),
    (propagate, {"transitions": [SHARES, SHARES], "capacity": np.array([1.0, 0.0])}),
    (uppermost_capacity, {"size": 3, "at": 1}),
    (Layer, {"weights": P, "bias": np.ones(2), "residual": 0.5, "dimensions": 0}),
    (forward_pass, {"layers": [Layer(P)], "inputs": P}),
    (backward_pass, {"forward": PASSED, "cotangents": P}),
    (tangent_pass, {"forward": PASSED, "tangents": P}),
    (sample_gradients, {"activities": P, "gradients": P}),
    (second_moment, {"vectors": P}),
    (central_gradient, {"weights": KERNELS, "inputs": FIELD, "activation": RELU}),
    (random_weights, {"n_layers": 1, "channels": 2, "taps": 3, "dimensions": 1, "rng": 0}),
    (field_moments, {"profile": np.array([0.0, 1.0, 2.0]), "dimensions": 1}),
    (random_shares, {"shape": 2, "taps": 3, "eps": 0.1, "dimensions": 1, "rng": 0}),
    (unshared_spread, {"n_layers": 1, "taps": 3, "realisations": 2, "dimensions": 1, "rng": 0}),
    (scaled_exponentials, {"poles": np.array([0.5, 2.0]), "n": 3}),
    (memory_by_lag, {"poles": np.array([0.5, 0.2]), "n": 3}),
    (memory_capacity, {"poles": np.array([0.5, 0.2]), "atol": 0.1}),
    (s4d_lin_poles, {"pairs": 2, "step": 0.1}),
    (s4d_inv_poles, {"pairs": 2, "step": 0.1}),
    (ring_poles, {"pairs": 2, "inner": 0.5, "outer": 0.9, "largest_angle": 1.0, "rng": 0}),
    (DiagonalStateSpace, {"n_inputs": 8, "pairs": 2}),
    (DiagonalStateSpace(8, 2).parameters, {"poles": np.array([0.5, 0.2]), "rng": 0}),
    (DiagonalStateSpace(8, 1).coefficients, {"parameters": np.array([0.1, 0.2, 0.3, 0.4])}),
    (DiagonalStateSpace(8, 1).pullback, {"parameters": np.array([0.1, 0.2, 0.3, 0.4]), "cotangent": np.ones(8)}),
    (
        fit,
        {
            "model": DiagonalStateSpace(8, 1),
            "task": GaussianProcess(),
            "initial": np.ones(4),
            "restarts": 1,
            "rng": 0,
            "max_iterations": 2,
        },
    ),
    (fit_power_law, {"x": np.array([1.0, 2.0, 4.0]), "y": np.array([3.0, 12.0, 48.0])}),
    (RandomNetwork, {"n_layers": 1, "activation": RELU, "width": 2, "residual": 0.5}),
    (gradients_on_grid, {"network": RandomNetwork(1, RELU, 2), "points": 3, "reach": 1.0, "realisations": 2, "rng": 0}),
    (sampled_gradient_correlation, {"network": RandomNetwork(1, RELU, 4), "batch": 2, "realisations": 2, "rng": 0}),
    (straight_share, {"rate": 0.5, "n_layers": np.array([1, 2])}),
    (is_orthonormal, {"vectors": np.eye(2)}),
    (orthonormal_basis, {"matrix": J}),
    (principal_angles, {"first": J, "second": SIGMA}),
    (singular_value_decomposition, {"matrix": J}),
    (
        tensor_train_parameters,
        {"coefficients": np.arange(4.0), "taps": (2, 2), "channels": (1,), "components": 1, "rng": 0},
    ),
    (unfolding_singular_values, {"coefficients": np.arange(4.0), "taps": (2, 2), "components": 1}),
    (ToeplitzOperator([2.0, 1.0]).solve, {"right": np.ones(2)}),
    (check_transition, {"matrix": SHARES, "name": "matrix"}),
    (convolution_projection, {"kernel": STENCIL, "size": 4, "stride": 1}),
    (residual_projection, {"residual": P, "eps": 0.1}),
    (transition_matrix, {"projection": P, "covariance": SIGMA}),
    (empirical, {"series": np.array([1.0, 3.0, 2.0])}),
    (layer_step, {"delta": RATES, "eps": 0.1}),
    (RowPrediction, {"train": SIGMA, "test": SIGMA}),
    (RowPrediction.from_rows, {"rows": np.sin(np.arange(30.0) ** 2), "n": 2, "share": 0.5}),
    (RowPrediction(SIGMA, SIGMA).held_out_loss, {"coefficients": np.ones(1)}),
    (least, {"scores": np.array([3.0, 1.0]), "count": 1}),
    (lag_demand, {"task": GaussianProcess(), "n": 3}),
    (unmet_demand, {"capacity": np.array([0.5, 1.0]), "demand": np.array([1.0, 2.0])}),
    (random_architectures, {"count": 1, "parameters": 32, "fields": (8, 32), "rng": 0}),
    (even_channels, {"n_layers": 3, "parameters": 16, "taps": 2, "largest": 2}),
    (initial_capacity, {"model": FullyConnected(2), "task": GaussianProcess(), "n": 3, "draws": 2, "rng": 0}),
    (verdict, {"interval": np.array([-1.0, 1.0]), "margin": 0.1}),
    (kolmogorov_forward, {"delta": RATES, "capacity": np.ones(2), "times": np.array([0.5, 1.0])}),
    (stack_capacity, {"projections": [P, P], "jacobian": J, "covariance": SIGMA}),
    (path_inputs, {"inputs": P, "projections": [P], "activations": [RELU]}),
    (fit, {"model": FullyConnected(2), "task": GaussianProcess(), "initial": np.ones(2), "restarts": 1, "rng": 0}),
    (sampled_coupling, {"activation": RELU, "samples": 10, "scale": 1.0, "rng": 0}),
    (
        train_classifier,
        {
            "layers": [Layer(P)],
            "inputs": P,
            "labels": np.array([0.0, 1.0]),
            "steps": 1,
            "learning_rate": 0.5,
            "batch": 1,
        },
    ),
    (tone_spectrogram, {"notes": np.array([[440.0, 0.0, 1.0], [220.0, 0.5, 2.0]]), "lowest": 110.0, "noise": 1e-6}),
    (cross_entropy, {"outputs": P, "labels": np.array([0.0, 1.0])}),
    (classification_accuracy, {"layers": [Layer(P)], "inputs": P, "labels": np.array([0.0, 1.0])}),
    (fit_exponential, {"x": np.array([1.0, 2.0, 4.0]), "y": np.array([3.0, 12.0, 48.0])}),
    (autocorrelation, {"series": P, "lags": 1}),
    (block_bootstrap, {"series": np.arange(24.0) ** 2, "length": 2, "resamples": 2}),
    (recurrent, {"inputs": 8, "channels": 2}),
    (ssm, {"inputs": 8, "states": 4}),
    (tcn, {"dilations": (1, 2), "stacks": 2, "channels": 2, "taps": 2, "components": 1}),
    (cnn, {"size": (8, 8), "channels": (2, 3), "components": 1, "kernel": 3, "strides": 1}),
    (linear_report, {"model": DilatedConvolution([1, 2]), "optima": 1, "resamples": 0, "level": 0.9}),
    (power_spectrum, {"series": np.array([[1.0, 3.0, 2.0, 7.0]])}),
    (hermite_features(2), {"inputs": np.array([1.0, 2.0])}),
    (DilatedConvolution.from_weights, {"weights": [np.ones((1, 1, 2))], "dilations": (1,)}),
    (soft_capacity, {"constraints": J, "temperature": np.array([0.0, 2.0]), "directions": J / np.sqrt(5), "rtol": 0.1}),
    (effective_dimension, {"eigenvalues": np.array([1.0, 2.0]), "temperature": np.array([0.0, 2.0]), "rtol": 0.1}),
    (shared_matrix, {"inputs": np.sqrt(2) * np.eye(2), "jacobian": J, "temperature": 0.5, "rtol": 0.1}),
    (rectifier_rank, {"widths": (2, 3, 1), "layers": (1, 2)}),
    (sample_constraints, {"layers": NETWORK, "inputs": P, "rtol": 0.1}),
    (smallest_split, {"layers": NETWORK, "inputs": P}),
    (forward, {"graph": GRAPH, "inputs": SERIES}),
    (capacity_flow, {"graph": GRAPH, "coupling": 0.5}),
    (dense_input_capacity, {"graph": GRAPH, "coupling": 0.5}),
    (measured_couplings, {"graph": GRAPH, "data": SERIES}),
    (squared_gradient, {"graph": GRAPH, "data": SERIES}),
    (sampled_input_capacity, {"graph": GRAPH, "data": SERIES}),
    (probe_receptive_field, {"graph": GRAPH, "inputs": SERIES}),
    (redrawn_weights, {"graph": GRAPH, "rng": 0}),
    (holding_side, {"field": P, "share": 0.5, "centre": np.array([0.0, 0.0])}),
    (holding_lags, {"field": P[0], "share": 0.5}),
    (make_node, {"name": "x", "operator": "dense", "inputs": GRAPH.nodes[0], "kernel": np.ones((2, 4))}),
    (make_node, {"name": "x", "operator": "scale", "inputs": GRAPH.nodes[0], "factor": np.ones(1)}),
    (read_onnx, {"path": ONNX_FILE, "input_sizes": (1, 3, 224, 224), "memory": 2**26}),
    (read_weights, {"path": NPZ_FILE, "memory": 2**26}),
]

# Objects of another kind, for each argument that is no array.
OBJECTS = [
    (coupling, {"activation": RELU}),
    (sampled_coupling, {"activation": RELU, "samples": 10}),
    (gaussian_capacity, {"projection": P, "jacobian": J, "activation": RELU}),
    (masked_gradients, {"projections": [P], "activation": RELU, "output": 0, "samples": 2}),
    (central_gradient, {"weights": KERNELS, "inputs": FIELD, "activation": RELU}),
    (differential_inputs, {"inputs": P, "projection": P, "activation": RELU}),
    (residual_tail_exponent, {"activation": RELU}),
    (backward_pass, {"forward": PASSED, "cotangents": P}),
    (tangent_pass, {"forward": PASSED, "tangents": P}),
    (gradients_on_grid, {"network": RandomNetwork(1, RELU, 2)}),
    (conditional_capacity, {"first": SPACE, "given": SPACE}),
    (additivity_excess, {"first": SPACE, "second": SPACE}),
    (expected_squared_error, {"space": SPACE, "subspace": J / np.sqrt(5)}),
    (chain_capacities, {"spaces": [SPACE]}),
    (fit, {"model": FullyConnected(2), "task": GaussianProcess()}),
    (generic_redundant_sets, {"model": FullyConnected(2)}),
    (FrozenLayers, {"model": DilatedConvolution((1, 1)), "values": {"layer 1": [1.0, 2.0]}}),
    (FeatureProcess, {"process": GaussianProcess(), "feature_map": hermite_features(2)}),
    (feature_moments, {"feature_map": hermite_features(2), "correlations": 0.5}),
    (forward, {"graph": GRAPH, "inputs": SERIES}),
    (capacity_flow, {"graph": GRAPH}),
    (dense_input_capacity, {"graph": GRAPH}),
    (measured_couplings, {"graph": GRAPH, "data": SERIES}),
    (squared_gradient, {"graph": GRAPH, "data": SERIES}),
    (receptive_fields, {"graph": GRAPH}),
    (probe_receptive_field, {"graph": GRAPH}),
    (redrawn_weights, {"graph": GRAPH, "rng": 0}),
]


def spoilt(value):
    """What may come by mistake in place of an argument, each of which must be refused."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        nan, infinite = value.copy(), value.copy()
        nan.flat[-1], infinite.flat[-1] = np.nan, np.inf
        masked = np.ma.masked_array(value, mask=np.arange(value.size).reshape(value.shape) == 0)
        return [
            nan,
            infinite,
            masked,
            value + 1j,
            value.astype(str),
            value.astype(str).astype(object),
            np.zeros((0, *value.shape[1:])),
            [],
        ]
    if isinstance(value, list) and isinstance(value[0], np.ndarray):
        return [[], *([other, *value[1:]] for other in spoilt(value[0]) if not np.ma.isMaskedArray(other))]
    if isinstance(value, tuple):
        return [(*value[:-1], 1.5), (*value[:-1], 0), 2.5]
    if isinstance(value, int):
        return [float("nan"), float("inf"), -1, "3", None, 1j]
    if isinstance(value, float):
        return [float("nan"), float("inf"), float("-inf"), "0.5", 1j, [value]]
    return []


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


def not_refused(cases):
    """The cases, each a function, its arguments and the name of the wrong one, that are not refused by that name."""
    answers = ((*case, answer(*case)) for case in cases)
    return [f"{label(f)}({name}={given[name]!r}): {said}" for f, given, name, said in answers if said]


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
        for wrong in (spoilt(value) if name != "rng" else [])
    ]
    assert not_refused(cases) == []


def test_a_bad_source_of_randomness_is_refused_by_name():
    drawn = [(function, arguments) for function, arguments in CALLS if "rng" in arguments]
    assert drawn
    for function, arguments in drawn:
        message = "rng: expected a source of random numbers, got '0'; pass a seed"
        with pytest.raises(TypeError, match=message):
            function(**arguments | {"rng": "0"})


def test_objects_of_another_kind_are_refused_by_name():
    for function, arguments in OBJECTS:
        function(**arguments)
    cases = [
        (function, arguments | {name: wrong}, name)
        for function, arguments in OBJECTS
        for name, value in arguments.items()
        for wrong in (("relu", None, 3) if not isinstance(value, np.ndarray | int | float) and name != "rng" else ())
    ]
    assert not_refused(cases) == []
