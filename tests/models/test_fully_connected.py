import numpy as np
import pytest

from capacity.models import FullyConnected


def test_fully_connected_model_is_the_identity():
    model, weights = FullyConnected(3), np.array([1.0, -2.0, 0.5])
    np.testing.assert_array_equal(model.coefficients(weights), weights)
    np.testing.assert_array_equal(model.jacobian(weights), np.eye(3))
    assert model.jacobian(weights, modulus=7).dtype == np.int64
    np.testing.assert_array_equal(model.pullback(weights, weights), weights)
    np.testing.assert_array_equal(model.tangent_factors(weights)["layer 1"], np.eye(3))
    assert (model.n_parameters, model.components, model.degree, model.layers) == (3, 1, 1, {"layer 1": slice(0, 3)})
    weights = FullyConnected(5000).initial(0) * np.sqrt(5000)
    assert abs(np.mean(weights**2) - 1) < 4.5 * np.sqrt(2 / 5000)


@pytest.mark.parametrize(
    ("make", "error", "expected"),
    [
        (lambda: FullyConnected(0), ValueError, "n_inputs: "),
        (lambda: FullyConnected(2.0), TypeError, "n_inputs: "),
        (lambda: FullyConnected(2).coefficients([1]), ValueError, "parameters: "),
        (lambda: FullyConnected(2).pullback([1, 2], [1]), ValueError, "cotangent: "),
    ],
)
def test_bad_arguments_are_named(make, error, expected):
    with pytest.raises(error, match=expected):
        make()
