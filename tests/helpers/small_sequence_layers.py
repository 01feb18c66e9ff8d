"""Small sequence layers, with a draw of their parameters and windows."""

import numpy as np
import pytest

from capacity_studies.sequence_layers import GRU, LinearAttention, Selective, SoftmaxAttention, time_scales

MODELS = [LinearAttention(3), Selective(3), GRU(2), SoftmaxAttention(3)]
SIZES = [3, 3, 2, 3]
drawn = pytest.mark.parametrize(("model", "size"), list(zip(MODELS, SIZES)), ids=lambda value: type(value).__name__)


def some(model, size, seed=0, samples=7, lags=9):
    rng = np.random.default_rng(seed)
    return model.draw(time_scales(size, 6), rng), rng.standard_normal((samples, lags))
