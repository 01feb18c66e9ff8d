import numpy as np
import pytest
from region_networks import ACTIVATIONS, random_layers

from capacity.activations import linear
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity._stages import as_stages


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_slopes_and_intercepts_are_those_of_the_activation(name):
    stage = as_stages([Layer(np.eye(2), activation=ACTIVATIONS[name])])[0]
    z = np.concatenate([np.linspace(-3, 3, 61), ACTIVATIONS[name].kinks])
    np.testing.assert_allclose(stage.activities(z), ACTIVATIONS[name](z), atol=1e-15)
    np.testing.assert_array_equal(stage.slopes[stage.pieces(z)], ACTIVATIONS[name].derivative(z))


@pytest.mark.parametrize("residual", [None, 0.3])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_stages_compute_what_the_forward_pass_computes(name, residual):
    rng = np.random.default_rng(0)
    layer = Layer(rng.standard_normal((4, 4)), rng.standard_normal(4), ACTIVATIONS[name], residual)
    states, points = rng.standard_normal((4, 3)), rng.standard_normal((3, 5))
    stage, below = as_stages([layer])[0], states @ points
    above = stage.states(stage.activities(below), below)
    np.testing.assert_allclose(above.T, forward_pass([layer], below.T).outputs, atol=1e-14)
    assert (stage.scales(stage.activities(below), below)[:, None] >= np.abs(above) * (1 - 1e-12)).all()
    pieces = stage.pieces(below)
    maps = stage.maps(pieces, np.repeat(states[:, None], 5, axis=1))  # one cell for each point
    flat = states[:, :2] @ points[:2] + states[:, 2:]
    at = np.einsum("ucd,dc->uc", maps[:, :, :2], points[:2]) + maps[:, :, 2]
    expected = stage.states(stage.slopes[pieces] * flat + stage.intercepts[pieces], flat)
    np.testing.assert_allclose(at, expected, atol=1e-14)


def test_a_linear_activation_has_no_kinks():
    assert [stage.kinks.size for stage in as_stages(random_layers((2, 3, 1), linear()))] == [0, 0]
