from dataclasses import replace

import numpy as np
import pytest

from capacity.activations import hard_tanh, tanh
from capacity.networks import Layer, forward_pass
from capacity_studies.training import classification_accuracy, cross_entropy, train_classifier

N, CLASSES = 40, 3


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture
def inputs(rng):
    return rng.standard_normal((N, 4))


@pytest.fixture
def labels(rng):
    return rng.integers(0, CLASSES, N)


def network(rng, f, *networks):
    sizes = [(5, 4), (5, 5), (CLASSES, 5)]
    weights = [rng.standard_normal((*networks, *size)) for size in sizes]
    biases = [rng.standard_normal((*networks, 5)), rng.standard_normal((*networks, 5)), None]
    return [Layer(w, b, f if i else None) for i, (w, b) in enumerate(zip(weights, biases))]


def convolutions(rng, f, *networks):
    """Three layers, the second with a residual branch and an even kernel, the last at each position by itself."""
    sizes = [(2, 1, 3, 1), (2, 2, 2, 3), (CLASSES, 2, 1, 1)]
    options = [{}, {"activation": f, "residual": 0.5}, {"activation": f}]
    return [
        Layer(
            rng.standard_normal((*networks, *size)), rng.standard_normal((*networks, size[0])), dimensions=2, **option
        )
        for size, option in zip(sizes, options)
    ]


def loss(layers, inputs, labels):
    outputs = forward_pass(layers, inputs).outputs
    return cross_entropy(outputs.mean(axis=tuple(range(2, outputs.ndim))), labels)[0]


def arrays(layers):
    return [array for layer in layers for array in (layer.weights, layer.bias) if array is not None]


@pytest.mark.parametrize(("kind", "shape"), [(network, (4,)), (convolutions, (1, 4, 3))])
def test_a_step_goes_against_the_gradient_of_finite_differences(rng, labels, kind, shape):
    layers, inputs = kind(rng, tanh()), rng.standard_normal((N, *shape))
    run = train_classifier(layers, inputs, labels, steps=1, learning_rate=0.1, batch=N)
    assert run.losses[0] == pytest.approx(loss(layers, inputs, labels), rel=1e-12)
    for level, layer in enumerate(layers):
        for name in ("weights", "bias")[: 1 + (layer.bias is not None)]:
            value, moved = getattr(layer, name), getattr(run.layers[level], name)
            for index in list(np.ndindex(value.shape))[::3]:
                sides = []
                for move in (1e-5, -1e-5):
                    other = value.copy()
                    other[index] += move
                    changed = [*layers[:level], replace(layer, **{name: other}), *layers[level + 1 :]]
                    sides.append(loss(changed, inputs, labels))
                assert moved[index] - value[index] == pytest.approx(-0.1 * (sides[0] - sides[1]) / 2e-5, abs=1e-9)


def test_gradient_descent_on_a_linear_layer_is_that_of_multinomial_regression(inputs, labels):
    weights, wanted = np.zeros((CLASSES, 4)), np.eye(CLASSES)[labels]
    for _ in range(20):
        powers = np.exp(inputs @ weights.T)
        weights = weights - 0.3 * (powers / powers.sum(axis=1, keepdims=True) - wanted).T @ inputs / N
    run = train_classifier([Layer(np.zeros((CLASSES, 4)))], inputs, labels, steps=20, learning_rate=0.3, batch=N)
    assert np.allclose(run.layers[0].weights, weights, rtol=1e-12)
    assert (np.diff(run.losses) < 0).all()


def test_steps_of_adam_are_those_of_its_definition(rng, inputs, labels):
    layers = network(rng, hard_tanh())[2:]
    inputs = rng.standard_normal((N, 5))
    run = train_classifier(
        layers, inputs, labels, steps=3, learning_rate=0.01, method="adam", batch=N, snapshots=range(4)
    )
    first = run.snapshots[1][0].weights - layers[0].weights
    assert np.allclose(np.abs(first), 0.01, rtol=1e-5)  # its sign alone counts in the first step
    w, m, v = layers[0].weights, 0, 0
    for t in range(1, 4):
        linear = [replace(layers[0], weights=w)]
        forward = forward_pass(linear, inputs)
        gradient = cross_entropy(forward.outputs, labels)[1].T @ forward.activities[0]
        m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
        w = w - 0.01 * m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        assert np.allclose(run.snapshots[t][0].weights, w, rtol=1e-9)


def test_training_that_has_had_enough_leaves_its_generator_as_if_it_had_gone_on(rng, inputs, labels):
    layers, sources, seen = network(rng, tanh()), [np.random.default_rng(1) for _ in range(2)], []

    def enough(now):
        seen.append(now[0].weights)
        return len(seen) == 3

    options = {"steps": 9, "learning_rate": 0.1, "batch": 15, "snapshots": [0, 2, 4, 6]}
    whole, part = (
        train_classifier(layers, inputs, labels, enough=ends, rng=source, **options)
        for ends, source in zip((None, enough), sources)
    )
    assert part.steps.tolist() == [0, 2, 4]
    assert len(seen) == 3
    np.testing.assert_array_equal(part.losses, whole.losses[:4])
    np.testing.assert_array_equal(seen, [snapshot[0].weights for snapshot in whole.snapshots[:3]])
    assert sources[0].integers(10**9) == sources[1].integers(10**9)
    assert train_classifier(layers, inputs, labels, enough=lambda now: True, **options).losses.size == 0


@pytest.mark.parametrize("trained", [[1], [2], [1, 3]])
def test_only_the_chosen_layers_move_and_as_if_all_did_at_first(rng, inputs, labels, trained):
    layers = network(rng, tanh())
    options = {"steps": 1, "learning_rate": 0.1, "batch": 7}
    some = train_classifier(layers, inputs, labels, trained=trained, rng=0, **options).layers
    every = train_classifier(layers, inputs, labels, rng=0, **options).layers
    for number, now, before, moved in zip((1, 2, 3), some, layers, every):
        assert np.array_equal(now.weights, before.weights) == (number not in trained)
        if number in trained:
            assert np.allclose(now.weights, moved.weights, rtol=1e-12)
    assert (train_classifier(layers, inputs, labels, trained=[2], rng=0, **options).layers[0]) is layers[0]


@pytest.mark.parametrize(("kind", "shape"), [(network, (4,)), (convolutions, (1, 4, 3))])
def test_networks_that_are_trained_together_are_independent(rng, kind, shape):
    layers, own = kind(rng, tanh(), 3), rng.integers(0, CLASSES, (3, N))
    inputs = rng.standard_normal((N, *shape))
    options = {"steps": 5, "learning_rate": 0.1, "batch": N, "method": "adam"}
    together = train_classifier(layers, inputs, own, **options)
    assert together.losses.shape == (3, 5)
    for i in range(3):
        one = [
            replace(layer, weights=layer.weights[i], bias=None if layer.bias is None else layer.bias[i])
            for layer in layers
        ]
        alone = train_classifier(one, inputs, own[i], **options)
        for all_of_them, its in zip(arrays(together.layers), arrays(alone.layers)):
            assert np.allclose(all_of_them[i], its, rtol=1e-9)


def test_convolutions_that_see_one_position_train_as_dense_layers_do(rng, inputs, labels):
    dense = network(rng, tanh())
    options = {"steps": 4, "learning_rate": 0.1, "batch": 8, "rng": 0}
    wide = [replace(layer, weights=layer.weights[..., None], dimensions=1) for layer in dense]
    run = train_classifier(wide, inputs[..., None], labels, **options)
    alone = train_classifier(dense, inputs, labels, **options)
    for one, other in zip(arrays(run.layers), arrays(alone.layers)):
        assert np.allclose(one.reshape(other.shape), other, rtol=1e-9)
    found = classification_accuracy(run.layers, inputs[..., None], labels)
    assert found == classification_accuracy(alone.layers, inputs, labels)


def test_weights_that_networks_share_take_the_sum_of_their_gradients(rng, inputs, labels):
    layers = network(rng, tanh(), 2)
    shared = [replace(layers[0], weights=layers[0].weights[0], bias=layers[0].bias[0]), *layers[1:]]
    options = {"steps": 1, "learning_rate": 0.1, "batch": N}
    moved = train_classifier(shared, inputs, labels, **options).layers[0]
    apart = [replace(layers[0], weights=np.stack([shared[0].weights] * 2), bias=np.stack([shared[0].bias] * 2))]
    alone = train_classifier([*apart, *layers[1:]], inputs, labels, **options).layers[0]
    for name in ("weights", "bias"):
        before = getattr(shared[0], name)
        assert np.allclose(getattr(moved, name) - before, (getattr(alone, name) - before).sum(axis=0), rtol=1e-9)


def test_each_pass_takes_every_sample_once_in_an_order_of_its_own(rng):
    inputs, labels = np.eye(12), np.zeros(12, dtype=int)
    zero = [Layer(np.zeros((2, 2, 12)))]
    run = train_classifier(zero, inputs, labels, steps=5, learning_rate=1e-6, batch=5, snapshots=range(6), rng=rng)
    taken = np.rint([1e7 * s[0].weights[:, 0] for s in run.snapshots])  # how often: each moves its own weight by 1e-7
    assert (taken.sum(axis=2) == [[5 * step] * 2 for step in range(6)]).all()
    assert (np.ptp(taken, axis=2) <= 1).all()
    assert (taken[1, 0] != taken[1, 1]).any()


STEEP = {"learning_rate": 1e308, "layers": [Layer(np.zeros((CLASSES, 4)))], "inputs": np.full((N, 4), 100.0)}
WIDE = {"layers": [Layer(np.ones((CLASSES, 4, 1)), dimensions=1)], "inputs": np.ones((2, N, 4, 5))}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("method", {"method": "newton"}),
        ("batch", {"batch": N + 1}),
        ("trained", {"trained": [4]}),
        ("trained", {"trained": []}),
        ("snapshots", {"snapshots": [6]}),
        ("labels", {"labels": np.full(N, CLASSES)}),
        ("inputs", {"inputs": np.ones((2, N, 4))}),
        ("inputs", WIDE),
        ("learning_rate", STEEP),
        ("layers", {"layers": [Layer(np.eye(4), batch_norm=True)]}),
    ],
)
def test_what_cannot_be_trained_is_refused(rng, inputs, labels, name, change):
    given = {"layers": network(rng, tanh()), "inputs": inputs, "labels": labels, "steps": 5, "learning_rate": 0.1}
    with pytest.raises(ValueError, match=f"{name}: "):
        train_classifier(**{"batch": 8} | given | change)
