import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from capacity.layers import convolution_projection
from capacity.layers.projections import as_layer, as_projection


@given(st.data())
def test_a_convolution_has_its_taps_where_loops_put_them(data):
    """Channels, one or two dimensions, odd and even kernels, stride with dilation, padding or a ring."""
    d = data.draw(st.integers(1, 2))
    some = lambda low, top: data.draw(st.lists(st.integers(low, top), min_size=d, max_size=d))  # noqa: E731
    outputs, inputs, taps = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)), some(1, 4)
    stride, dilation = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2))
    padding = data.draw(st.sampled_from(["periodic", 0, 1, 2]))
    spans = [dilation * (k - 1) for k in taps]
    size = [data.draw(st.integers(max(1, span + 1 - 2 * (padding if padding in (1, 2) else 0)), 9)) for span in spans]
    kernel = np.random.default_rng(0).standard_normal((outputs, inputs, *taps))
    first = [span // 2 if padding == "periodic" else padding for span in spans]
    counts = [
        -(-n // stride) if padding == "periodic" else len(range(0, n + 2 * padding - span, stride))
        for n, span in zip(size, spans)
    ]
    expected = np.zeros((inputs, *size, outputs, *counts))
    for at in np.ndindex(outputs, inputs, *counts, *taps):
        o, c, place, tap = at[0], at[1], at[2 : 2 + d], at[2 + d :]
        source = [stride * p + dilation * k - f for p, k, f in zip(place, tap, first)]
        if padding == "periodic":
            source = [x % n for x, n in zip(source, size)]
        if all(0 <= x < n for x, n in zip(source, size)):
            expected[(c, *source, o, *place)] += kernel[(o, c, *tap)]
    found = convolution_projection(kernel, tuple(size), stride=stride, padding=padding, dilation=dilation)
    np.testing.assert_allclose(found.toarray(), expected.reshape(found.shape), atol=1e-14)
    assert found.shape == (inputs * np.prod(size), outputs * np.prod(counts))


def test_projections_with_degenerate_columns_are_refused():
    with pytest.raises(ValueError, match="weights: expected columns different from zero, got zeros in column 1"):
        as_projection([[1.0, 0.0], [2.0, 0.0]], "weights")
    with pytest.raises(ValueError, match=r"weights: expected no two columns .* got columns 0 and 2"):
        as_projection([[1.0, 1.0, -3.0], [2.0, 0.0, -6.0]], "weights", distinct=True)
    with pytest.raises(ValueError, match="weights: expected at least one column"):
        as_projection(np.zeros((3, 0)), "weights")
    parallel = np.ones((2, 2))
    assert as_projection(parallel) is parallel


def test_columns_are_parallel_up_to_rounding():
    def tilted(angle):
        return [[1.0, np.cos(angle)], [0.0, np.sin(angle)]]

    as_projection(tilted(1e-4), distinct=True)
    with pytest.raises(ValueError, match="projection: expected no two columns"):
        as_projection(tilted(1e-6), distinct=True)


def test_layers_come_dense_or_sparse_and_finite():
    doubled = sparse.coo_array(([1, 2], ([0, 0], [1, 1])), shape=(1, 2))
    np.testing.assert_array_equal(as_layer(doubled, "x").toarray(), [[0.0, 3.0]])
    assert doubled.nnz == 2
    np.testing.assert_array_equal(as_layer([[1, 2]], "x"), [[1.0, 2.0]])
    for wrong, expected in ((np.inf, "finite numbers"), (1j, "a matrix of real numbers")):
        with pytest.raises(ValueError, match=f"x: expected {expected}"):
            as_layer(sparse.csr_array([[wrong]]), "x")
