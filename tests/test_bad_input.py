"""Every public function refuses what cannot be meant by name, and says what it expected; it never answers with NaN."""

import numpy as np
import pytest

from capacity import (
    activations,
    allocation,
    augmented,
    augmented_covariance,
    decoupling,
    differential,
    diffusion,
    extended,
    finite_field,
    gradient_field,
    multivariate,
    networks,
    paths,
    propagation,
    random_convolutions,
    receptive_field,
    recurrences,
    scaling,
    shattered_gradients,
    shattering,
    subspaces,
    tensor_trains,
    toeplitz,
    transition,
)

SIGMA = np.array([[2.0, 1.0], [1.0, 2.0]])
P = np.array([[1.0, 0.5], [0.0, 1.0]])
J = np.array([[1.0], [2.0]])
SHARES = np.array([[0.5, 0.25], [0.5, 0.75]])
STENCIL = np.array([1.0, -3.0, 2.0])
KERNELS = np.random.default_rng(0).standard_normal((2, 1, 2, 2, 3))
FIELD = np.random.default_rng(1).standard_normal((1, 2, 5))
RELU = activations.relu()

# A call that is right for each function. Its arrays and numbers are then spoilt one after the other.
CALLS = [
    (activations.leaky, {"slope": 0.2}),
    (activations.sine, {"frequency": 2.0}),
    (allocation.constraint_space, {"covariance": SIGMA, "jacobian": J}),
    (augmented.augmented_capacity, {"augmented_covariance": np.eye(4), "projection": P, "jacobian": J}),
    (augmented.augmented_inputs, {"inputs": np.ones((3, 2)), "projection": P, "activation": RELU}),
    (augmented.repeated_subspace, {"vectors": J, "outputs": 2}),
    (augmented_covariance.coupled_covariance, {"covariance": SIGMA, "outputs": 2, "nu": 0.5}),
    (augmented_covariance.gaussian_covariance, {"covariance": SIGMA, "projection": P, "activation": RELU}),
    (
        augmented_covariance.sampled_covariance,
        {"covariance": SIGMA, "projection": P, "activation": RELU, "samples": 20, "batch": 10, "rng": 0},
    ),
    (decoupling.coupled_capacity, {"projection": P, "jacobian": J, "nu": 0.5, "covariance": SIGMA}),
    (decoupling.crossover, {"outputs": 4, "gain": np.array([2.0])}),
    (decoupling.gaussian_capacity, {"projection": P, "jacobian": J, "activation": RELU, "covariance": SIGMA}),
    (decoupling.linear_capacity, {"projection": P, "jacobian": J, "covariance": SIGMA}),
    (decoupling.pseudo_random_capacity, {"projection": P, "jacobian": J, "covariance": SIGMA}),
    (differential.differential_capacity, {"projection": P, "jacobian": J, "eps": 0.1}),
    (differential.forward_coefficients, {"left": 0.5, "centre": 0.0, "right": 0.5}),
    (diffusion.diffuse, {"profile": np.arange(4.0), "spacing": 1.0, "time": 1.0, "drift": 0.5, "diffusion": 1.0}),
    (diffusion.drift_and_diffusion, {"stencil": STENCIL, "spacing": 1.0}),
    (diffusion.gaussian_kernel, {"x": np.arange(3.0), "time": 1.0, "drift": 0.5, "diffusion": 1.0}),
    (diffusion.generator, {"stencil": STENCIL, "size": 4}),
    (diffusion.stencil_of_diffusion, {"drift": 0.5, "diffusion": 1.0, "spacing": 0.1}),
    (extended.certified_singular_values, {"matrix": SIGMA}),
    (extended.exponential_sum, {"sequence": np.array([2.0, 3.0, 5.0, 9.0])}),
    (extended.power_law_predictor, {"n": 2, "exponent": 0.5}),
    (finite_field.rank_modulo, {"matrix": np.array([[1, 2], [3, 4]]), "modulus": 7}),
    (gradient_field.expected_squared_gradient, {"projections": [P, P], "nu": 0.5, "output": 0}),
    (
        gradient_field.gradient_field,
        {"layers": 1, "activation": RELU, "channels": 2, "taps": 3, "realisations": 2, "batch": 1, "rng": 0},
    ),
    (multivariate.allocation_distance, {"first": np.array([1.0, 2.0]), "second": np.array([2.0, 1.0])}),
    (multivariate.interleave, {"blocks": [SIGMA, P]}),
    (networks.jacobian_basis, {"jacobian": J}),
    (paths.path_features, {"projections": [P, P], "features": J}),
    (paths.path_weight, {"transitions": [SHARES], "path": [0, 1]}),
    (paths.straight_path_weights, {"transitions": [SHARES, SHARES]}),
    (propagation.propagate, {"transitions": [SHARES, SHARES], "capacity": np.array([1.0, 0.0])}),
    (propagation.uppermost_capacity, {"size": 3, "at": 1}),
    (random_convolutions.central_gradient, {"weights": KERNELS, "inputs": FIELD, "activation": RELU}),
    (random_convolutions.random_weights, {"layers": 1, "channels": 2, "taps": 3, "dimensions": 1, "rng": 0}),
    (receptive_field.field_moments, {"profile": np.array([0.0, 1.0, 2.0]), "dimensions": 1}),
    (receptive_field.random_shares, {"shape": 2, "taps": 3, "eps": 0.1, "dimensions": 1, "rng": 0}),
    (receptive_field.uniform_width, {"taps": 3, "layers": 2}),
    (receptive_field.unshared_spread, {"layers": 1, "taps": 3, "realisations": 2, "dimensions": 1, "rng": 0}),
    (recurrences.scaled_exponentials, {"poles": np.array([0.5, 2.0]), "n": 3}),
    (scaling.fit_power_law, {"x": np.array([1.0, 2.0, 4.0]), "y": np.array([3.0, 12.0, 48.0])}),
    (
        shattered_gradients.input_gradients,
        {"inputs": np.eye(2), "weights": [P, P], "activation": RELU, "readout": np.ones(2), "residual": 0.5},
    ),
    (shattering.straight_share, {"rate": 0.5, "layers": np.array([1, 2])}),
    (shattering.uniform_path_weight, {"taps": 3, "layers": 2}),
    (subspaces.is_orthonormal, {"vectors": np.eye(2)}),
    (subspaces.orthonormal_basis, {"matrix": J}),
    (subspaces.principal_angles, {"first": J, "second": SIGMA}),
    (subspaces.singular_value_decomposition, {"matrix": J}),
    (
        tensor_trains.tensor_train_parameters,
        {"coefficients": np.arange(4.0), "taps": (2, 2), "channels": (1,), "components": 1, "rng": 0},
    ),
    (tensor_trains.unfolding_singular_values, {"coefficients": np.arange(4.0), "taps": (2, 2), "components": 1}),
    (toeplitz.ToeplitzOperator([2.0, 1.0]).solve, {"right": np.ones(2)}),
    (transition.check_transition, {"matrix": SHARES, "name": "matrix"}),
    (transition.convolution_projection, {"kernel": STENCIL, "size": 4, "stride": 1}),
    (transition.residual_projection, {"residual": P, "eps": 0.1}),
    (transition.transition_matrix, {"projection": P, "covariance": SIGMA}),
]


def spoilt(value):
    """What may come by mistake in place of an argument, each of which must be refused."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        nan, infinite = value.copy(), value.copy()
        nan.flat[-1], infinite.flat[-1] = np.nan, np.inf
        masked = np.ma.masked_array(value, mask=np.arange(value.size).reshape(value.shape) == 0)
        return [nan, infinite, masked, value + 1j, value.astype(str), np.zeros((0, *value.shape[1:])), []]
    if isinstance(value, list) and isinstance(value[0], np.ndarray):
        return [[], *([other, *value[1:]] for other in spoilt(value[0]) if not np.ma.isMaskedArray(other))]
    if isinstance(value, tuple):
        return [(*value[:-1], 1.5), (*value[:-1], 0), 2.5]
    if isinstance(value, int):
        return [float("nan"), float("inf"), -1, "3", None, 1j]
    if isinstance(value, float):
        return [float("nan"), float("inf"), float("-inf"), "0.5", 1j, [value]]
    return []


def cases():
    for function, arguments in CALLS:
        for name, value in arguments.items():
            for wrong in spoilt(value) if name != "rng" else []:
                label = repr(wrong).replace("\n", "")[:30]
                yield pytest.param(function, arguments | {name: wrong}, name, id=f"{function.__name__}-{name}-{label}")


@pytest.mark.parametrize(("function", "arguments"), CALLS, ids=lambda value: getattr(value, "__name__", ""))
def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone(function, arguments):
    before = {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    for value in arguments.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    function(**arguments)
    for name, value in arguments.items():
        np.testing.assert_equal(value, before[name])


@pytest.mark.parametrize(("function", "arguments", "name"), list(cases()))
def test_what_cannot_be_meant_is_refused_by_name(function, arguments, name):
    with pytest.raises((TypeError, ValueError), match=rf"{name}\b.*: .*expected .*, got .*; \w"):
        function(**arguments)
