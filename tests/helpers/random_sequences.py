"""Sequences at random, from a seed: recurrent layers in either direction or in both, windows, joins, cuts."""

import numpy as np

from capacity_inspection.graphs import Graph, make_node

__all__ = ["random_sequences"]

_STEPS = 12


class _Builder:
    def __init__(self, rng):
        self.rng = rng
        self.nodes = [make_node("x", "input", shape=(int(rng.integers(1, 4)), _STEPS))]

    def choose(self, options):
        return options[self.rng.integers(len(options))]

    def add(self, operator, inputs, **arguments):
        node = make_node(f"{operator} {len(self.nodes)}", operator, inputs, **arguments)
        if node.shape[0] <= 12 and node.shape[1] <= 2 * _STEPS:
            self.nodes.append(node)

    def weights(self, *shape):
        return self.rng.uniform(0.5, 1.0, shape)

    def recurrent(self, x):
        kind, hidden = self.choose(["simple", "gru", "lstm"]), int(self.rng.integers(1, 3))
        direction = self.choose(["forward", "reverse", "bidirectional", "bidirectional"])
        rows = {"simple": 1, "gru": 3, "lstm": 4}[kind] * hidden * (1 + (direction == "bidirectional"))
        arrays = {"kernel": self.weights(rows, x.shape[0]), "recurrent_kernel": self.weights(rows, hidden)}
        cells = kind == "lstm" and bool(self.rng.random() < 0.3)
        self.add("recurrent", x, kind=kind, hidden=hidden, direction=direction, cells=cells, **arrays)

    def convolution(self, x):
        groups = self.choose([g for g in (1, 1, 1, 2, x.shape[0]) if x.shape[0] % g == 0])
        outputs, taps = groups * int(self.rng.integers(1, 3)), int(self.rng.integers(1, 4))
        stride, dilation = self.choose([1, 1, 2, 3]), self.choose([1, 1, 2, 3])
        pads = tuple(int(n) for n in self.rng.integers(0, 5, 2))
        if x.shape[1] + sum(pads) > dilation * (taps - 1):
            kernel = self.weights(outputs, x.shape[0] // groups, taps)
            self.add("convolution", x, kernel=kernel, strides=stride, dilations=dilation, pads=[pads], groups=groups)

    def transposed(self, x):
        kernel = self.weights(x.shape[0], int(self.rng.integers(1, 3)), int(self.rng.integers(1, 4)))
        self.add("transposed_convolution", x, kernel=kernel, strides=self.choose([1, 2, 2, 3]))

    def pad(self, x):
        self.add("pad", x, pads=[(0, 0), tuple(int(n) for n in self.rng.integers(0, 4, 2))])

    def cut(self, x):
        begin = [int(self.rng.integers(0, (n + 1) // 2)) for n in x.shape]
        end = [int(self.rng.integers(b + 1, n + 1)) for b, n in zip(begin, x.shape)]
        self.add("slice", x, begin=begin, end=end, step=(1, self.choose([1, 1, 2])))

    def moved(self, x):
        start = int(self.rng.integers(0, x.shape[1]))
        n = x.shape[1]
        places = self.choose([np.arange(n)[::-1], np.roll(np.arange(n), start), np.arange(2 * n) // 2])
        self.add("interpolate", x, coordinates=(None, places))

    def accumulate(self, x):
        self.add("accumulate", x, axis=1, reverse=bool(self.rng.random() < 0.5))

    def normalize(self, x):
        self.add("normalize", x, axes=self.choose([(0,), (0,), (0, 1), (1,)]))

    def attention(self, x):
        heads = self.choose([h for h in (1, 1, 2) if x.shape[0] % h == 0])
        self.add("attention", [x] * 3, heads=heads, causal=bool(self.rng.random() < 0.5))

    def dense(self, x):
        axis = self.choose([0, 0, 0, 1])
        self.add("dense", x, kernel=self.weights(int(self.rng.integers(1, 4)), x.shape[axis]), axis=axis)

    def join(self, x):
        y = self.choose(self.nodes)
        if y.shape == x.shape and self.rng.random() < 0.5:
            self.add("add", [x, y])
        elif y.shape[1] == x.shape[1]:
            self.add("concatenate", [x, y])
        elif y.shape[0] == x.shape[0]:
            self.add("concatenate", [x, y], axis=1)


def random_sequences(seed, size=6):
    """A graph of so many nodes beside its input, the last of which is the output."""
    rng = np.random.default_rng(seed)
    builder = _Builder(rng)
    kinds = ["recurrent"] * 3 + ["convolution"] * 4 + ["join"] * 3
    kinds += ["transposed", "pad", "cut", "cut", "moved", "accumulate", "normalize", "attention", "dense"]
    while len(builder.nodes) <= size:
        x = builder.nodes[-1] if rng.random() < 0.7 else builder.choose(builder.nodes[-4:])
        getattr(builder, builder.choose(kinds))(x)
    whole = Graph(tuple(builder.nodes))
    return whole.up_to(whole.outputs[0])
