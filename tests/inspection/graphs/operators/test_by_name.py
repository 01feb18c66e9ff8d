"""What an operator is given is completed, or refused by name."""

import numpy as np
import pytest
from small_graphs import KERNEL, RECURRENT

from capacity_inspection.graphs import completed


def test_what_is_completed_stays_as_it_is():
    shape, arrays, options = completed("convolution", [(3, 8, 9)], {"kernel": KERNEL}, {"strides": 2})
    again = completed("convolution", [(3, 8, 9)], arrays, options)
    assert again[0] == shape
    assert again[2] == options == {"strides": (2, 2), "dilations": (1, 1), "pads": ((0, 0), (0, 0)), "groups": 1}


def test_weights_keep_single_precision_and_cannot_be_written():
    kernel = completed("dense", [(4,)], {"kernel": np.ones((2, 4), np.float32)})[1]["kernel"]
    assert kernel.dtype == np.float32
    with pytest.raises(ValueError, match="read-only"):
        kernel[0] = 0


@pytest.mark.parametrize(
    ("operator", "shapes", "arrays", "options", "message"),
    [
        ("einsum", [(3,)], {}, {}, "operator: expected one of input, convolution"),
        ("convolution", [(3, 8)], {}, {}, "convolution: expected kernel, got none"),
        ("convolution", [(3, 8)], {"kernel": KERNEL}, {}, "3 axes for an input of shape"),
        ("convolution", [(3, 2, 2)], {"kernel": KERNEL}, {}, "window: expected at most the extent"),
        ("convolution", [(4, 8, 8)], {"kernel": KERNEL}, {}, "a kernel for 4 channels in 1 groups"),
        ("convolution", [(3, 8, 8)], {"kernel": KERNEL}, {"stride": 2}, r"got \['stride'\]; remove them"),
        ("convolution", [(3, 8, 8)], {"kernel": KERNEL, "bias": np.ones(3)}, {}, r"bias of shape \(4,\)"),
        ("convolution", [(3, 8, 8)], {"kernel": KERNEL * np.nan}, {}, "kernel: expected finite numbers"),
        ("convolution", [(3, 8, 8)], {"kernel": "abc"}, {}, "kernel: expected an array of real numbers"),
        ("convolution", [(3, 8, 8)], {"kernel": KERNEL}, {"strides": 0}, "strides: expected an integer >= 1"),
        ("dense", [(3, 4)], {"kernel": np.ones((2, 4))}, {}, r"a kernel \(out, 12\)"),
        ("scale", [(3, 4)], {"factor": np.ones(5)}, {}, "expected factor that broadcasts"),
        ("add", [(3, 4), (3, 5)], {}, {}, "inputs of one shape"),
        ("concatenate", [(3, 4), (3, 5)], {}, {}, "differ along axis 0 only"),
        ("max_pool", [(3, 8)], {}, {"window": 2, "pads": 2}, "pads smaller than the window"),
        ("slice", [(3, 8)], {}, {"begin": (0, 8)}, "begin < end"),
        ("reshape", [(3, 8)], {}, {"shape": (5, 5)}, "24 entries"),
        ("transpose", [(3, 8)], {}, {"permutation": (0, 0)}, "list each axis once"),
        ("activation", [(3, 8)], {}, {"function": "swirl"}, "function: expected one of"),
        ("activation", [(3, 8)], {}, {"function": "prelu"}, "expected slopes"),
        ("activation", [(3, 8)], {}, {"function": "relu", "slope": 0.1}, "slope: expected it of"),
        ("expand", [(3, 4)], {}, {"shape": (6, 4)}, "reshape the input before"),
        ("product", [(1, 4), (3, 4)], {}, {}, "pass the signal first"),
        ("matmul", [(3, 4), (3, 4)], {}, {}, r"expected \(..., n, k\) and \(..., k, m\)"),
        ("attention", [(4, 5)] * 3, {"bias": np.ones((2, 5, 5))}, {}, r"expected a bias \(1 or 1, 5, 5\)"),
        ("attention", [(4, 5)] * 3, {"bias": np.full((1, 5, 5), -1e30)}, {}, "leaves each query a key"),
        (
            "transposed_convolution",
            [(4, 8, 8)],
            {"kernel": KERNEL},
            {"groups": 3},
            r"expected a kernel \(4, out/groups",
        ),
        ("transposed_convolution", [(4, 1, 1)], {"kernel": KERNEL}, {"pads": 2}, "pads that leave an output"),
        ("interpolate", [(4, 8)], {}, {"coordinates": (None,)}, "list all axes"),
        ("recurrent", [(3, 8)], RECURRENT, {"hidden": 5}, "transpose the input"),
        ("recurrent", [(3, 8), (5, 2)], RECURRENT, {"hidden": 10}, "a recurrent one"),
        ("recurrent", [(3, 8), (2, 5)], RECURRENT, {"hidden": 5, "direction": "bidirectional"}, "no first states or 1"),
        ("recurrent", [(3, 8)], RECURRENT, {"hidden": 5, "kind": "cell"}, "kind: expected one of simple, gru, lstm"),
        ("recurrent", [(3, 8)], RECURRENT, {"hidden": 5, "kind": "gru", "function": "relu"}, "relu of a simple layer"),
        ("recurrent", [(3, 8)], RECURRENT, {"hidden": 5, "cells": True}, "them of an lstm only"),
        ("activation", [], {}, {"function": "relu"}, "expected inputs: 1, got 0"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(operator, shapes, arrays, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        completed(operator, shapes, arrays, options)
