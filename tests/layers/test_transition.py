import numpy as np
import pytest
from scipy import signal, sparse

from capacity.layers import check_transition, convolution_projection, residual_projection, transition_matrix


def test_transition_of_a_layer_is_column_stochastic_whatever_the_norms():
    projection = np.random.default_rng(0).standard_normal((5, 9)) * np.arange(1, 10)
    check_transition(transition_matrix(projection), "transition")
    unit = projection / np.linalg.norm(projection, axis=0)
    np.testing.assert_allclose(transition_matrix(projection), unit * unit, rtol=1e-14)


def test_dense_and_sparse_transitions_agree():
    projection = np.random.default_rng(1).standard_normal((5, 9))
    found = transition_matrix(sparse.csc_array(projection))
    np.testing.assert_allclose(found.toarray(), transition_matrix(projection), rtol=1e-14)


def test_covariance_moves_the_shares_to_those_of_its_images():
    projection = np.array([[1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(transition_matrix(projection, [[1, 0.5], [0.5, 1]]), [[0.8, 0.2], [0.2, 0.8]])


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("padding", [0, 1, 2])
@pytest.mark.parametrize("dilation", [1, 2])
def test_convolution_in_one_dimension_is_a_strided_padded_correlation(stride, padding, dilation):
    rng = np.random.default_rng(2)
    kernel, inputs = rng.standard_normal((2, 3, 3)), rng.standard_normal((3, 11))
    projection = convolution_projection(kernel, 11, stride=stride, padding=padding, dilation=dilation)
    spread = np.zeros((2, 3, 2 * dilation + 1))
    spread[..., ::dilation] = kernel
    padded = np.pad(inputs, [(0, 0), (padding, padding)])
    expected = [sum(signal.correlate(padded[c], spread[o, c], "valid") for c in range(3)) for o in range(2)]
    np.testing.assert_allclose(projection.T @ inputs.ravel(), np.array(expected)[:, ::stride].ravel(), atol=1e-13)


@pytest.mark.parametrize("stride", [1, 2])
def test_convolution_in_two_dimensions_is_a_correlation(stride):
    rng = np.random.default_rng(3)
    kernel, inputs = rng.standard_normal((3, 4)), rng.standard_normal((7, 6))
    projection = convolution_projection(kernel, (7, 6), stride=stride, padding=2)
    expected = signal.correlate2d(np.pad(inputs, 2), kernel, "valid")[::stride, ::stride]
    np.testing.assert_allclose(projection.T @ inputs.ravel(), expected.ravel(), atol=1e-13)


def test_periodic_convolution_wraps_around_and_is_centred():
    projection = convolution_projection([1.0, 2.0, 3.0], 4).toarray()
    np.testing.assert_array_equal(projection[:, 0], [2, 3, 0, 1])
    even = convolution_projection([1.0, 2.0, 3.0, 4.0], 6).toarray()  # one tap before the middle, two after it
    np.testing.assert_array_equal(even[:, 2], [0, 1, 2, 3, 4, 0])
    wrapped = convolution_projection(np.ones(5), 3).toarray()
    np.testing.assert_array_equal(wrapped.sum(axis=0), 5)


def test_large_convolution_stays_sparse():
    transition = transition_matrix(convolution_projection([1.0, 2.0, 1.0], 200_000))
    assert transition.nnz == 600_000
    check_transition(transition, "transition")


@pytest.mark.parametrize("convert", [np.asarray, sparse.csc_array])
def test_residual_weights_give_identity_plus_eps_times_a_generator(convert):
    residual = convolution_projection([1.0, 0.0, 2.0], 8).toarray()
    generator = residual**2 - 5 * np.eye(8)
    errors = []
    for eps in (1e-2, 1e-3):
        found = transition_matrix(residual_projection(convert(residual), eps))
        found = found.toarray() if sparse.issparse(found) else found
        errors.append(np.abs(found - np.eye(8) - eps * generator).max())
    assert errors[0] / errors[1] == pytest.approx(100, rel=0.1)


def test_bad_arguments_are_named():
    for zero in (np.eye(3)[:, :2] * [1, 0], sparse.csc_array(np.eye(3)[:, :2] * [1, 0])):
        with pytest.raises(ValueError, match="column 1"):
            transition_matrix(zero)
    with pytest.raises(ValueError, match="covariance"):
        transition_matrix(sparse.eye_array(3), np.eye(3))
    with pytest.raises(ValueError, match="square"):
        residual_projection(np.ones((2, 3)), 0.1)
    with pytest.raises(ValueError, match="eps"):
        residual_projection(np.eye(2), -0.1)
    with pytest.raises(ValueError, match="kernel"):
        convolution_projection(np.ones(3), (4, 4))
    with pytest.raises(ValueError, match="kernel"):
        convolution_projection(np.zeros(3), 4)
    with pytest.raises(ValueError, match="size"):
        convolution_projection(np.ones(5), 3, padding=0)
    with pytest.raises(ValueError, match="size: expected weights of at most"):
        convolution_projection([1, 2], 10**12)
    with pytest.raises(TypeError, match="padding"):
        convolution_projection(np.ones(3), 4, padding="same")
    with pytest.raises(ValueError, match="sum to 1"):
        check_transition(np.full((2, 2), 0.4), "transition")
    with pytest.raises(ValueError, match="nonnegative"):
        check_transition(np.array([[1.5], [-0.5]]), "transition")


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
