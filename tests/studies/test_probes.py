"""A NaN finds the fields that changes of single entries find."""

import pytest
from probed_fields import probed_fields
from small_graphs import residual_series, varied_image

from capacity_studies.probes import probe_receptive_field


@pytest.mark.parametrize(("graph", "output"), [(varied_image(), "left"), (residual_series(), "b")])
def test_a_nan_finds_what_changes_a_unit(graph, output):
    fields = list(probed_fields(graph, output).items())
    for at, boxes in fields[:: max(len(fields) // 4, 1)]:
        assert probe_receptive_field(graph, output, at) == boxes
