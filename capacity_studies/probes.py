"""What an output sees, found from outside: by evaluating a network with a NaN in its inputs."""

import numpy as np

from capacity_inspection.graphs import Box
from capacity_inspection.graphs.evaluation import node_values
from capacity_inspection.graphs.fields import output_position

__all__ = ["probe_receptive_field"]


def probe_receptive_field(graph, output=None, at="centre"):
    """Return the receptive field of one output unit in each input, of a network without masks.

    An output is NaN where it reads one. With the first i entries along an axis set to NaN it becomes so as soon as i
    passes the start of the box, which bisection finds in the logarithm of the size of the axis; likewise from the end.
    """
    name, at = output_position(graph, output, at)
    part, found = graph.up_to(name), {}
    given = {key: np.zeros((1, *part[key].shape)) for key in part.inputs}

    def sees(key, cut):
        probe = given[key].copy()
        probe[cut] = np.nan
        return bool(np.isnan(node_values(part, given | {key: probe})[name][(0, *at)]))

    for key in part.inputs:
        if not sees(key, ...):
            continue
        start, stop = [], []
        for axis, n in enumerate(part[key].shape):
            before = (slice(None),) * (axis + 1)
            start.append(_first(lambda i: sees(key, (*before, slice(None, i + 1))), n))  # noqa: B023
            stop.append(n - _first(lambda i: sees(key, (*before, slice(n - i - 1, None))), n))  # noqa: B023
        found[key] = Box(tuple(start), tuple(stop))
    return found


def _first(holds, n):
    """Return the first of n numbers at which something holds that holds from there on."""
    low, high = 0, n - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
