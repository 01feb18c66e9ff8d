import json

import numpy as np
import pytest

from capacity.tasks import (
    FeatureMap,
    FeatureProcess,
    GaussianProcess,
    feature_covariance,
)


def test_functions_that_combine_to_a_constant_are_refused():
    process = GaussianProcess()
    constant = FeatureMap((np.ones_like, lambda y: y, np.square))
    for features, named in (
        (constant, [1, 0, 0]),
        (FeatureMap((np.sin, lambda y: 2 * np.sin(y))), [1, -0.5]),
        (FeatureMap((lambda y: np.sin(y) ** 2, lambda y: np.cos(y) ** 2)), [1, 1]),
    ):
        assert np.linalg.eigvalsh(feature_covariance(features, process.covariance(3)))[0] < 1e-12
        with pytest.raises(ValueError, match="no combination is constant") as refused:
            FeatureProcess(process, features)
        combination = np.array(json.loads(str(refused.value).split("got ")[1].split(" times")[0]))
        np.testing.assert_allclose(combination / combination[0], named, atol=1e-5)
    rank = np.linalg.matrix_rank(feature_covariance(constant, process.covariance(3)))
    assert rank == 3 * 2 + 1
