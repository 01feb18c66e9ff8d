"""What people asked in public about networks like theirs: how far they see, what they wait for, how many parameters."""

import numpy as np
import pytest

from capacity_inspection.graphs import from_layers, receptive_fields, time_reach


def convolution(taps, dilation=1, pads=None, stride=1, axes=1):
    pads = ((taps - 1) * dilation, 0) if pads is None else pads
    kernel = np.ones((1, 1, *[taps] * axes))
    return "convolution", {"kernel": kernel, "dilations": dilation, "pads": [pads] * axes, "strides": stride}


def stack(taps, dilations, per_block=1):
    """Causal convolutions, with as many of each dilation as a residual block has: the path past it sees no further."""
    return [convolution(taps, dilation) for dilation in dilations for _ in range(per_block)]


def patches(strides, pads=(1, 1)):
    """A discriminator of patches: kernels of 4 x 4."""
    return [convolution(4, pads=pads, stride=stride, axes=2) for stride in strides]


def powers(n):
    return [2**k for k in range(n)]


def image(*layers):
    """Square windows, (taps, stride), with pads that keep the size."""
    return [convolution(taps, pads=(taps // 2, taps // 2), stride=stride, axes=2) for taps, stride in layers]


def resnet(*units, first_strides=(1, 2, 2, 2)):
    """The windows of more than one pixel of bottlenecks, each with its stride in the first unit."""
    blocks = [[(3, stride), *[(3, 1)] * (n - 1)] for n, stride in zip(units, first_strides)]
    return image((7, 2), (3, 2), *(window for block in blocks for window in block))


def vgg(*convolutions):
    return image(*(window for n in convolutions for window in [*[(3, 1)] * n, (2, 2)]))


FIELDS = {  # by repository and number: layers, and how many positions along each axis the last unit sees
    "philipperemy/keras-tcn#8": (stack(8, powers(4) * 3, per_block=2), 631),  # 192 was answered
    "philipperemy/keras-tcn#146": (stack(2, powers(6), per_block=2), 127),  # 64 was told, and earlier steps told, too
    "philipperemy/keras-tcn#207": (stack(3, powers(6), per_block=2), 1 + sum(2 * (3 - 1) * d for d in powers(6))),
    "philipperemy/keras-tcn#71, deeper": (stack(2, powers(8)), 256),
    "philipperemy/keras-tcn#71, stacked": (stack(2, powers(7) * 2), 255),  # which was taken for the same
    "philipperemy/keras-tcn#226": (stack(2, [1, 2], per_block=2), 7),
    "paul-krug/pytorch-tcn#13": (stack(4, powers(7), per_block=2), 763),  # 2304 was measured, with == of floats
    "locuslab/TCN#44": (stack(6, powers(8)), 1276),
    "ibab/tensorflow-wavenet#259": (stack(2, [1, *powers(10)]), 1025),  # one layer stands before the dilated ones
    "vincentherrmann/pytorch-wavenet#14": (stack(2, [1] * 3), 4),
    "NVIDIA/nv-wavenet#26": (stack(3, powers(6) * 2), 253),
    "nashory/DeLF-pytorch#15, layer3": (resnet(3, 4, 6), 267),  # where 291 stood, of another residual network
    "nashory/DeLF-pytorch#15, layer4": (resnet(3, 4, 6, 3), 427),  # and 483
    "frgfm/torch-scan#33": (vgg(2, 2, 3, 3, 3), 212),  # 308 was told
    "phillipi/pix2pix#33": (patches([2, 2, 2, 1, 1]), 70),
    "phillipi/pix2pix#25": (patches([2] * 5 + [1, 1]), 286),  # where the paper had 574
    "phillipi/pix2pix#25, with the layer that lacked": (patches([2] * 6 + [1, 1]), 574),
    "junyanz/pytorch-CycleGAN-and-pix2pix#1535": (patches([2, 2, 2, 1, 1], pads=(0, 0)), 70),  # whatever the pads
}
REACHES = {  # layers, and steps before and behind its own that a unit sees
    "pytorch/pytorch#1333": ([convolution(2, pads=(1, 1)), ("slice", {"end": (1, 40)})], 1, 0),
    "locuslab/TCN#8": ([convolution(3, 2, pads=(4, 4)), ("slice", {"end": (1, 40)})], 4, 0),
    "keras-team/keras-io#1003": ([*stack(3, [1]), convolution(3, pads=(1, 1))], 3, 1),
    "open-retina/open-retina#136": ([*stack(21, [1]), convolution(11, pads=(5, 5))], 25, 5),
    "apple/axlearn#801": ([convolution(15, pads=(9, 5), stride=6)], 9, 0),
    "Kismuz/btgym#79": ([*stack(2, [1]), ("normalize", {"axes": (0, 1)})], 39, 39),  # of all steps
    "Kismuz/btgym#79, step by step": ([*stack(2, [1]), ("normalize", {"axes": (0,), "centred": False})], 1, 0),
}
SEEN = {  # a layer on so many steps, and from where to where its output at a place sees them
    "acids-ircam/cached_conv#10": (convolution(8, pads=(7, 0), stride=4), 8, 1, (0, 5)),  # the last three are late
    "acids-ircam/cached_conv#10, mended": (convolution(8, pads=(4, 0), stride=4), 8, 1, (0, 8)),
    "apple/axlearn#801, before": (convolution(15, pads=(14, 0), stride=6), 27, 2, (0, 13)),
    "apple/axlearn#801": (convolution(15, pads=(9, 5), stride=6), 27, 2, (3, 18)),
    "lucidrains/magvit2-pytorch#27": (convolution(3, pads=(1, 0), stride=2), 17, 0, (0, 2)),  # the first frame alone
    "lucidrains/magvit2-pytorch#27, mended": (convolution(3, pads=(2, 0), stride=2), 17, 0, (0, 1)),
}


@pytest.mark.parametrize("case", FIELDS)
def test_a_unit_sees_as_far_as_its_layers_let_it(case):
    layers, expected = FIELDS[case]
    axes = np.ndim(layers[0][1]["kernel"]) - 2
    graph = from_layers((1, *[4 * expected] * axes), layers)
    assert receptive_fields(graph, at="centre" if axes > 1 else "last")["input"].shape[1:] == (expected,) * axes


@pytest.mark.parametrize("case", REACHES)
def test_what_breaks_causality_is_found(case):
    layers, past, future = REACHES[case]
    reach = time_reach(from_layers((1, 40), layers))
    assert (reach.past, reach.future, reach.causal) == (past, future, not future)


@pytest.mark.parametrize("case", SEEN)
def test_pads_of_strided_layers_decide_which_steps_are_seen(case):
    layer, steps, at, ends = SEEN[case]
    box = receptive_fields(from_layers((1, steps), [layer]), at=(0, at))["input"]
    assert (box.start[1], box.stop[1]) == ends


def test_parameters_that_lie_in_no_layer_are_counted_and_are_paths_today():
    torch = pytest.importorskip("torch")
    from capacity_inspection.readers import read_torch

    nn = torch.nn

    class Gated(nn.Sequential):  # TylerYep/torchinfo#137
        def __init__(self):
            super().__init__(nn.Linear(2, 2), nn.Linear(2, 2))
            self.gates = nn.Parameter(torch.zeros(2))

        def forward(self, x):
            for gate, layer in zip(self.gates, self):
                x = x + gate * layer(x).tanh()
            return x

    class Matrix(nn.Module):  # TylerYep/torchinfo#54
        def __init__(self):
            super().__init__()
            self.layer = nn.Parameter(torch.randn(16, 64))

        def forward(self, x):
            return x @ self.layer

    class Block(nn.Module):  # TylerYep/torchinfo#396: one activation is a part of all blocks
        def __init__(self, activation):
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(4, 4), activation, nn.Linear(4, 4), activation)

        def forward(self, x):
            return self.layers(x)

    relu = nn.ReLU()
    assert read_torch(Matrix(), (1, 16), linear=False).n_parameters == 1024
    gated = read_torch(Gated(), (1, 2), linear=False)
    assert gated.n_parameters == 14
    assert receptive_fields(gated, at=(0,))[gated.inputs[0]].shape == (2,)
    assert read_torch(nn.Sequential(*(Block(relu) for _ in range(3))), (1, 4), linear=False).n_parameters == 120
