"""Drawn gains have the capacity of the dense recursion for their mean, and say how far they are from it."""

import numpy as np
import pytest
from small_graphs import dense_chain, random_projections, residual_series, two_inputs, varied_image

from capacity.inspection.graphs import capacity_flow, dense_input_capacity, drawn_input_capacity, from_layers


@pytest.mark.parametrize("nu", [0.0, 0.5])
@pytest.mark.parametrize(
    ("graph", "at"),
    [
        (dense_chain(random_projections(7, 6, 5, 4)), (2,)),
        (residual_series(), (1, 9)),
        (two_inputs(), (2, 0)),
        (varied_image(), (1,)),
    ],
    ids=["chain", "residual", "two inputs", "varied"],
)
def test_the_mean_is_the_dense_recursion_within_the_errors(graph, at, nu):
    exact = dense_input_capacity(graph, at=at, coupling=nu)
    estimate, error = drawn_input_capacity(graph, at=at, coupling=nu, draws=400, rng=2)
    for key, values in exact.items():
        deviations = (estimate[key] - values)[values > 0] / np.maximum(error[key], 1e-12)[values > 0]
        assert np.sqrt((deviations**2).mean()) < 1.6
        assert error[key].sum() < 0.2


def test_errors_are_those_that_repetitions_show():
    graph = dense_chain(random_projections(5, 8, 8, 1))
    runs = [drawn_input_capacity(graph, at=(0,), coupling=0.3, draws=60, rng=seed) for seed in range(60)]
    spread = np.std([estimate["input"] for estimate, _ in runs], axis=0)
    typical = np.mean([error["input"] for _, error in runs], axis=0)
    np.testing.assert_allclose(typical, spread, rtol=0.35)


def test_a_linear_network_has_no_error():
    graph = dense_chain(random_projections(6, 5, 3))
    estimate, error = drawn_input_capacity(graph, at=(1,), coupling=1.0, draws=2, rng=0)
    np.testing.assert_allclose(
        estimate["input"], capacity_flow(graph, at=(1,), coupling=1.0).inputs["input"], atol=1e-14
    )
    assert error["input"].max() < 1e-7  # the root of rounding


def test_an_output_without_inputs_is_an_error():
    graph = from_layers((2,), [("dense", {"kernel": np.zeros((2, 2))})])
    with pytest.raises(ValueError, match="weights on the way are zero"):
        drawn_input_capacity(graph, draws=2, rng=0)
