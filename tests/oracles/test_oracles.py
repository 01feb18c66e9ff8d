"""The package finds what second implementations find, which stand beside this file and share nothing with it."""

import ast
from itertools import pairwise
from pathlib import Path

import any_coupling
import conjectures
import crossover
import digit_law
import exact_ranks
import gaussian_blocks
import numpy as np
import pytest
import weighted_rank

from capacity import (
    DiagonalRecurrence,
    DilatedConvolution,
    activations,
    exact_capacity,
    fit,
    model_constraints,
    standard_process,
    tensor_train_allocation,
    tensor_train_capacity,
    tensor_train_parameters,
)
from capacity.allocation import generic_redundant_sets, recover_with_frozen_layers
from capacity.layers import coupled_capacity, coupling_crossover, gaussian_capacity, gaussian_covariance
from capacity.models import FrozenLayers, RegroupedLayers
from capacity.tasks import PrescribedTask

FILES = sorted(path for path in Path(__file__).parent.glob("*.py") if not path.name.startswith("test_"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_oracle_stands_alone(file):
    text = file.read_text(encoding="utf-8")
    imported = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imported}
    assert names <= {"fractions", "itertools", "math", "numpy", "flint"}
    assert len(text.splitlines()) <= 60


@pytest.mark.whole
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_chapter_offers_each_oracle(file):
    chapters = Path(__file__).parents[2].glob("chapters/**/*.md")
    assert any(f"<../../tests/oracles/{file.name}>" in path.read_text(encoding="utf-8") for path in chapters)


@pytest.mark.parametrize(
    ("dilations", "channels", "taps"),
    [
        ([1, 2, 4, 8, 16, 32], [1, 4, 4, 4, 4, 4, 1], [2] * 6),
        ([1, 2, 4, 8, 16, 32], [1, 6, 6, 6, 6, 6, 1], [2] * 6),
        ([1, 3, 6], [2, 2, 5, 1], [3, 2, 4]),  # two components, several taps and widths
        ([1, 2, 4, 8, 16] * 2, [1, *[3] * 9, 1], [2] * 10),  # tiled
        ([1, 1, 2, 2, 4, 4, 8, 8], [1, *[4] * 7, 1], [2] * 8),  # repeated
        ([3, 5], [1, 2, 1], [4, 3]),  # lags that no path reaches
    ],
)
def test_exact_ranks(dilations, channels, taps):
    model = DilatedConvolution(dilations, channels[1:-1], taps, components=channels[0])
    assert exact_capacity(model).total == exact_ranks.total_capacity(dilations, channels, taps)
    for free in ([0], [len(dilations) - 1], range(1, len(dilations))):
        found = exact_capacity(model, layers=[list(model.layers)[layer] for layer in free]).total
        assert found == exact_ranks.total_capacity(dilations, channels, taps, set(free))


@pytest.mark.parametrize("channels", [1, 2, 3, 5, 8])
def test_exact_ranks_in_closed_form(channels):
    found = exact_ranks.total_capacity([1, 3, 6, 12, 24], [1, *[channels] * 4, 1], [3, 2, 2, 2, 3])
    assert tensor_train_capacity([3, 2, 2, 2, 3], channels) == found


@pytest.mark.parametrize(
    ("taps", "channels"),
    [([2] * 5, [1, 1, 1, 1]), ([2] * 5, [2, 3, 3, 2]), ([3, 2, 4], [2, 3]), ([4, 2, 2, 3], [2, 2, 2])],
)
def test_digit_law(taps, channels):
    model, rng = DilatedConvolution.hierarchical(len(taps), channels, taps), np.random.default_rng(len(taps))
    filters = [
        rng.choice([-3, -2, -1, 1, 2, 5], (n, b, a)).tolist() for n, (a, b) in zip(taps, pairwise([1, *channels, 1]))
    ]
    coefficients = digit_law.coefficients(filters)
    exact = digit_law.by_definition(filters)
    assert exact == digit_law.by_digits(coefficients, taps)  # as fractions
    expected = [float(share) for share in exact]
    assert tensor_train_allocation(coefficients[::-1], taps, channels)[::-1] == pytest.approx(expected, abs=1e-9)
    parameters = np.concatenate([np.swapaxes(layer, 0, 1).ravel() for layer in filters])
    space = model_constraints(model, parameters, np.eye(model.n_inputs))
    assert space.spatial()[::-1] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("nu", [0, 0.0625, 0.5, 0.875, 1])
@pytest.mark.parametrize("shape", [(3, 4, 2), (2, 5, 1), (4, 3, 3)])
def test_capacity_at_any_coupling(nu, shape):
    (n, m, p), rng = shape, np.random.default_rng(sum(shape))
    weights, directions = rng.integers(-4, 5, (n, m)) + np.eye(n, m, dtype=int) / 8, rng.integers(-3, 4, (m, p))
    covariance = np.eye(n) + 0.25 * np.ones((n, n)) + np.diag(range(n))
    exact = any_coupling.capacity(weights.tolist(), directions.tolist(), nu, covariance.tolist())
    found = coupled_capacity(weights, directions, nu, covariance)
    assert found.copies == pytest.approx(np.array(exact, dtype=float), abs=1e-10)


@pytest.mark.parametrize("whitened", [False, True])
@pytest.mark.parametrize("m", [2, 9, 40])
def test_crossover(m, whitened):
    rng = np.random.default_rng(m)
    weights, learned = rng.standard_normal((4, m)), np.linalg.qr(rng.standard_normal((m, 2)))[0]
    weights /= np.linalg.norm(weights, axis=0)
    _, roots, turned = np.linalg.svd(weights @ learned)
    for strength, direction in zip(roots**2, (learned @ turned.T).T):
        expected = crossover.crossover(weights, direction, whitened)
        assert coupling_crossover(m, strength, whitened=whitened) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("slopes", [(0, 1), (0.2, 1), (-1, 1), (-0.5, 1), (0.9, 1)])
def test_correction_of_the_blocks(slopes):
    rng = np.random.default_rng(3)
    root, weights = rng.standard_normal((4, 4)), rng.standard_normal((4, 3)) * [1, 2, 5]
    covariance, unit, blocks = root @ root.T, activations.leaky(slopes[0] / slopes[1]), np.empty((3, 4, 3, 4))
    for i, j in np.ndindex(3, 3):
        pair = covariance, weights[:, i], weights[:, j]
        blocks[i, :, j] = gaussian_blocks.block(*pair, slopes) if i != j else covariance
    augmented = blocks.reshape(12, 12)
    assert gaussian_covariance(covariance, weights, unit) == pytest.approx(augmented, rel=1e-10, abs=1e-12)
    directions = rng.standard_normal((3, 2))
    constraints = augmented @ np.vstack([np.outer(weights[:, j], directions[j]) for j in range(3)])
    shares = np.square(np.linalg.qr(constraints)[0]).sum(axis=1).reshape(3, 4).T
    assert gaussian_capacity(weights, directions, unit, covariance).copies == pytest.approx(shares, abs=1e-10)


@pytest.mark.parametrize("name", ["power law", "fractional noise"])
@pytest.mark.parametrize(("layers", "channels"), [(6, 4), (6, 5), (6, 6), (4, 2), (4, 3)])
def test_optima_of_few_channels(name, layers, channels):
    process, model = standard_process(name), DilatedConvolution.hierarchical(layers, channels)
    covariance, target = process.covariance(model.n_inputs), process.optimal_coefficients(model.n_inputs)
    lowest = weighted_rank.lowest_losses(covariance, target[::-1], channels)
    assert lowest[-1] == pytest.approx(lowest[0], rel=1e-6, abs=0)  # all starts end at one optimum
    start = tensor_train_parameters(target, model.taps, model.channels, rng=0)
    assert fit(model, process, initial=start, rng=0).loss == pytest.approx(lowest[0], rel=1e-6, abs=0)


def layers_of(sizes, taps=2, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(-99, 100, (taps, b, a)).astype(object) for a, b in pairwise(sizes)]


@pytest.mark.parametrize(
    ("n_layers", "channels", "steps"),
    [
        (5, 2, [(0, 1), (4, 3)]),
        (4, 4, [(0, 1), (1, 2), (3, 2)]),
        (4, 4, [(3, 2), (2, 1), (0, 1)]),
        (3, 2, [(0, 1), (2, 1)]),
    ],
)
def test_conjectures_hold_for_outer_layers(n_layers, channels, steps):
    sizes = [1, *[channels] * (n_layers - 1), 1]
    model, optimum = DilatedConvolution.hierarchical(n_layers, channels), layers_of(sizes)
    fixed = tuple(f"layer {place + 1}" for place in sorted(place for place, _ in steps))
    assert fixed in generic_redundant_sets(model, rng=0)
    for draw in range(1, 4):
        other = layers_of(sizes, seed=draw)
        assert conjectures.recovers(optimum, [(place, other[place], by) for place, by in steps])
    task = PrescribedTask(standard_process("power law"), model.coefficients(model.initial(1)))
    assert recover_with_frozen_layers(model, task, fixed, threshold=1e-16, draws=4, rng=0).fraction == 1


def test_other_layers_cannot_be_made_up_for():
    sizes = [1, 2, 2, 1]
    model, optimum, other = DilatedConvolution.hierarchical(3, 2), layers_of(sizes), layers_of(sizes, seed=1)
    target = conjectures.coefficients(optimum)
    assert conjectures.made_up_for([optimum[0], other[1], other[2]], 0, target) is None  # only layer 1 is free
    assert ("layer 2", "layer 3") not in generic_redundant_sets(model, rng=0)
    degenerate = np.array([[[1], [2]], [[2], [4]]], dtype=object)  # a redundant layer of rank one
    assert not conjectures.recovers(optimum, [(0, degenerate, 1), (2, other[2], 1)])


@pytest.mark.parametrize("target", [(1, 0.5, 0), (1, 0.5, 0.5), (2, -1, 1), (-1, 0.25, 0.5)])
def test_conjectures_fail_for_a_recurrence(target):
    parts = {"input 1": slice(0, 1), "input 2": slice(1, 2), "poles": slice(2, 4), "output": slice(4, 6)}
    model = RegroupedLayers(DiagonalRecurrence(3, 2), parts)
    task = PrescribedTask(standard_process("power law"), np.array(target[::-1], dtype=float))
    assert exact_capacity(model, layers=["input 2", "poles"]).total == exact_capacity(model).total == 3
    for weight in (-1.5, -0.5, 0.25, 0.75, 1.5, 2.5):
        frozen = FrozenLayers(model, {"input 1": [weight], "output": [1.0, 1.0]})
        loss = min(fit(frozen, task, rng=seed, max_iterations=200, restarts=4).loss for seed in range(2))
        assert (loss < 1e-16) == conjectures.attains(weight, target)
