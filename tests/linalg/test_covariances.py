from itertools import product

import numpy as np
import pytest
from scipy import sparse

from capacity.linalg import ToeplitzOperator
from capacity.linalg.covariances import as_covariance, cholesky_factor, definite_covariance

GOOD = np.array([[2.0, 1.0], [1.0, 2.0]])
SINGULAR = np.ones((2, 2))


def test_a_good_one_comes_back_as_it_is_and_has_a_cholesky_factor():
    assert as_covariance(GOOD, "x", size=2, definite=True) is GOOD
    assert as_covariance(SINGULAR, "x") is SINGULAR
    factor = cholesky_factor(GOOD, "x")
    np.testing.assert_allclose(factor.T @ factor, GOOD)


def test_a_singular_one_is_refused_where_it_has_to_be_definite():
    for value in (SINGULAR, sparse.csr_array(SINGULAR), ToeplitzOperator([1.0, 1.0])):
        with pytest.raises(ValueError, match="covariance: "):
            definite_covariance(value, 2)


def test_operators_have_to_fit_and_are_tried_by_their_products():
    class Operator:
        shape = (2, 2)

        def __init__(self, matrix):
            self.matrix = np.array(matrix)

        def __matmul__(self, other):
            return self.matrix @ other

    good = Operator(GOOD)
    assert definite_covariance(good, 2) is good
    for wrong, n in ((good, 3), (Operator(-GOOD), 2), (Operator([[0.0, 1.0], [-1.0, 0.0]]), 2)):
        with pytest.raises(ValueError, match="covariance: "):
            definite_covariance(wrong, n)


def test_what_it_may_miss_is_as_little_as_rounding():
    as_covariance([[1.0, 1e-9], [0.0, 1.0]], "x")
    as_covariance(np.diag([1.0, -1e-9]), "x")
    for wrong, unit in product(([[1.0, 1e-7], [0.0, 1.0]], np.diag([1.0, -1e-7])), (1e-9, 1.0)):
        with pytest.raises(ValueError, match="x: "):
            as_covariance(unit * np.array(wrong), "x")
