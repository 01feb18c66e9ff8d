"""Networks at random, from a seed: one list of steps that is written as an ONNX file and run as a module of PyTorch.

All weights are positive and all activations increase, so that an output changes with each input that it can see. The
first axis of every array is the batch.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.defs import onnx_opset_version
from onnx.reference import ReferenceEvaluator

__all__ = ["Plan", "as_module", "as_onnx", "random_plan", "reference_values", "some_version"]

_ACTIVATIONS = ("Relu", "LeakyRelu", "Softplus")
_MOST = 400  # entries of a value, so that each module takes milliseconds


@dataclass
class Plan:
    """Steps (operator, inputs, attributes), each of which makes the array that is named after its number."""

    shape: tuple[int, ...]
    steps: list = field(default_factory=list)
    weights: dict = field(default_factory=dict)  # by name; those that are trained
    statistics: dict = field(default_factory=dict)  # of normalizations, which are not trained
    first: str = "v0"
    shapes: dict = field(default_factory=dict)

    def used(self):
        """The steps that the last one is computed from, by number."""
        wanted = {f"v{len(self.steps)}"}
        for i in range(len(self.steps), 0, -1):
            if f"v{i}" in wanted and f"v{i}" != self.first:
                wanted.update(self.steps[i - 1][1])
        return [i for i in range(1, len(self.steps) + 1) if f"v{i}" in wanted and f"v{i}" != self.first]

    def parts(self):
        """What lies between two arrays, wherever nothing else leads from the input to the second one."""
        for last in self.used():
            whole = replace(self, steps=self.steps[:last])
            for i in whole.used()[:-1]:
                part = replace(whole, first=f"v{i}", shape=self.shapes[f"v{i}"])
                if not any("v0" in self.steps[k - 1][1] for k in part.used()):
                    yield part

    @property
    def n_parameters(self):
        """Number of weights of the steps that are used, each counted once."""
        names = {name for i in self.used() for name in self.steps[i - 1][1] if name in self.weights}
        return sum(self.weights[name].size for name in names)


class _Builder:
    def __init__(self, rng, plan):
        self.rng, self.plan = rng, plan
        self.shapes = {"v0": plan.shape}

    def choose(self, options):
        return options[self.rng.integers(len(options))]

    def weight(self, *shape):
        """A weight of a shape: now and then one that is there already."""
        same = [name for name, array in self.plan.weights.items() if array.shape == shape]
        if same and self.rng.random() < 0.3:
            return self.choose(same)
        name = f"w{len(self.plan.weights)}"
        self.plan.weights[name] = self.rng.uniform(0.5, 1.0, shape)
        return name

    def statistic(self, *shape):
        name = f"s{len(self.plan.statistics)}"
        self.plan.statistics[name] = self.rng.uniform(0.5, 1.0, shape)
        return name

    def add(self, shape, operator, inputs, /, **attributes):
        if min(shape) < 1 or math.prod(shape) > _MOST:
            return
        self.plan.steps.append((operator, tuple(inputs), attributes))
        self.shapes[f"v{len(self.plan.steps)}"] = tuple(int(n) for n in shape)

    def windows(self, x, *, pool):
        """Taps, strides, dilations and pads of a window on all positions, and the places that it has."""
        positions = self.shapes[x][2:]
        taps = [int(self.rng.integers(1, min(3, n) + 1)) for n in positions]
        strides = [self.choose([1, 1, 2, 3]) for _ in positions]
        dilations = [1 if pool else self.choose([1, 1, 2, 3]) for _ in positions]
        most = [k - 1 if pool else 3 for k in taps]
        before = [int(self.rng.integers(0, m + 1)) for m in most]
        after = before if pool else [int(self.rng.integers(0, m + 1)) for m in most]
        places = [
            (n + a + b - d * (k - 1) - 1) // s + 1
            for n, k, s, d, a, b in zip(positions, taps, strides, dilations, before, after)
        ]
        return taps, strides, dilations, [*before, *after], places

    def convolution(self, x):
        if len(self.shapes[x]) not in (3, 4):
            return
        channels = self.shapes[x][1]
        group = self.choose([g for g in (1, 1, 2, 3, channels) if channels % g == 0])
        outputs = group * int(self.rng.integers(1, 3))
        taps, strides, dilations, pads, places = self.windows(x, pool=False)
        if min(places) < 1:
            return
        inputs = [x, self.weight(outputs, channels // group, *taps)]
        inputs += [self.weight(outputs)] if self.rng.random() < 0.5 else []
        options = {"kernel_shape": taps, "strides": strides, "dilations": dilations, "pads": pads, "group": int(group)}
        self.add((1, outputs, *places), "Conv", inputs, **options)

    def transposed(self, x):
        """A transposed convolution, in one group, since the library's reference knows no others."""
        if len(self.shapes[x]) not in (3, 4):
            return
        channels, *positions = self.shapes[x][1:]
        taps, strides, dilations, pads, _ = self.windows(x, pool=True)
        outputs, axes = int(self.rng.integers(1, 3)), len(positions)
        more = [int(self.rng.integers(0, s)) for s in strides]
        places = [
            (n - 1) * s + d * (k - 1) + 1 + m - pads[j] - pads[j + axes]
            for j, (n, s, d, k, m) in enumerate(zip(positions, strides, dilations, taps, more))
        ]
        inputs = [x, self.weight(channels, outputs, *taps)]
        options = {"strides": strides, "dilations": dilations, "pads": pads, "output_padding": more}
        self.add((1, outputs, *places), "ConvTranspose", inputs, **options)

    def pool(self, x):
        if len(self.shapes[x]) not in (3, 4):
            return
        taps, strides, _, pads, places = self.windows(x, pool=True)
        options = {
            "kernel_shape": taps,
            "strides": strides,
            "pads": [min(p, (k - 1) // 2) for p, k in zip(pads, taps * 2)],
        }
        places = [(n + 2 * p - k) // s + 1 for n, k, s, p in zip(self.shapes[x][2:], taps, strides, options["pads"])]
        if any((n + 2 * p - k) % s for n, k, s, p in zip(self.shapes[x][2:], taps, strides, options["pads"])):
            return  # the library's reference fails where a window does not fit at the end
        operator = "AveragePool" if any(options["pads"]) else self.choose(["MaxPool", "AveragePool"])  # or has pads
        if operator == "AveragePool":
            options["count_include_pad"] = self.choose([0, 1])
        self.add((*self.shapes[x][:2], *places), operator, [x], **options)

    def activation(self, x):
        self.add(self.shapes[x], self.choose(_ACTIVATIONS), [x])

    def pad(self, x):
        axes = len(self.shapes[x])
        before, after = ([0, *self.rng.integers(0, 3, axes - 1).tolist()] for _ in range(2))
        shape = [n + a + b for n, a, b in zip(self.shapes[x], before, after)]
        self.add(shape, "Pad", [x], pads=[*before, *after])

    def slice(self, x):
        axis = int(self.rng.integers(1, len(self.shapes[x])))
        n = self.shapes[x][axis]
        start, step = int(self.rng.integers(0, max(n // 2, 1))), self.choose([1, 1, 2])
        end = int(self.rng.integers(start + 1, n + 1))
        shape = list(self.shapes[x])
        shape[axis] = -(-(end - start) // step)
        self.add(shape, "Slice", [x], axis=axis, start=start, end=end, step=step)

    def reshape(self, x):
        size, shape = math.prod(self.shapes[x]), [1]
        for _ in range(int(self.rng.integers(1, 3))):
            shape.append(int(self.choose([k for k in range(1, size + 1) if size % k == 0])))
            size //= shape[-1]
        self.add([*shape, size], "Reshape", [x], shape=[*shape, size])

    def unsqueeze(self, x):
        axis = int(self.rng.integers(1, len(self.shapes[x]) + 1))
        shape = [*self.shapes[x][:axis], 1, *self.shapes[x][axis:]]
        if len(shape) < 5:
            self.add(shape, "Reshape", [x], shape=shape)

    def transpose(self, x):
        order = [0, *(1 + self.rng.permutation(len(self.shapes[x]) - 1)).tolist()]
        self.add([self.shapes[x][k] for k in order], "Transpose", [x], perm=order)

    def mean(self, x):
        axis = int(self.rng.integers(1, len(self.shapes[x])))
        shape = [*self.shapes[x]]
        shape[axis] = 1
        self.add(shape, "ReduceMean", [x], axes=[axis], keepdims=1)

    def product(self, x):
        outputs = int(self.rng.integers(1, 5))
        inputs = [x, self.weight(self.shapes[x][-1], outputs)]
        self.add((*self.shapes[x][:-1], outputs), "MatMul", inputs)

    def normalization(self, x):
        if len(self.shapes[x]) < 3:
            return
        c = self.shapes[x][1]
        inputs = [x, self.weight(c), self.weight(c), self.statistic(c), self.statistic(c)]
        self.add(self.shapes[x], "BatchNormalization", inputs)

    def join(self, x):
        """A sum of two arrays of one shape, or two arrays one after the other."""
        others = [y for y, shape in self.shapes.items() if len(shape) == len(self.shapes[x])]
        y = self.choose(others)
        if self.shapes[y] == self.shapes[x] and self.rng.random() < 0.5:
            self.add(self.shapes[x], "Add", [x, y])
            return
        axes = [
            k
            for k in range(1, len(self.shapes[x]))
            if all(a == b for j, (a, b) in enumerate(zip(self.shapes[x], self.shapes[y])) if j != k)
        ]
        if axes:
            axis = self.choose(axes)
            shape = list(self.shapes[x])
            shape[axis] += self.shapes[y][axis]
            self.add(shape, "Concat", [x, y], axis=axis)


def random_plan(seed, steps=8):
    """A network of so many steps."""
    rng = np.random.default_rng(seed)
    positions = (int(rng.integers(6, 25)),) if rng.random() < 0.6 else tuple(map(int, rng.integers(3, 7, 2)))
    plan = Plan((1, int(rng.integers(1, 4)), *positions))
    builder = _Builder(rng, plan)
    kinds = (
        *(
            "convolution",
            "convolution",
            "convolution",
            "transposed",
            "pool",
            "activation",
            "pad",
            "slice",
            "reshape",
            "unsqueeze",
        ),
        *("transpose", "mean", "product", "normalization", "join", "join"),
    )
    while len(plan.steps) < steps:
        recent = list(builder.shapes)[-4:]
        x = recent[-1] if rng.random() < 0.7 else builder.choose(recent)
        getattr(builder, builder.choose(kinds))(x)
    plan.shapes = builder.shapes
    return plan


def as_onnx(plan, version=17, *, opened=False):
    """The network as an ONNX model, in double precision, for any number of samples, and of positions if `opened`."""
    nodes, arrays = [], plan.weights | plan.statistics
    kept = {}
    for i in plan.used():
        operator, inputs, attributes = plan.steps[i - 1]
        kept |= {name: arrays[name] for name in inputs if name in arrays}
        attributes, constants = dict(attributes), []
        if operator == "Reshape":
            constants = [[0, *attributes.pop("shape")[1:]]]
        elif operator == "Pad" and version >= 11:
            constants = [attributes.pop("pads")]
        elif operator == "Slice":
            start, end, axis, step = (attributes.pop(key) for key in ("start", "end", "axis", "step"))
            constants = [[start], [end], [axis], [step]] if version >= 10 else []
            attributes = {} if version >= 10 else {"starts": [start], "ends": [end], "axes": [axis]}
        elif operator == "ReduceMean" and version >= 18:
            constants = [attributes.pop("axes")]
        names = [f"c{i}_{k}" for k in range(len(constants))]
        kept |= {name: np.array(value, np.int64) for name, value in zip(names, constants)}
        nodes.append(helper.make_node(operator, [*inputs, *names], [f"v{i}"], name=f"step {i}", **attributes))
    shape = ["samples", *(f"n{k}" if opened and k > 1 else n for k, n in enumerate(plan.shape[1:], start=1))]
    graph = helper.make_graph(
        nodes,
        "random",
        [helper.make_tensor_value_info(plan.first, TensorProto.DOUBLE, shape)],
        [helper.make_tensor_value_info(f"v{len(plan.steps)}", TensorProto.DOUBLE, None)],
        initializer=[numpy_helper.from_array(array, name) for name, array in kept.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=8)


def some_version(plan, rng):
    """A version of the operators in which the network can be written."""
    stepped = any(plan.steps[i - 1][2].get("step", 1) > 1 for i in plan.used() if plan.steps[i - 1][0] == "Slice")
    return int(rng.integers(10 if stepped else 7, onnx_opset_version() + 1))


def reference_values(model, inputs):
    """Output of a model for samples of its input, by the library's reference."""
    return ReferenceEvaluator(model).run(None, {model.graph.input[0].name: inputs})[0]


def as_module(plan):
    """The network as a module of PyTorch."""
    import torch
    from torch.nn import functional as F

    rules = {
        "Relu": lambda given, _: F.relu(given[0]),
        "LeakyRelu": lambda given, _: F.leaky_relu(given[0], 0.01),
        "Softplus": lambda given, _: F.softplus(given[0]),
        "MatMul": lambda given, _: given[0] @ given[1],
        "Add": lambda given, _: given[0] + given[1],
        "Reshape": lambda given, a: given[0].reshape(-1, *a["shape"][1:]),
        "Transpose": lambda given, a: given[0].permute(a["perm"]),
        "ReduceMean": lambda given, a: given[0].mean(a["axes"], keepdim=True),
        "Concat": lambda given, a: torch.cat(given, a["axis"]),
        "Pad": lambda given, a: F.pad(given[0], _flat_pads(a["pads"])),
        "BatchNormalization": lambda given, _: F.batch_norm(given[0], given[3], given[4], given[1], given[2]),
        "Slice": lambda given, a: given[0][(slice(None),) * a["axis"] + (slice(a["start"], a["end"], a["step"]),)],
    }

    def convolution(given, a):
        axes = len(a["strides"])
        value = F.pad(given[0], _flat_pads([0, 0, *a["pads"][:axes], 0, 0, *a["pads"][axes:]]))
        function = (F.conv1d, F.conv2d)[axes - 1]
        return function(value, *given[1:], stride=a["strides"], dilation=a["dilations"], groups=a["group"])

    def transposed(given, a):
        axes = len(a["strides"])
        function = (F.conv_transpose1d, F.conv_transpose2d)[axes - 1]
        options = {"stride": a["strides"], "dilation": a["dilations"], "output_padding": a["output_padding"]}
        return F.pad(
            function(*given, **options),
            _flat_pads([0, 0, *(-n for n in a["pads"][:axes]), 0, 0, *(-n for n in a["pads"][axes:])]),
        )

    def pool(given, a, *functions, **more):
        axes = len(a["strides"])
        return functions[axes - 1](given[0], a["kernel_shape"], a["strides"], a["pads"][:axes], **more)

    rules["Conv"] = convolution
    rules["ConvTranspose"] = transposed
    rules["MaxPool"] = lambda given, a: pool(given, a, F.max_pool1d, F.max_pool2d)
    rules["AveragePool"] = lambda given, a: pool(
        given, a, F.avg_pool1d, F.avg_pool2d, count_include_pad=bool(a["count_include_pad"])
    )

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            names = {name for i in plan.used() for name in plan.steps[i - 1][1]}
            for name in sorted(names & set(plan.weights)):
                self.register_parameter(name, torch.nn.Parameter(torch.tensor(plan.weights[name])))
            for name in sorted(names & set(plan.statistics)):
                self.register_buffer(name, torch.tensor(plan.statistics[name]))

        def forward(self, x):
            known = {plan.first: x}
            for i in plan.used():
                operator, inputs, attributes = plan.steps[i - 1]
                given = [known[name] if name in known else getattr(self, name) for name in inputs]
                known[f"v{i}"] = rules[operator](given, attributes)
            return known[f"v{len(plan.steps)}"]

    return Module()


def _flat_pads(pads):
    """Pads of PyTorch, the last axis first, from those of ONNX."""
    axes = len(pads) // 2
    return [pads[k + side * axes] for k in reversed(range(axes)) for side in (0, 1)]
