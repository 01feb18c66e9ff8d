"""What every linear model promises."""

import numpy as np

from capacity.models import LinearModel

__all__ = ["check_protocol"]


def check_protocol(model):
    """Check that a linear model keeps its protocol, by what its members return and not by name only."""
    assert isinstance(model, LinearModel)
    n, p = model.n_inputs, model.n_parameters
    assert n % model.components == 0
    assert [part for name in model.layers for part in range(*model.layers[name].indices(p))] == list(range(p))
    parameters = model.initial(0)
    np.testing.assert_array_equal(parameters, model.initial(0))
    assert not np.array_equal(parameters, model.initial(1))
    before = parameters.copy()
    coefficients, jacobian = model.coefficients(parameters), model.jacobian(parameters)
    assert (parameters.shape, coefficients.shape, jacobian.shape) == ((p,), (n,), (n, p))
    step = 1e-6 * np.eye(p)
    moved = [(model.coefficients(parameters + h) - model.coefficients(parameters - h)) / 2e-6 for h in step]
    np.testing.assert_allclose(jacobian, np.transpose(moved), atol=1e-8)
    cotangent = np.random.default_rng(2).standard_normal(n)
    np.testing.assert_allclose(model.pullback(parameters, cotangent), jacobian.T @ cotangent, atol=1e-12)
    factors = model.tangent_factors(parameters)
    assert factors.keys() == model.layers.keys()
    for name, factor in factors.items():
        block = jacobian[:, model.layers[name]]
        assert factor.shape[1] <= min(block.shape)
        np.testing.assert_allclose(factor @ factor.T, block @ block.T, atol=1e-12)
    np.testing.assert_array_equal(parameters, before)
