from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from capacity.allocation import (
    Recovery,
    generic_redundant_sets,
    marginal_shares,
    recover_with_frozen_layers,
    redundant_sets,
)
from capacity.fitting import fit
from capacity.models import DiagonalRecurrence, DilatedConvolution, FrozenLayers, RegroupedLayers
from capacity.tasks import GaussianProcess, PrescribedTask, white

PROCESS = GaussianProcess()
MODEL = DilatedConvolution.hierarchical(6, channels=4)
TARGET = PrescribedTask(PROCESS, MODEL.coefficients(MODEL.initial(5)))
SIGNAL = float(TARGET.target @ PROCESS.covariance(64) @ TARGET.target)


def names(*numbers):
    return tuple(f"layer {i}" for i in numbers)


def test_redundant_sets_at_a_point_are_the_generic_ones_and_have_no_marginal_capacity():
    parameters, covariance = MODEL.initial(0), PROCESS.covariance(64)
    (largest,) = redundant_sets(MODEL, parameters, covariance)
    assert largest == names(1, 2, 5, 6)
    shares = marginal_shares(MODEL, parameters, covariance)
    assert {name for name, share in shares.items() if abs(share.sum()) < 1e-6} == set(largest)


def test_the_optimum_is_recovered_with_redundant_layers_frozen_at_random():
    options = {"threshold": 1e-16 * SIGNAL, "draws": 3, "restarts": 2, "rng": 0}
    assert recover_with_frozen_layers(MODEL, TARGET, names(1, 2, 5, 6), **options).recovered == 3


@pytest.mark.parametrize("layers", [names(3), names(4)])
def test_the_optimum_is_not_recovered_with_another_layer_frozen(layers):
    options = {"threshold": 1e-16 * SIGNAL, "draws": 2, "restarts": 1, "rng": 0, "max_iterations": 60}
    found = recover_with_frozen_layers(MODEL, TARGET, layers, **options)
    assert found.recovered == 0
    assert found.losses.min() > 1e-6 * SIGNAL


def test_the_degenerate_values_of_the_example_of_the_paper_have_measure_zero():
    product = DilatedConvolution((1, 1), taps=1)  # A = w_1 w_2
    task = PrescribedTask(GaussianProcess(white()), np.array([0.7]))
    assert generic_redundant_sets(product, rng=0) == [("layer 1",), ("layer 2",)]
    found = recover_with_frozen_layers(product, task, ["layer 2"], threshold=1e-20, draws=20, rng=0)
    assert found.fraction == 1
    degenerate = FrozenLayers(product, {"layer 2": [0.0]})
    assert fit(degenerate, task, rng=0, restarts=3).loss == pytest.approx(0.49)
    assert not degenerate.jacobian(degenerate.initial(0)).any()


def test_redundant_parameters_of_a_recurrence_that_cannot_be_fixed_at_random():
    """A counterexample to both conjectures: three inputs, two channels, the weight of the first one frozen.

    With w_1 given, w_1 + w_2 = A_0 gives w_2, and the two equations left have real poles exactly if
    w_1 w_2 (A_0 A_2 - A_1^2) >= 0. For A = (1, 1/2, 0) by lag, they have none for 0 < w_1 < 1.
    """
    model = RegroupedLayers(
        DiagonalRecurrence(3, 2),
        {
            "input 1": slice(0, 1),
            "input 2": slice(1, 2),
            "recurrence": slice(2, 4),
            "output 1": slice(4, 5),
            "output 2": slice(5, 6),
        },
    )
    assert any({"input 1", "output 1"} <= set(found) for found in generic_redundant_sets(model, rng=0))
    task = PrescribedTask(PROCESS, np.array([0.0, 0.5, 1.0]))
    for weight, reached in [(-2.0, True), (-0.5, True), (0.3, False), (0.7, False), (1.5, True), (3.0, True)]:
        frozen = FrozenLayers(model, {"input 1": [weight], "output 1": [1.0]})
        assert (fit(frozen, task, rng=0, restarts=5).loss < 1e-16) == reached


@pytest.mark.parametrize(
    ("losses", "recovered"), [([1, 1], 0), ([1, 0.5, 0], 2), ([1, 0.6, 9, 0, 2, 3, 0.5], 2), ([0] * 7, 7)]
)
def test_recovery_counts_losses_up_to_the_threshold_and_has_clopper_and_pearsons_interval(losses, recovered):
    found, n = Recovery(np.array(losses), 0.5), len(losses)
    assert (found.recovered, found.fraction) == (recovered, recovered / n)
    for confidence in (0.95, 0.5):
        tail = (1 - confidence) / 2
        low = stats.beta.ppf(tail, recovered, n - recovered + 1) if recovered else 0
        high = stats.beta.ppf(1 - tail, recovered + 1, n - recovered) if recovered < n else 1
        assert found.interval(confidence) == pytest.approx((low, high), rel=1e-9)


def test_the_same_seed_gives_the_same_losses():
    first, second = (
        recover_with_frozen_layers(
            MODEL, PROCESS, names(1, 6), threshold=0.0, draws=2, restarts=1, rng=3, max_iterations=5
        )
        for _ in range(2)
    )
    assert np.array_equal(first.losses, second.losses)


def test_each_draw_freezes_the_layers_at_values_of_its_own():
    options = {"threshold": 0.0, "restarts": 1, "rng": 3, "max_iterations": 1}
    found = recover_with_frozen_layers(MODEL, PROCESS, names(1, 6), draws=40, **options)
    assert found.frozen.shape == (40, 16)
    assert np.unique(found.frozen).size == found.frozen.size
    # Initial weights of both layers are normal, of variances 1/2 and 1/8.
    scale = np.repeat([1 / 2, 1 / 8], 8)
    assert np.square(found.frozen).mean(axis=0) / scale == pytest.approx(np.ones(16), abs=4 * np.sqrt(2 / 40))
    assert np.abs(np.corrcoef(found.frozen[1:].ravel(), found.frozen[:-1].ravel())[0, 1]) < 4 / np.sqrt(39 * 16)


def test_each_draw_is_another_one_and_ends_with_the_first_loss_up_to_the_threshold_or_has_its_best(monkeypatch):
    losses, frozen = iter([1.0, 1e-3, 2.0, 1.5, 3.0]), []

    def fake(model, task, **options):
        frozen.append(model.values["layer 1"])
        return SimpleNamespace(loss=next(losses))

    monkeypatch.setattr("capacity.allocation.redundancy.fit", fake)
    found = recover_with_frozen_layers(MODEL, TARGET, names(1), threshold=1e-3, draws=2, restarts=3, rng=0)
    assert found.losses.tolist() == [1e-3, 1.5]
    assert (found.recovered, found.threshold) == (1, 1e-3)
    assert np.unique(frozen, axis=0).shape[0] == 2
