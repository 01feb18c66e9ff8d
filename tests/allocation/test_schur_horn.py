import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity.allocation import constraint_space, space_of_allocation
from capacity.linalg import is_orthonormal


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 1000))
def test_every_allocation_of_a_space_is_that_of_the_space_made_for_it(n, total, seed):
    columns = np.random.default_rng(seed).standard_normal((n, min(n, total)))
    allocation = constraint_space(np.eye(n), columns).spatial()
    made = space_of_allocation(allocation)
    assert is_orthonormal(made.vectors)
    assert made.total == min(n, total)
    assert np.allclose(made.spatial(), allocation, atol=1e-10)


@pytest.mark.parametrize(
    "allocation", [[1.0], [0.0, 1.0, 0.0, 1.0], [0.5, 0.5], [0.9, 0.1, 0.9, 0.1], np.full(10, 0.3)]
)
def test_corners_and_equal_shares_are_allocations(allocation):
    assert np.allclose(space_of_allocation(allocation).spatial(), allocation, atol=1e-12)


@pytest.mark.parametrize("allocation", [[1.1, 0.9], [-0.1, 0.6, 0.5], [0.5, 0.6], [0.0, 0.0], [np.nan, 1.0]])
def test_what_no_space_allocates_is_refused(allocation):
    with pytest.raises(ValueError, match="allocation: "):
        space_of_allocation(allocation)
