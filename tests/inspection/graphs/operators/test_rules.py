"""What windows read, whatever their strides and dilations."""

import numpy as np

from capacity_inspection.graphs.operators.rules import sums


def test_what_windows_read_is_the_set_of_all_sums():
    rng = np.random.default_rng(0)
    for _ in range(300):
        first, count, stride = rng.integers(0, 5), rng.integers(1, 6), rng.integers(0, 4)
        units = np.arange(first, first + count) * rng.integers(1, 3)
        begin, taps, dilation = rng.integers(-3, 3), rng.integers(1, 5), rng.integers(1, 4)
        offsets = range(begin, begin + taps * dilation, dilation)
        expected = sorted({stride * unit + offset for unit in units.tolist() for offset in offsets})
        assert sums(units, stride, offsets).tolist() == expected
