import numpy as np
import pytest

from capacity.activations import gelu, hard_tanh, leaky, pseudo_random, relu, tanh
from capacity.networks import Layer, forward_pass
from capacity_inspection.graphs import forward, from_network


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_a_graph_computes_what_its_dense_layers_do(rng):
    layers = [
        Layer(rng.standard_normal((5, 4)), rng.standard_normal(5)),
        Layer(rng.standard_normal((5, 5)), rng.standard_normal(5), leaky(0.2), residual=0.3),
        Layer(rng.standard_normal((3, 5)), None, tanh()),
    ]
    inputs = rng.standard_normal((6, 4))
    found = forward(from_network(layers, (4,)), inputs)["layer 3"]
    assert np.allclose(found, forward_pass(layers, inputs).outputs, rtol=1e-12)


@pytest.mark.parametrize("activation", [relu(), gelu(), hard_tanh()])
def test_a_graph_of_convolutions_agrees_with_the_ring_away_from_the_edges(rng, activation):
    layers = [
        Layer(rng.standard_normal((2, 1, 3, 2)), rng.standard_normal(2), dimensions=2),
        Layer(rng.standard_normal((2, 2, 3, 3)), None, activation, residual=0.5, dimensions=2),
    ]
    inputs = rng.standard_normal((4, 1, 7, 8))
    graph = from_network(layers, (1, 7, 8))
    found, ring = forward(graph, inputs)["layer 2"], forward_pass(layers, inputs).outputs
    inside = (..., slice(2, 5), slice(2, 7))
    assert np.allclose(found[inside], ring[inside], rtol=1e-12)
    assert not np.allclose(found, ring)
    assert graph.n_parameters == 12 + 2 + 36


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([Layer(np.ones((3, 2, 2)))], r"layers\[0\]: expected weights"),
        ([Layer(np.eye(2), batch_norm=True)], r"layers\[0\]: expected weights"),
        ([Layer(np.eye(2), activation=pseudo_random(1))], "activation: expected one that graphs know"),
        ([Layer(np.eye(3))], "expected a kernel"),
    ],
)
def test_networks_without_a_graph_are_refused(layers, message):
    with pytest.raises(ValueError, match=message):
        from_network(layers, (2,))


def test_what_is_no_layer_is_refused():
    with pytest.raises(TypeError, match="layers: expected a sequence of Layer"):
        from_network([np.eye(2)], (2,))
