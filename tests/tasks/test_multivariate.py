import numpy as np
import pytest

from capacity.tasks import (
    similar_power_laws,
)


def test_like_power_laws_have_equally_spaced_exponents_about_their_mean():
    exponents = [-np.log2(p.autocovariances(1)[1]) for p in similar_power_laws(3, 0.6, spread=0.5).processes]
    np.testing.assert_allclose(exponents, [0.3, 0.6, 0.9])
    assert -np.log2(similar_power_laws(1, 0.6).processes[0].autocovariances(1)[1]) == pytest.approx(0.6)
