"""The box that a box of units is computed from is the one around what each of them sees."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capacity_inspection.graphs import Box, from_layers, receptive_fields
from capacity_inspection.graphs.operators.boxes import box_hull


@given(data=st.data())
def test_a_box_reads_what_its_units_see(data):
    taps, stride, dilation, before, after = (data.draw(st.integers(low, 3)) for low in (1, 1, 1, 0, 0))
    options = {"strides": stride, "dilations": dilation, "pads": [(before, after)]}
    graph = from_layers((2, 9), [("convolution", {"kernel": np.ones((1, 2, taps)), "name": "y"} | options)])
    start = data.draw(st.integers(0, graph["y"].shape[1] - 1))
    stop = data.draw(st.integers(start + 1, graph["y"].shape[1]))
    hull = None
    for unit in range(start, stop):
        hull = box_hull(hull, receptive_fields(graph, at=(0, unit)).get("input"))
    (read,) = graph["y"].rule.reads(graph["y"], Box((0, start), (1, stop)), [(2, 9)])
    assert read is None or hull is None or (read.start <= hull.start and hull.stop <= read.stop)
    if dilation == 1 and stride <= taps:
        assert read == hull
