import numpy as np
import pytest

from capacity.activations import hard_tanh, relu
from capacity.networks import Layer
from capacity_studies.expressivity import (
    activation_region_bound,
    kink_density,
    one_network,
    random_layers,
    regions_on_line,
)


def test_bound_takes_the_power_from_as_many_units_as_inputs_on():
    assert activation_region_bound(3, 4) == activation_region_bound(3, 100, constant=7.0) == 8
    assert activation_region_bound(10, 3, constant=2.0) == pytest.approx(20**3 / 6)
    assert activation_region_bound(4, 4) == pytest.approx(4**4 / 24)  # below 2^4
    assert activation_region_bound(2, 2, constant=9.0) == 4
    assert activation_region_bound(2000, 2001) == np.inf


@pytest.mark.parametrize("activation", [relu(), hard_tanh()])
def test_kink_density_integrates_to_the_mean_number_of_breakpoints(activation):
    layers = random_layers(3, 6, 2, activation, sigma_w=2.0, sigma_b=0.7, networks=600, rng=0)
    start, direction = np.array([0.5, -1.0, 0.3]), np.array([1.0, 2.0, -0.5])
    lines = (regions_on_line(one_network(layers, i), start, direction) for i in range(600))
    counted = np.array([line.n_regions - 1 for line in lines])
    t = (np.arange(40) + 0.5) / 40
    other = random_layers(3, 6, 2, activation, sigma_w=2.0, sigma_b=0.7, networks=600, rng=1)
    predicted = kink_density(other, start + t[:, None] * direction, direction, sigma_b=0.7).mean(axis=1)
    error = np.sqrt((counted.var() + predicted.var()) / 600)
    assert error < 0.06 * predicted.mean()
    assert abs(counted.mean() - predicted.mean()) < 3 * error


def test_kinks_above_a_residual_branch_are_as_dense_as_on_lines_of_drawn_networks():
    def layers(bias):
        return [Layer([[1.0]]), Layer([[2.0]], bias=[bias], residual=0.5), Layer([[1.0]], activation=relu())]

    t = (np.arange(2000) + 0.5) / 2000 * 3
    expected = kink_density(layers(0.0), t[:, None], [1.0], sigma_b=1.0).mean() * 3
    drawn = np.random.default_rng(0).standard_normal(4000)  # the kink is where 2 t + bias / 2 = 0
    share = np.mean((-drawn / 4 > 0) & (-drawn / 4 < 3))
    assert expected == pytest.approx(share, abs=4 * np.sqrt(share / drawn.size))
    assert kink_density(layers(0.7), t[:, None], [1.0], sigma_b=1.0).mean() * 3 == pytest.approx(expected)


def test_small_bounds_keep_their_digits():
    assert activation_region_bound(3, 2, 1e-6) == pytest.approx(4.5e-12, rel=1e-11)
