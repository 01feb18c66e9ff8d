"""How far sequences look back and ahead: against the field of each output, one by one."""

import numpy as np
import pytest

from capacity_inspection.graphs import from_layers, receptive_fields, time_reach

RNG = np.random.default_rng(0)


def conv(taps, inputs=2, outputs=2, **options):
    return ("convolution", {"kernel": RNG.standard_normal((outputs, inputs, taps))} | options)


def up(taps, **options):
    return ("transposed_convolution", {"kernel": RNG.standard_normal((2, 2, taps)), "strides": 2} | options)


def gru(direction="forward"):
    rows = 6 * (1 + (direction == "bidirectional"))
    arrays = {"kernel": RNG.standard_normal((rows, 2)), "recurrent_kernel": RNG.standard_normal((rows, 2))}
    return ("recurrent", {"kind": "gru", "hidden": 2, "direction": direction} | arrays)


CAUSAL = {"pads": [(2, 0)]}
CUT = ("slice", {"begin": (0, 0), "end": (2, 24)})
UNET = [
    conv(4, strides=2, pads=[(3, 0)]),
    conv(3, pads=[(2, 0)]),
    up(2),
    ("concatenate", {"inputs": ["transposed_convolution 3", "input"]}),
    conv(3, inputs=4, pads=[(2, 0)]),
]
CASES = {  # whose reach is told; what is drawn at random has all operators, and often none that can be told
    "chomped": ([conv(3, pads=2), CUT], True),
    "strided": ([conv(3, strides=2, pads=[(2, 0)]), conv(3, strides=3, pads=[(0, 2)])], True),
    "strided, ahead": ([conv(3, strides=2, pads=[(2, 0)]), conv(9, strides=3, pads=[(0, 6)])], False),
    "u-net": (UNET, True),
    "u-net, ahead": ([*UNET[:2], up(4, pads=1), *UNET[3:]], False),
    "interpolated": (
        [conv(2, strides=2), ("interpolate", {"coordinates": (None, np.arange(24) / 2 - 0.25)})],
        False,
    ),
    "reflected": (
        [("interpolate", {"coordinates": (None, [2, 1, *range(24)])}), conv(3)],
        False,  # at the start, where it sees what comes later in place of pads
    ),
    "last state": (
        [gru(), ("slice", {"begin": (0, 23), "end": (2, 24)}), ("dense", {"kernel": np.ones((3, 2))})],
        True,
    ),
    "pads only at the start": (
        [gru("bidirectional"), conv(1, inputs=4, pads=[(3, 0)]), ("slice", {"begin": (0, 0), "end": (2, 24)})],
        False,
    ),
    "last states of two ways": (
        [
            gru("bidirectional"),
            ("slice", {"begin": (0, 23), "end": (2, 24), "name": "a"}),
            ("slice", {"begin": (2, 0), "end": (4, 1), "name": "b", "inputs": "recurrent 1"}),
            ("concatenate", {"inputs": ["a", "b"]}),
        ],
        False,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_past_and_future_are_the_largest_of_all_outputs(case):
    layers, causal = CASES[case]
    graph = from_layers((2, 24), layers)
    found = time_reach(graph)
    node = graph[found.node]
    assert node.shape[1] * found.stride == 24
    ends = []
    for channel, u in np.ndindex(*node.shape):
        seen = receptive_fields(graph, node.name, (channel, u)).get("input")
        first = u * found.stride
        if seen is None:  # it reads pads only
            continue
        ends.append((first - seen.start[1], seen.stop[1] - first - found.stride, seen.stop[1] - 1 - first))
    past, future, latency = np.max(ends, axis=0).clip(0)
    assert (found.past, found.future, found.latency) == (past, future, latency)
    assert found.causal == causal == (future == 0)
    assert bool(found.ahead) != causal


def test_the_first_layer_that_looks_ahead_is_named():
    layers = [conv(3, **CAUSAL), conv(5, pads=2, name="same"), conv(3, pads=1)]
    assert time_reach(from_layers((2, 24), layers)).ahead == "same"


def test_a_causal_upsampling_is_known_to_be_one_however_long():
    long = from_layers((2, 2**12), UNET)
    assert time_reach(long).causal


def test_images_and_steps_that_are_mixed_or_that_outputs_do_not_divide_have_no_reach():
    assert time_reach(from_layers((2, 4, 4), [("activation", {"function": "relu"})])) is None
    assert time_reach(from_layers((2, 24), [conv(2)])) is None
    horizon = [conv(3, **CAUSAL), ("dense", {"kernel": np.ones((4, 24)), "axis": 1})]
    assert time_reach(from_layers((2, 24), horizon)) is None
    turned = [
        ("normalize", {}),
        ("transpose", {"permutation": (1, 0)}),
        ("dense", {"kernel": np.ones((24, 24)), "axis": 0}),
    ]
    assert time_reach(from_layers((2, 24), turned)) is None
    folded = [("reshape", {"shape": (4, 12)}), conv(3, inputs=4, outputs=4, pads=1)]
    mixed = [*folded, ("reshape", {"shape": (2, 24)}), gru()]
    assert time_reach(from_layers((2, 24), mixed)) is None
    assert time_reach(from_layers((2, 24), [("dense", {"kernel": np.ones((1, 48))})])) is None


@pytest.mark.parametrize("chosen", [[7, 2, 11, 0, 5, 4], [11, 9, 7, 5, 3, 1], [0, 1, 2, 3, 10, 11]])
def test_some_entries_in_any_order_stand_for_no_steps(chosen):
    layers = [conv(3, pads=1), ("interpolate", {"coordinates": (None, chosen)})]
    assert time_reach(from_layers((2, 12), layers)) is None


def test_a_recurrence_that_is_written_out_has_no_reach():
    layers = [("convolution", {"kernel": np.ones((2, 2, 1)), "name": "fed"})]
    layers += [("slice", {"begin": (0, t), "end": (2, t + 1), "inputs": "fed", "name": f"fed {t}"}) for t in range(2)]
    layers += [("activation", {"function": "tanh", "inputs": "fed 0", "name": "state"})]
    assert time_reach(from_layers((2, 2), [*layers, ("add", {"inputs": ["state", "fed 1"]})])) is None


def steps_of(chosen, *head):
    """Chosen steps of a causal layer, one by one, each by itself, with what is made of them."""
    layers = [conv(3, name="fed", **CAUSAL)]
    for t in chosen:
        layers.append(("slice", {"begin": (0, t), "end": (2, t + 1), "inputs": "fed", "name": f"cut {t}"}))
        layers.append(("reshape", {"shape": (2,), "inputs": f"cut {t}", "name": f"step {t}"}))
    return from_layers((2, 24), [*layers, *head])


def test_what_is_computed_from_several_steps_that_were_taken_out_has_no_reach():
    add = ("add", {"inputs": ["step 4", "step 23"], "name": "sum"})
    assert time_reach(steps_of([4, 23], add)) is None
    assert time_reach(steps_of([4, 23], add, ("dense", {"kernel": np.ones((1, 2))}))) is None
    stacked = ("concatenate", {"inputs": ["step 4", "sum"], "axis": 0})  # as a loop over steps does
    assert time_reach(steps_of([4, 23], add, stacked)) is None
    assert time_reach(steps_of([23], ("dense", {"kernel": np.ones((1, 2))}))).past == 2
