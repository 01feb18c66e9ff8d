import numpy as np
import pytest

from capacity.convolutions import DilatedConvolution
from capacity.impulse import Paths

TILED = DilatedConvolution([1, 2, 4, 8, 16, 32] * 3, channels=2)  # lags overlap: the Jacobian is convolved by FFT


@pytest.mark.parametrize("components", [1, 3])
def test_blocks_of_overlapping_layers_agree_with_the_reverse_pass(components):
    model = DilatedConvolution(TILED.dilations, 2, components=components)
    parameters, rng = model.initial(0), np.random.default_rng(1)
    jacobian = model.jacobian(parameters)
    for _ in range(3):
        y = rng.standard_normal(model.n_inputs)
        expected = model.pullback(parameters, y)
        assert np.allclose(jacobian.T @ y, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


def test_blocks_by_fft_are_the_sums_over_lags():
    paths = Paths(TILED.dilations, TILED.taps)
    rng, layer = np.random.default_rng(0), 9
    outer, inner = paths.lags_above[layer + 1], paths.lags_below[layer]
    above, below = rng.standard_normal((outer.size, 2)), rng.standard_normal((inner.size, 3, 2))
    found = paths.block(layer, above, below)
    expected = np.zeros_like(found)
    for u, lag_above in enumerate(outer):
        for v, lag_below in enumerate(inner):
            for t in range(2):
                lag = lag_above + lag_below + t * TILED.dilations[layer]
                expected[lag, :, :, t] += np.einsum("j,ic->cji", above[u], below[v])
    assert np.allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())
