import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg

from capacity.allocation import (
    ConstraintSpace,
    chain_capacities,
    conditional_capacity,
    independent_shares,
    layer_chain,
    marginal_shares,
    model_constraints,
)
from capacity.linalg import covariances, orthonormal_basis
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess

seeds = st.integers(0, 2**32 - 1)


@st.composite
def constraint_lists(draw):
    """Up to four spaces with common directions, as matrices of integers, and an orthonormal basis to look along."""
    n, rng = draw(st.integers(1, 7)), np.random.default_rng(draw(seeds))
    directions = rng.standard_normal((n, n))
    chosen = draw(st.lists(st.sets(st.integers(0, n - 1)), min_size=1, max_size=4))
    spaces = [ConstraintSpace(orthonormal_basis(directions[:, sorted(columns)])) for columns in chosen]
    return spaces, [directions[:, sorted(columns)] for columns in chosen], linalg.qr(rng.standard_normal((n, n)))[0]


def projection_capacity(columns, subspace):
    """Capacity of the span of columns, by the pseudo-inverse."""
    return np.trace(subspace.T @ columns @ linalg.pinv(columns, rtol=1e-9) @ subspace) if columns.size else 0.0


@given(constraint_lists())
def test_conditional_capacity_is_what_the_sum_has_over_the_given_space(case):
    spaces, columns, basis = case
    first, given_space = spaces[0], spaces[-1]
    subspace = basis[:, : max(1, basis.shape[0] // 2)]
    together = np.hstack([columns[0], columns[-1]])
    expected = projection_capacity(together, subspace) - projection_capacity(columns[-1], subspace)
    assert conditional_capacity(first, given_space, subspace) == pytest.approx(expected, abs=1e-6)
    spatial = conditional_capacity(first, given_space)
    per_input = [conditional_capacity(first, given_space, e[:, None]) for e in np.eye(basis.shape[0])]
    np.testing.assert_allclose(spatial, per_input, atol=1e-12)
    assert spatial.min() > -1e-7
    assert spatial.sum() == pytest.approx((first + given_space).total - given_space.total, abs=1e-9)


@given(constraint_lists())
def test_spaces_add_nothing_to_what_contains_them(case):
    spaces, _, _ = case
    whole = sum(spaces[1:], spaces[0])
    np.testing.assert_allclose(conditional_capacity(spaces[0], whole), 0, atol=1e-7)
    n = whole.vectors.shape[0]
    nothing = ConstraintSpace(orthonormal_basis(np.zeros((n, 0))))
    np.testing.assert_allclose(conditional_capacity(whole, nothing), whole.spatial(), atol=1e-7)


@given(constraint_lists())
def test_property_6_chains_sum_to_the_whole_in_any_order(case):
    spaces, columns, _ = case
    everything = np.hstack(columns)
    expected = [projection_capacity(everything, e[:, None]) for e in np.eye(everything.shape[0])]
    for order in itertools.permutations(range(len(spaces))):
        chain = chain_capacities([spaces[i] for i in order])
        assert chain.shape == (len(spaces), everything.shape[0])
        np.testing.assert_allclose(chain.sum(axis=0), expected, atol=1e-6)
        np.testing.assert_allclose(chain[0], spaces[order[0]].spatial(), atol=1e-12)
        if len(order) > 1:
            second = conditional_capacity(spaces[order[1]], spaces[order[0]])
            np.testing.assert_allclose(chain[1], second, atol=1e-7)


def test_a_covariance_is_validated_once_for_all_subsets_of_layers(monkeypatch):
    model, sigma = DilatedConvolution.hierarchical(4, channels=2), GaussianProcess().covariance(16)
    visits = []
    monkeypatch.setattr(covariances, "as_covariance", lambda value, *_, **__: visits.append(1) or value)
    for shares in (layer_chain, independent_shares, marginal_shares):
        shares(model, model.initial(0), sigma)
    assert len(visits) == 3


def test_layer_shares_are_differences_of_capacities_of_stacked_jacobians():
    model, covariance = DilatedConvolution([1, 2, 1], channels=2, components=2), None
    rng, n = np.random.default_rng(1), model.n_inputs
    factor = rng.standard_normal((n, 2 * n))
    covariance, parameters = factor @ factor.T, model.initial(rng)
    jacobian = model.jacobian(parameters)

    def per_position(*names):
        columns = np.hstack([np.zeros((n, 0)), *(jacobian[:, model.layers[name]] for name in names)])
        capacities = [projection_capacity(covariance @ columns, e[:, None]) for e in np.eye(n)]
        return np.reshape(capacities, (-1, 2)).sum(axis=1)

    one, two, three = model.layers
    chain = layer_chain(model, parameters, covariance, order=[three, one, two])
    np.testing.assert_allclose(chain[three], per_position(three), atol=1e-8)
    np.testing.assert_allclose(chain[one], per_position(three, one) - per_position(three), atol=1e-8)
    np.testing.assert_allclose(chain[two], per_position(one, two, three) - per_position(three, one), atol=1e-8)
    whole = model_constraints(model, parameters, covariance).spatial(2)
    np.testing.assert_allclose(sum(chain.values()), whole, atol=1e-8)
    alone = independent_shares(model, parameters, covariance)
    np.testing.assert_allclose(alone[two], per_position(two), atol=1e-8)
    last = marginal_shares(model, parameters, covariance)
    np.testing.assert_allclose(last[two], per_position(one, two, three) - per_position(one, three), atol=1e-8)
