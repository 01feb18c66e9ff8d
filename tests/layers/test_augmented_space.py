import numpy as np
import pytest
from small_layers import random_layer

from capacity import activations as act
from capacity.layers import (
    augmented_capacity,
    augmented_constraints,
    augmented_inputs,
    augmented_projection,
    coupled_covariance,
    repeated_subspace,
)
from capacity.linalg import orthonormal_basis


@pytest.mark.parametrize("activation", [act.relu(), act.tanh(), act.sigmoid(), act.pseudo_random()])
def test_a_layer_is_linear_in_its_augmented_inputs(activation):
    projection = random_layer(0)[1]
    inputs = np.random.default_rng(1).standard_normal((7, 3))
    copies = augmented_inputs(inputs, projection, activation)
    np.testing.assert_allclose(copies @ augmented_projection(projection), activation(inputs @ projection), rtol=1e-13)


def test_error_at_the_optimum_is_orthogonal_to_the_constraint_space():
    """The definition (eqs 7-9): fit the coefficients by least squares to any target linear in the augmented inputs."""
    _, projection, jacobian = random_layer(2)
    rng = np.random.default_rng(3)
    copies = augmented_inputs(rng.standard_normal((400, 3)), projection, act.relu())
    target = rng.standard_normal(copies.shape[1])
    design = copies @ augmented_projection(projection) @ jacobian
    weights = np.linalg.lstsq(design, copies @ target, rcond=None)[0]
    error = augmented_projection(projection) @ jacobian @ weights - target
    moments = copies.T @ copies / 400
    constraints = orthonormal_basis(moments @ augmented_projection(projection) @ jacobian).vectors
    np.testing.assert_allclose(constraints.T @ error, 0, atol=1e-12)
    per_copy = np.sum(constraints**2, axis=1).reshape(5, 3).T
    np.testing.assert_allclose(augmented_capacity(moments, projection, jacobian).copies, per_copy, atol=1e-12)


def test_linear_layer_repeats_its_constraint_space_in_every_copy():
    """Eqs 16-18, for any subspace of the inputs; the factor 1/sqrt(m) holds for an orthonormal K."""
    covariance, projection, jacobian = random_layer(11)
    augmented = augmented_constraints(coupled_covariance(covariance, 5, 1.0), projection, jacobian, rtol=1e-9).vectors
    plain = orthonormal_basis(covariance @ projection @ jacobian).vectors
    repeated = np.tile(plain, (5, 1)) / np.sqrt(5)
    np.testing.assert_allclose(augmented @ augmented.T, repeated @ repeated.T, atol=1e-12)
    subspace = orthonormal_basis(np.random.default_rng(12).standard_normal((3, 2))).vectors
    found = np.sum((augmented.T @ repeated_subspace(subspace, 5)) ** 2)
    assert found == pytest.approx(np.sum((plain.T @ subspace) ** 2))
