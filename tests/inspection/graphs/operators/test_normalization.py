"""Normalisation: what it leaves has mean 0 and mean square 1."""

import numpy as np
import pytest

from capacity_inspection.graphs import forward, from_layers

RNG = np.random.default_rng(0)


def normalized(shape, **options):
    return from_layers(shape, [("normalize", options)])


@pytest.mark.parametrize(
    ("options", "axes"), [({}, (1,)), ({"axes": (1, 2)}, (2, 3)), ({"axes": (-1,), "centred": False}, (3,))]
)
def test_what_is_normalized_has_mean_0_and_mean_square_1(options, axes):
    shape = (4, 5, 6)
    inputs = 3 + 2 * RNG.standard_normal((2, *shape))
    found = forward(normalized(shape, **options, epsilon=0), inputs)["normalize 1"]
    np.testing.assert_allclose(np.mean(found**2, axis=axes), 1, rtol=1e-12)
    if options.get("centred", True):
        np.testing.assert_allclose(found.mean(axis=axes), 0, atol=1e-12)
        assert np.all(np.diff(found, axis=axes[0]) * np.diff(inputs, axis=axes[0]) > 0)
    else:
        assert np.ptp(found / inputs, axis=axes).max() < 1e-12
