import numpy as np
import pytest
from scipy import sparse

from capacity.layers.weights import as_layer, as_projection


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
