import numpy as np
from scipy import stats

from capacity_studies.expressivity._gaussian import folded_mean


def test_folded_means_are_those_of_scipy():
    mean, spread = np.array([-2.0, 0.0, 0.3, 40.0]), np.array([[0.1], [1.0], [5.0]])
    np.testing.assert_allclose(folded_mean(mean, spread), stats.foldnorm.mean(np.abs(mean) / spread, scale=spread))
    np.testing.assert_array_equal(folded_mean(mean, np.zeros(4)), np.abs(mean))
