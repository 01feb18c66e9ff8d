"""Small networks as graphs: chains, residual blocks, and one with everything that a convolutional network may have."""

import itertools

import numpy as np

from capacity_inspection.graphs import Graph, from_layers, make_node

RELU = ("activation", {"function": "relu"})
KERNEL = np.ones((4, 3, 3, 3))
RECURRENT = {"kernel": np.ones((10, 3)), "recurrent_kernel": np.ones((10, 5))}


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
