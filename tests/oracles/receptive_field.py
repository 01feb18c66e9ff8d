"""A receptive field with pads and strides: which inputs one output of a network can see.

This book, "Questions from issue trackers" (a column for the receptive field), and the reports of its package.

The book goes from the output down, with intervals. Here every input carries its own index, and sets of indices go up:
an output of a convolution or pool holds the union of what its taps hold, a pad holds nothing, a sum the union of its
branches. What a unit sees is read off its set, at the borders too, where pads have cut it.
"""

from itertools import product


def window(values, shape, kernel, stride, dilation, before, after):
    """Sets of the outputs of one layer, from those of its inputs, and the shape of the outputs."""
    places = [
        range(-a, n + b - d * (k - 1), s)
        for n, k, s, d, a, b in zip(shape, kernel, stride, dilation, before, after, strict=True)
    ]
    taps = list(product(*(range(0, k * d, d) for k, d in zip(kernel, dilation))))
    found = {}
    for output, start in zip(product(*(range(len(p)) for p in places)), product(*places)):
        read = (tuple(a + b for a, b in zip(start, tap)) for tap in taps)
        found[output] = frozenset().union(*(values.get(at, ()) for at in read))
    return found, tuple(map(len, places))


def network(values, shape, layers):
    """Sets at the top of a list of layers; a layer that is a list of lists is a sum of branches ([] is a shortcut)."""
    for layer in layers:
        if isinstance(layer, dict):
            values, shape = window(values, shape, **layer)
        else:
            branches = [network(values, shape, branch) for branch in layer]
            values = {at: frozenset().union(*(seen[at] for seen, _ in branches)) for at in branches[0][0]}
            shape = branches[0][1]
    return values, shape


def box(shape, layers, at):
    """First index along each axis that the output `at` sees, and the one after the last."""
    inputs = {index: frozenset([index]) for index in product(*map(range, shape))}
    seen = network(inputs, shape, layers)[0][at]
    return tuple(map(min, zip(*seen))), tuple(max(axis) + 1 for axis in zip(*seen))


if __name__ == "__main__":
    layer = {"kernel": [3], "stride": [2], "dilation": [1], "before": [1], "after": [1]}
    print([box([32], [layer] * 3, (at,)) for at in range(4)])
