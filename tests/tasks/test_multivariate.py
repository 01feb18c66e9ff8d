import numpy as np
import pytest

from capacity.tasks import (
    GaussianProcess,
    IndependentProcesses,
    autoregressive,
    power_law,
    similar_power_laws,
)

PAIR = IndependentProcesses([GaussianProcess(power_law(0.4)), GaussianProcess(autoregressive([0.5]))])


def test_similar_processes_are_neither_equal_nor_far_from_each_other():
    values = np.array([process.autocovariances(10)[10] for process in similar_power_laws(4).processes])
    assert (np.diff(values) < 0).all()
    assert values.max() < 2 * values.min()


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="at least one"):
        IndependentProcesses([])
    with pytest.raises(ValueError, match=r"processes\[1\]"):
        IndependentProcesses([GaussianProcess(), PAIR])
    with pytest.raises(ValueError, match="spread"):
        similar_power_laws(2, spread=1.5)
    with pytest.raises(TypeError, match="components"):
        similar_power_laws(2.0)


def test_like_power_laws_have_equally_spaced_exponents_about_their_mean():
    exponents = [-np.log2(p.autocovariances(1)[1]) for p in similar_power_laws(3, 0.6, spread=0.5).processes]
    np.testing.assert_allclose(exponents, [0.3, 0.6, 0.9])
    assert -np.log2(similar_power_laws(1, 0.6).processes[0].autocovariances(1)[1]) == pytest.approx(0.6)
