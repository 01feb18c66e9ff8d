"""Small networks as graphs: chains, residual blocks, and one with everything that a convolutional network may have."""

import itertools

import numpy as np

from capacity_inspection.graphs import Graph, from_layers, make_node

RELU = ("activation", {"function": "relu"})
KERNEL = np.ones((4, 3, 3, 3))
RECURRENT = {"kernel": np.ones((10, 3)), "recurrent_kernel": np.ones((10, 5))}
LSTM = {"kind": "lstm", "hidden": 2, "cells": True}
EACH_OPERATOR = [  # with the shapes of its inputs, arrays, options, and its shape, counted by hand
    ("input", [], {}, {"shape": (3, 8)}, (3, 8)),
    ("convolution", [(3, 8, 9)], {"kernel": KERNEL}, {}, (4, 6, 7)),
    ("convolution", [(3, 8, 9)], {"kernel": KERNEL}, {"strides": (2, 3), "pads": ((1, 0), (0, 2))}, (4, 4, 3)),
    ("convolution", [(6, 8, 9)], {"kernel": KERNEL}, {"groups": 2, "dilations": (2, 1)}, (4, 4, 7)),
    ("convolution", [(2, 5)], {"kernel": np.ones((4, 1, 1))}, {"groups": 2}, (4, 5)),
    ("dense", [(3, 4)], {"kernel": np.ones((7, 12))}, {}, (7,)),
    ("dense", [(3, 4)], {"kernel": np.ones((7, 4))}, {"axis": -1}, (3, 7)),
    ("scale", [(3, 4)], {"factor": np.ones(3), "shift": np.ones(3)}, {}, (3, 4)),
    ("add", [(3, 4), (3, 4)], {}, {}, (3, 4)),
    ("accumulate", [(3, 4)], {}, {}, (3, 4)),
    ("concatenate", [(3, 4), (5, 4)], {}, {}, (8, 4)),
    ("average_pool", [(3, 7, 7)], {}, {}, (3, 1, 1)),
    ("max_pool", [(3, 7, 7)], {}, {"window": 3, "strides": 2, "pads": 1}, (3, 4, 4)),
    ("pad", [(3, 7)], {}, {"pads": ((0, 0), (2, 1))}, (3, 10)),
    ("slice", [(3, 7)], {}, {"begin": (1, 0), "end": (3, 6), "step": (1, 4)}, (2, 2)),
    ("reshape", [(3, 4)], {}, {"shape": (2, 6)}, (2, 6)),
    ("transpose", [(3, 4, 5)], {}, {"permutation": (2, 0, 1)}, (5, 3, 4)),
    ("activation", [(3, 4)], {}, {"function": "relu"}, (3, 4)),
    ("normalize", [(3, 4)], {}, {"axes": (-1,)}, (3, 4)),
    ("attention", [(6, 2), (6, 5), (4, 5)], {}, {"heads": 2, "causal": True}, (4, 2)),
    ("expand", [(3, 1)], {}, {"shape": (3, 4)}, (3, 4)),
    ("product", [(3, 4), (1, 4)], {}, {}, (3, 4)),
    ("matmul", [(2, 3, 4), (2, 4, 5)], {}, {"gain": 1}, (2, 3, 5)),
    ("softmax", [(3, 4)], {}, {"axis": -1}, (3, 4)),
    ("transposed_convolution", [(3, 4, 5)], {"kernel": np.ones((3, 2, 3, 3))}, {"strides": (2, 1)}, (2, 9, 7)),
    (
        "transposed_convolution",
        [(4, 5)],
        {"kernel": np.ones((4, 3, 4))},
        {"strides": 2, "pads": 1, "dilations": 2, "output_pads": 1, "groups": 2},
        (6, 14),
    ),
    ("interpolate", [(3, 4)], {}, {"coordinates": (None, [0, 0.5, 1])}, (3, 3)),
    ("recurrent", [(3, 4)], RECURRENT, {"hidden": 5, "direction": "bidirectional"}, (10, 4)),
    ("recurrent", [(3, 4)], {"kernel": np.ones((8, 3)), "recurrent_kernel": np.ones((8, 2))}, LSTM, (4, 4)),
]


def dense_chain(projections, function="relu"):
    """A chain of dense layers with the weights P_1, ..., P_L, each followed by an activation."""
    layers = [[("dense", {"kernel": P.T}), ("activation", {"function": function})] for P in projections]
    return from_layers((len(projections[0]),), [layer for pair in layers for layer in pair])


def random_projections(*sizes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape) for shape in itertools.pairwise(sizes)]


def residual_series(seed=0, steps=12, function="relu"):
    """Two residual blocks of dilated convolutions on a series, the second with a change of channels."""
    rng = np.random.default_rng(seed)
    activation = ("activation", {"function": function})
    layers = [
        ("convolution", {"kernel": rng.standard_normal((2, 1, 2)), "pads": [(1, 0)], "name": "a"}),
        (*activation,),
        ("convolution", {"kernel": rng.standard_normal((2, 2, 2)), "pads": [(2, 0)], "dilations": 2}),
        ("add", {"inputs": ["convolution 3", "a"], "name": "first"}),
        (*activation,),
        ("convolution", {"kernel": rng.standard_normal((3, 2, 2)), "pads": [(4, 0)], "dilations": 4, "name": "b"}),
        ("convolution", {"kernel": rng.standard_normal((3, 2, 1)), "inputs": ["first"], "name": "c"}),
        ("add", {"inputs": ["b", "c"], "name": "second"}),
    ]
    return from_layers((1, steps), layers)


def varied_image(seed=0, size=(9, 8)):
    """Strides, dilations, groups, pads, pools, slices, concatenation, transposition and a dense layer on top."""
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal
    normal((4, 2, 2, 3))
    return from_layers(
        (2, *size),
        [
            ("convolution", {"kernel": normal((4, 2, 3, 3)), "pads": 1, "bias": normal(4)}),
            ("scale", {"factor": normal(4), "shift": normal(4)}),
            ("activation", {"function": "prelu", "slopes": [0.1, 0.2, 0.3, 0.4], "name": "prelu"}),
            ("max_pool", {"window": 3, "strides": 2, "pads": 1, "name": "pool"}),
            (
                "convolution",
                {"kernel": normal((4, 2, 2, 3)), "groups": 2, "pads": [(0, 1), (2, 2)], "dilations": (1, 2)},
            ),
            ("activation", {"function": "tanh", "name": "left"}),
            (
                "average_pool",
                {"window": 2, "pads": ((1, 0), (0, 1)), "inputs": ["pool"], "name": "right"},
            ),
            ("activation", {"function": "softsign", "name": "soft"}),
            ("slice", {"begin": (1, 0, 0), "end": (4, 5, 4), "step": (2, 1, 1), "name": "cut"}),
            ("concatenate", {"inputs": ["left", "cut"]}),
            ("pad", {"pads": ((0, 0), (1, 0), (0, 0)), "value": 0.5}),
            ("transpose", {"permutation": (1, 0, 2)}),
            ("reshape", {"shape": (6, 24), "name": "flat"}),
            ("dense", {"kernel": normal((5, 24)), "axis": 1}),
            RELU,
            ("dense", {"kernel": normal((3, 30)), "bias": normal(3), "name": "logits"}),
        ],
    )


def upsampled_image(seed=0, size=(4, 3)):
    """Transposed convolutions with strides, groups, dilations and pads of all kinds, and interpolation of each kind."""
    normal = np.random.default_rng(seed).standard_normal
    strided = {"strides": (2, 3), "pads": ((1, 0), (2, 1)), "output_pads": (1, 2), "groups": 2}
    halves = np.arange(13) / 2 - 0.25
    return from_layers(
        (4, *size),
        [
            ("transposed_convolution", {"kernel": normal((4, 3, 3, 2)), "bias": normal(6), "name": "up"} | strided),
            ("activation", {"function": "tanh"}),
            ("interpolate", {"coordinates": (None, halves, (0.0, 2.0, 2.0, 1.0)), "name": "linear"}),
            ("interpolate", {"coordinates": (None, None, np.arange(6) * 0.7), "cubic": True, "name": "cubic"}),
            RELU,
            ("transposed_convolution", {"kernel": normal((6, 2, 2, 1)), "dilations": (3, 1), "name": "wide"}),
            ("slice", {"begin": (0, 2, 1), "end": (2, 12, 5), "step": (1, 3, 2)}),
        ],
    )


def two_inputs(seed=0):
    """Two inputs of different shapes that meet in a sum."""
    rng = np.random.default_rng(seed)
    series, constant = make_node("series", "input", shape=(1, 6)), make_node("constant", "input", shape=(2,))
    left = make_node("left", "convolution", series, kernel=rng.standard_normal((3, 1, 6)))
    right = make_node("right", "dense", constant, kernel=rng.standard_normal((3, 2)))
    right = [right, make_node("column", "reshape", right, shape=(3, 1))]
    total = make_node("total", "add", [left, right[1]])
    return Graph((series, constant, left, *right, total, make_node("top", "activation", total, function="relu")))


def random_inputs(graph, samples, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal((samples, *graph[name].shape)) for name in graph.inputs}
