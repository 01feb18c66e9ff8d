import numpy as np
import pytest

from capacity.tasks import (
    similar_power_laws,
)


def test_similar_processes_are_neither_equal_nor_far_from_each_other():
    values = np.array([process.autocovariances(10)[10] for process in similar_power_laws(4).processes])
    assert (np.diff(values) < 0).all()
    assert values.max() < 2 * values.min()


def test_like_power_laws_have_equally_spaced_exponents_about_their_mean():
    exponents = [-np.log2(p.autocovariances(1)[1]) for p in similar_power_laws(3, 0.6, spread=0.5).processes]
    np.testing.assert_allclose(exponents, [0.3, 0.6, 0.9])
    assert -np.log2(similar_power_laws(1, 0.6).processes[0].autocovariances(1)[1]) == pytest.approx(0.6)
