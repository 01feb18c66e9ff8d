import numpy as np
import pytest

from capacity.allocation import exact_capacity, tensor_train_capacity
from capacity.linalg import PRIME, orthonormal_basis, principal_angles
from capacity.models import DilatedConvolution
from capacity.models._responses import ImpulseResponses, _Sums, with_fewer_channels

TILED = DilatedConvolution([1, 2, 4, 8, 16, 32] * 3, channels=2)  # lags overlap: the Jacobian is convolved by FFT


def test_blocks_by_fft_are_the_sums_over_lags():
    paths = ImpulseResponses(TILED.dilations, TILED.taps)
    rng, layer = np.random.default_rng(0), 9
    outer, inner = paths.lags_above[layer + 1], paths.lags_below[layer]
    above, below = rng.standard_normal((2, outer.size)), rng.standard_normal((3, inner.size, 2))
    found = paths.block(layer, above, below)
    expected = np.zeros_like(found)
    for u, lag_above in enumerate(outer):
        for v, lag_below in enumerate(inner):
            for t in range(2):
                lag = lag_above + lag_below + t * TILED.dilations[layer]
                expected[:, :, t, :, -1 - lag] += np.einsum("j,ic->cji", above[:, u], below[:, v])
    assert np.allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


LAGS = {"apart": ([0, 3, 6], [0, 1, 2]), "few overlap": ([0, 2, 3, 9], [0, 2, 5]), "many": (range(60), range(70))}


@pytest.mark.parametrize("modulus", [None, PRIME])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("lags", LAGS.values(), ids=LAGS)
def test_sums_over_pairs_of_lags_are_those_of_two_loops(lags, turned, modulus):
    outer, inner = (np.array(each) for each in lags[:: -1 if turned else 1])
    rng, reach = np.random.default_rng(0), outer[-1] + inner[-1] + 3
    shapes = (2, 4, outer.size), (2, 3, inner.size, 5)  # stacked, with five components
    above, below = (rng.standard_normal(s) if modulus is None else rng.integers(0, PRIME, s) for s in shapes)
    expected = np.zeros((2, 5, 4, 3, reach), dtype=above.dtype)
    for u, lag_above in enumerate(outer):
        for v, lag_below in enumerate(inner):
            terms = above[:, None, :, None, u] * below[:, :, v].swapaxes(1, 2)[:, :, None]
            expected[..., lag_above + lag_below] += terms if modulus is None else terms % PRIME
    found = _Sums(outer, inner, reach)(above, below, modulus)
    if modulus is None:
        assert np.allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())
    else:
        assert np.array_equal(found, expected % PRIME)


STACKS = [
    DilatedConvolution([1]),
    DilatedConvolution([3], taps=1, components=2),
    DilatedConvolution.hierarchical(5, channels=3),
    DilatedConvolution.hierarchical(4, channels=40),
    DilatedConvolution.hierarchical(3, channels=[2, 5], taps=[3, 2, 2], components=2),
    DilatedConvolution([1, 2, 1, 2], channels=2),
    DilatedConvolution([4, 1, 1, 3], channels=[3, 5, 2], taps=[3, 2, 3, 3], components=2),
    DilatedConvolution([1, 2, 4, 8] * 3, channels=4),
]


def degenerate(model, kind):
    parameters = model.initial(1)
    if kind == "idle channels":  # the last channel of each hidden layer is not driven
        for weights in model.filters(parameters)[:-1]:
            weights[-1] = 0
    return np.zeros_like(parameters) if kind == "zero" else parameters


@pytest.mark.parametrize("kind", ["generic", "idle channels", "zero"])
@pytest.mark.parametrize("model", STACKS)
def test_tangent_span_has_the_column_space_of_the_jacobian(model, kind):
    parameters = degenerate(model, kind)
    jacobian = orthonormal_basis(model.jacobian(parameters))
    span = model.tangent_span(parameters)
    assert jacobian.rank <= span.shape[1] <= model.n_parameters
    basis = orthonormal_basis(span)
    assert basis.rank == jacobian.rank
    assert principal_angles(basis, jacobian).max(initial=0) < 1e-11


@pytest.mark.parametrize("channels", [1, 2, 4, 8, 100])
def test_tangent_span_of_a_hierarchical_model_is_an_orthonormal_basis_of_its_tangent_space(channels):
    model = DilatedConvolution.hierarchical(6, channels)
    span = model.tangent_span(model.initial(0))
    assert span.shape == (64, tensor_train_capacity(model.taps, channels))
    np.testing.assert_allclose(span.T @ span, np.eye(span.shape[1]), atol=1e-13)


def test_tangent_span_of_a_wavenet_like_stack_has_no_column_to_spare():
    model = DilatedConvolution([2**i for i in range(6)] * 2, channels=3)
    assert model.tangent_span(model.initial(0)).shape[1] == exact_capacity(model).total == 87


@pytest.mark.parametrize("modulus", [7, PRIME, 2**31 - 19])
def test_blocks_modulo_a_prime_are_exact_whatever_the_overlap(modulus):
    paths = ImpulseResponses(TILED.dilations, TILED.taps)
    rng, layer = np.random.default_rng(0), 9
    outer, inner = paths.lags_above[layer + 1], paths.lags_below[layer]
    above = rng.integers(modulus - 3, modulus, (2, outer.size))  # the largest residues: the largest sums
    below = rng.integers(modulus - 3, modulus, (2, inner.size, 1))
    found = paths.block(layer, above, below, modulus)
    for j, i in np.ndindex(2, 2):
        first, second = (np.zeros(lags[-1] + 1, dtype=object) for lags in (outer, inner))
        first[outer], second[inner] = above[j].tolist(), below[i, :, 0].tolist()
        expected = np.convolve(first, second) % modulus
        assert found[0, j, 0, i, ::-1][: expected.size].tolist() == expected.tolist()


def test_digits_near_the_bound_of_exactness_convolve_exactly():
    lags = np.arange(4096)  # 2^24 pairs, all digits -2^15 or 2^15 - 1 in the low, 2^15 - 1 in the high part
    worst = np.where(np.random.default_rng(0).random(4096) < 0.5, 0x7FFF8000, 0x7FFF7FFF)[None]
    found = _Sums(lags, lags, 8191)(worst % PRIME, worst[..., None] % PRIME, PRIME)[0, 0, 0]
    values = [int(x) for x in worst[0] % PRIME]
    for lag in (0, 1, 2048, 4095, 5000, 8190):
        pairs = range(max(0, lag - 4095), min(lag, 4095) + 1)
        assert found[lag] == sum(values[k] * values[lag - k] for k in pairs) % PRIME


def test_narrow_response_keeps_the_products_over_channels():
    rng = np.random.default_rng(8)
    for shape in [(7, 3), (2, 3), (2, 9, 2), (4, 4)]:
        response = rng.standard_normal(shape)
        small = with_fewer_channels(response)
        assert small.shape == (*shape[:-2], min(shape[-2:]), shape[-1])
        expected = response.swapaxes(-1, -2) @ response
        np.testing.assert_allclose(small.swapaxes(-1, -2) @ small, expected, atol=1e-13)
