"""Fitted points of sweeps, and trained networks with the arcs in their layers."""

import numpy as np

from capacity.activations import relu
from capacity.allocation import exact_capacity
from capacity.models import DilatedConvolution
from capacity.networks import Layer, forward_pass
from capacity.sweeps import grid, sweep
from capacity.tasks import standard_process
from capacity_studies.data import labelled_images
from capacity_studies.experiments import curves_in_training, fitted_hierarchical, rectifiers_at_loss
from capacity_studies.expressivity import arc, count_transitions, he_layers, sum_curves, trajectory_lengths
from capacity_studies.training import classification_accuracy, cross_entropy, train_classifier

MODELS = grid(n_layers=[3, 4], channels=[1, 2, 4], process=["power law", "white"], seed=[0])


def test_fitted_models_have_their_exact_capacity(tmp_path):
    table = sweep(fitted_hierarchical, MODELS, tmp_path)
    for i, parameters in enumerate(MODELS):
        model = DilatedConvolution.hierarchical(parameters["n_layers"], parameters["channels"])
        assert table["generic"][i] == exact_capacity(model).total
        assert table["parameters"][i] == model.n_parameters
        residual = standard_process(parameters["process"]).residual_variance(model.n_inputs)
        assert table["residual_variance"][i] == residual
    assert table["converged"].all()
    memory = table["process"] == "power law"
    np.testing.assert_array_equal(table["capacity"][memory], table["generic"][memory])
    assert np.all(table["loss"][~memory] < 1e-25)
    assert np.all(table["capacity"][~memory] <= table["generic"][~memory])


def test_arcs_are_followed_one_by_one_through_each_network_at_each_time():
    images, options = labelled_images(), {"steps": 5, "learning_rate": 0.1, "snapshots": [0, 5], "batch": 16}
    found = curves_in_training(images, sigma_w=2.0, width=12, depth=2, networks=3, pairs=4, points=20, rng=0, **options)
    assert found.lengths["data"].shape == found.lengths["random"].shape == (2, 3, 3)
    assert found.transitions["data"].shape == (2, 3, 2)
    for time, net in ((0, 1), (1, 2)):
        layers = [
            Layer(layer.weights[net], None if layer.bias is None else layer.bias[net], layer.activation)
            for layer in found.run.snapshots[time]
        ]
        for kind, pairs in found.pairs.items():
            curves = [arc(*ends, 20) for ends in zip(*pairs)]
            lengths = np.mean([trajectory_lengths(layers, curve) for curve in curves], axis=0)
            assert np.allclose(found.lengths[kind][time, net], lengths[:-1], rtol=1e-12)
            counts = [[count_transitions(sums).mean() for sums in sum_curves(layers, curve)] for curve in curves]
            assert np.allclose(found.transitions[kind][time, net], np.mean(counts, axis=0)[:-1])
        scores = found.train_accuracy[time, net], found.test_accuracy[time, net]
        assert scores[0] == classification_accuracy(layers, images.train_inputs, images.train_labels)
        assert scores[1] == classification_accuracy(layers, images.test_inputs, images.test_labels)
    squares = np.sum(found.pairs["random"] ** 2, axis=-1)
    assert np.allclose(squares, np.sum(images.train_inputs**2, axis=1).mean())
    ends = found.pairs["data"].reshape(-1, 64)
    assert (ends[:, None] == images.train_inputs).all(axis=-1).any(axis=1).all()


def test_networks_are_taken_at_the_first_moment_at_which_their_loss_is_low():
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((40, 6))
    labels = np.stack([inputs[:, 0] > 0, rng.integers(2, size=40)]).astype(int)  # easy, and by heart
    setting = {"hidden": [20], "outputs": 2, "learning_rate": 0.02, "batch": 20}
    layers, reached = rectifiers_at_loss(inputs, labels, loss=0.1, steps=400, rng=0, **setting)
    assert [layer.weights.shape for layer in layers] == [(2, 20, 6), (2, 2, 20)]
    np.testing.assert_allclose(cross_entropy(forward_pass(layers, inputs).outputs, labels)[0], reached)
    assert (reached < 0.1).all()
    _, lower = rectifiers_at_loss(inputs, labels, loss=0.01, steps=400, rng=0, **setting)
    assert (lower < reached).all()
    _, missed = rectifiers_at_loss(inputs, labels, loss=1e-9, steps=40, rng=0, **setting)
    assert (missed > 1e-9).all()
    for late in (3, 20):  # fewer steps than moments, and as many
        _, reached = rectifiers_at_loss(inputs, labels, loss=1e-9, steps=late, rng=0, **setting)
        options = {"steps": late, "learning_rate": 0.02, "method": "adam", "batch": 20}
        rng = np.random.default_rng(0)
        run = train_classifier(he_layers([6, 20, 2], relu(), networks=2, rng=rng), inputs, labels, rng=rng, **options)
        np.testing.assert_array_equal(reached, cross_entropy(forward_pass(run.layers, inputs).outputs, labels)[0])
