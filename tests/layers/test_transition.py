import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse
from small_layers import layers

from capacity.layers import check_transition, convolution_projection, residual_projection, transition_matrix


@given(layers())
@settings(max_examples=25)
def test_an_output_hands_its_capacity_down_by_squares(layer):
    covariance, projection, _ = layer
    for weights, found in (
        (projection, transition_matrix(projection)),
        (projection, transition_matrix(sparse.csc_array(projection)).toarray()),
        (covariance @ projection, transition_matrix(projection, covariance)),
    ):
        shares = [
            [weights[i, j] ** 2 / (weights[:, j] @ weights[:, j]) for j in range(weights.shape[1])]
            for i in range(len(weights))
        ]
        np.testing.assert_allclose(check_transition(found, "transition"), shares, rtol=1e-12)


def test_large_convolution_stays_sparse():
    transition = transition_matrix(convolution_projection([1.0, 2.0, 1.0], 200_000))
    assert transition.nnz == 600_000
    check_transition(transition, "transition")


@pytest.mark.parametrize("convert", [np.asarray, sparse.csc_array])
def test_a_residual_layer_is_the_identity_and_the_root_of_its_step_times_the_weights(convert):
    weights = np.random.default_rng(0).standard_normal((4, 4))
    found = residual_projection(convert(weights), 0.04) @ np.eye(4)
    np.testing.assert_allclose(found, np.eye(4) + 0.2 * weights, rtol=1e-14)


def test_entries_that_a_sparse_matrix_holds_twice_are_added_before_they_are_squared():
    doubled = sparse.coo_array(([1.0, 1.0, 1.0], ([0, 0, 1], [0, 0, 0])), shape=(2, 1))
    for convert in (sparse.csr_array, sparse.csc_array, sparse.coo_array):
        np.testing.assert_allclose(transition_matrix(convert(doubled)).toarray(), [[0.8], [0.2]])
    with pytest.raises(ValueError, match="projection: expected finite numbers"):
        transition_matrix(sparse.csr_array([[np.nan, 1.0]]))


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_shares_do_not_depend_on_the_unit_of_the_weights(unit):
    weights = np.array([[2.0, 1.0], [1.0, -3.0]])
    for convert in (np.asarray, sparse.csr_array):
        found = transition_matrix(convert(unit * weights)) @ np.eye(2)
        np.testing.assert_allclose(found, transition_matrix(weights), rtol=1e-15)
