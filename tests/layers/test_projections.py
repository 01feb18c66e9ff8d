import numpy as np
import pytest
from scipy import signal, sparse

from capacity.layers import convolution_projection, residual_projection
from capacity.layers.projections import as_layer, as_projection


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


def test_kernels_and_branches_that_do_not_fit_are_refused():
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


def test_projections_with_degenerate_columns_are_refused():
    with pytest.raises(ValueError, match="weights: expected columns different from zero, got zeros in column 1"):
        as_projection([[1.0, 0.0], [2.0, 0.0]], "weights")
    with pytest.raises(ValueError, match=r"weights: expected no two columns .* got columns 0 and 2"):
        as_projection([[1.0, 1.0, -3.0], [2.0, 0.0, -6.0]], "weights", distinct=True)
    with pytest.raises(ValueError, match="weights: expected at least one column"):
        as_projection(np.zeros((3, 0)), "weights")
    parallel = np.ones((2, 2))
    assert as_projection(parallel) is parallel


def test_columns_are_parallel_up_to_rounding():
    def tilted(angle):
        return [[1.0, np.cos(angle)], [0.0, np.sin(angle)]]

    as_projection(tilted(1e-4), distinct=True)
    with pytest.raises(ValueError, match="projection: expected no two columns"):
        as_projection(tilted(1e-6), distinct=True)


def test_layers_come_dense_or_sparse_and_finite():
    doubled = sparse.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(1, 2))
    np.testing.assert_array_equal(as_layer(doubled, "x").toarray(), [[0.0, 3.0]])
    assert doubled.nnz == 2
    np.testing.assert_array_equal(as_layer([[1, 2]], "x"), [[1.0, 2.0]])
    for wrong, expected in ((np.inf, "finite numbers"), (1j, "a matrix of real numbers")):
        with pytest.raises(ValueError, match=f"x: expected {expected}"):
            as_layer(sparse.csr_array([[wrong]]), "x")
