"""What windows of units see of what each of their entries sees, against all of it, one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capacity_inspection.graphs.operators.spans import FAR, Spans


@given(data=st.data())
def test_a_window_sees_the_least_of_what_its_entries_see(data):
    entries, count, stride = (data.draw(st.integers(1, most)) for most in (30, 8, 3))
    offsets = range(data.draw(st.integers(-9, 3)), 30, data.draw(st.integers(1, 3)))[: data.draw(st.integers(1, 24))]
    ends = np.random.default_rng(0).integers(-5, 5, (2, 1, entries))
    expected = np.full((2, 1, count), FAR)
    for u in range(count):
        read = [stride * u + offset for offset in offsets if 0 <= stride * u + offset < entries]
        expected[:, 0, u] = ends[:, 0, read].min(axis=1, initial=FAR)
    for kept in (offsets, list(offsets)):
        found = Spans(ends, (0, 0)).thinned().along(1, stride, kept, count, entries)
        np.testing.assert_array_equal(found.per_unit([1], (1, count)).ends, expected)
