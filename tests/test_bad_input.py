"""Every public function refuses what cannot be meant by name, and says what it expected; it never answers with NaN."""

import numpy as np
from spoilt_calls import answers, leave_alone

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

SIGMA = np.array([[2.0, 1.0], [1.0, 2.0]])
P = np.array([[1.0, 0.5], [0.0, 1.0]])
J = np.array([[1.0], [2.0]])
SHARES = np.array([[0.5, 0.25], [0.5, 0.75]])
STENCIL = np.array([1.0, -3.0, 2.0])
RELU = activations.relu()
RATES = np.array([[-1.0, 2.0], [1.0, -2.0]])
SPACE = allocation.constraint_space(SIGMA, J)
PASSED = networks.forward_pass([networks.Layer(SIGMA, activation=RELU)], P)

# A call that is right for each function. What it is given is then spoilt, one argument after the other.
CALLS = [
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
    (
        fitting.fit,
        {
            "model": models.DiagonalRecurrence(8, 2),
            "task": tasks.GaussianProcess(),
            "initial": np.ones(6),
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
    (statistics.power_spectrum, {"series": np.array([[1.0, 3.0, 2.0, 7.0]])}),
    (tasks.hermite_features(2), {"inputs": np.array([1.0, 2.0])}),
    (models.DilatedConvolution, {"dilations": (1, 2), "channels": (2,), "taps": (2, 3), "components": 1}),
    (models.DilatedConvolution.hierarchical, {"n_layers": 2, "channels": (2,), "taps": (2, 3), "components": 1}),
    (models.DilatedConvolution((1,)).coefficients, {"parameters": np.ones(2)}),
    (models.DilatedConvolution((1,)).tangent_factors, {"parameters": np.ones(2)}),
    (models.DilatedConvolution((1,)).pullback, {"parameters": np.ones(2), "cotangent": np.ones(2)}),
    (models.FullyConnected, {"n_inputs": 2}),
    (models.DiagonalRecurrence, {"n_inputs": 4, "channels": 2, "bound": 0.9}),
    (tasks.power_law, {"exponent": 0.5}),
    (tasks.fractional_noise, {"hurst": 0.9}),
    (tasks.exponential_mixture, {"time_scales": np.array([1.0, 4.0]), "weights": np.array([1.0, 3.0])}),
    (tasks.autoregressive, {"coefficients": np.array([0.5, 0.1])}),
    (tasks.similar_power_laws, {"components": 2, "exponent": 0.5, "spread": 0.2}),
    (tasks.GaussianProcess().covariance, {"n": 3}),
    (tasks.GaussianProcess().sample, {"n": 3, "size": 2, "rng": 0}),
    (models.DilatedConvolution.from_weights, {"weights": [np.ones((1, 1, 2))], "dilations": (1,)}),
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
]


def test_the_calls_that_are_spoilt_are_right_and_leave_their_arguments_alone():
    leave_alone(CALLS)


def test_what_cannot_be_meant_is_refused_by_name():
    assert answers(CALLS) == []
