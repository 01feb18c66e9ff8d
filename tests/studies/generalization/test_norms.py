from itertools import product

import numpy as np
import pytest
from scipy import stats

from capacity.activations import relu
from capacity.networks import Layer
from capacity_studies.generalization import classification_margins, norm_measures, rank_correlation

RNG = np.random.default_rng(0)
NETS = [
    Layer(RNG.standard_normal((3, 4, 2))),
    *(Layer(RNG.standard_normal((3, n, 4)), activation=relu()) for n in (4, 3)),
]


def test_path_measures_are_sums_over_paths():
    """The definition: products of weights along each path from an input to an output."""
    found = norm_measures(NETS, [1.0, 2.0, 0.5])
    for net, margin in enumerate((1.0, 2.0, 0.5)):
        routes = product(range(2), range(4), range(4), range(3))
        paths = np.array([[a.weights[net, j, i] for a, i, j in zip(NETS, r, r[1:])] for r in routes])
        assert found.l1_path[net] == pytest.approx(np.abs(2 * paths).prod(axis=1).sum() ** 2 / margin**2)
        assert found.l2_path[net] == pytest.approx((4 * np.array([4, 4, 3]) * paths**2).prod(axis=1).sum() / margin**2)
        values = [np.linalg.svd(a.weights[net], compute_uv=False) for a in NETS]
        assert found.l2[net] == pytest.approx(np.prod([4 * np.sum(s**2) for s in values]) / margin**2)
        spectral = np.prod([h * s[0] ** 2 for h, s in zip((4, 4, 3), values)])
        assert found.spectral[net] == pytest.approx(spectral / margin**2)


def test_the_margin_is_a_quantile_of_right_minus_best_wrong_output():
    outputs, labels = RNG.standard_normal((2, 50, 4)), RNG.integers(4, size=50)
    wanted = [[row[label] - max(np.delete(row, label)) for row, label in zip(net, labels)] for net in outputs]
    np.testing.assert_allclose(classification_margins(outputs, labels), np.quantile(wanted, 0.05, axis=1))
    np.testing.assert_allclose(classification_margins(outputs, labels, share=0), np.min(wanted, axis=1))


@pytest.mark.parametrize(("count", "level"), [(4, 0.95), (7, 0.8)])
def test_the_interval_of_a_rank_correlation_is_that_of_bonett_and_wright(count, level):
    first, second = np.arange(count), np.array([1, 0, 3, 2, 4, 6, 5])[:count]
    away = (first - second.argsort().argsort()) ** 2
    r = 1 - 6 * away.sum() / (count * (count**2 - 1))
    half = stats.norm.ppf((1 + level) / 2) * np.sqrt((1 + r**2 / 2) / (count - 3))
    correlation, ends = rank_correlation(first, second, level=level)
    np.testing.assert_allclose(
        [correlation, *ends], [r, *np.tanh([np.arctanh(r) - half, np.arctanh(r) + half])], rtol=1e-12
    )
