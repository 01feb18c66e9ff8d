import numpy as np

from capacity.allocation import exact_capacity, model_constraints
from capacity.models import DilatedConvolution, FrozenLayers
from capacity.tasks import GaussianProcess

MODEL = DilatedConvolution.hierarchical(3, channels=2, components=2)
NAMES = ["layer 1", "layer 3"]


def test_remaining_layers_are_renumbered_without_gaps():
    frozen = FrozenLayers.at_random(MODEL, ["layer 2"], rng=0)
    assert frozen.layers == {"layer 1": slice(0, 8), "layer 3": slice(8, 12)}
    assert FrozenLayers.at_random(MODEL, ["layer 1"], 0).layers == {"layer 2": slice(0, 8), "layer 3": slice(8, 12)}
    assert frozen.initial(0).size == frozen.n_parameters == 12
    assert np.array_equal(frozen.values["layer 2"], MODEL.initial(0)[MODEL.layers["layer 2"]])


def test_capacity_of_the_rest_is_that_of_its_layers_in_the_whole_model():
    frozen, covariance = FrozenLayers.at_random(MODEL, NAMES, rng=1), GaussianProcess().covariance(16)
    found = model_constraints(frozen, frozen.initial(2), covariance).total
    assert found == exact_capacity(MODEL, layers=["layer 2"]).total


def test_each_draw_of_frozen_layers_is_another_one():
    model, rng = DilatedConvolution.hierarchical(3, channels=2), np.random.default_rng(0)
    first, second = (FrozenLayers.at_random(model, ["layer 1"], rng).values["layer 1"] for _ in range(2))
    assert np.abs(first - second).min() > 1e-6
    np.testing.assert_array_equal(FrozenLayers.at_random(model, ["layer 1"], 0).values["layer 1"], first)


def test_the_remaining_parameters_start_where_the_whole_model_draws_them():
    model = DilatedConvolution.hierarchical(3, channels=2)
    view = FrozenLayers.at_random(model, ["layer 2"], 0)
    for seed in (1, 2):
        whole = model.initial(seed)
        expected = np.concatenate([whole[model.layers[name]] for name in view.layers])
        np.testing.assert_array_equal(view.initial(seed), expected)
        frozen = FrozenLayers.at_random(model, ["layer 2"], seed).values["layer 2"]
        np.testing.assert_array_equal(frozen, whole[model.layers["layer 2"]])
