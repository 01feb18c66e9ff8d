"""The stacks that a search looks at: sizes by the model itself, and all of them by brute force."""

import itertools

from capacity.models import DilatedConvolution
from capacity_inspection.design import all_dilations_up_to, stacks_within


def models(*arguments, **named):
    """Every stack that is found, as a model."""
    return [
        DilatedConvolution(dilations, family.channels, family.taps, family.components)
        for family in stacks_within(*arguments, **named)
        for dilations in family.dilations.tolist()
    ]


def function(model):
    """What two models share that reach the same coefficients because only the order of their layers differs."""
    layers = (model.dilations, model.taps, model.channels)
    if set(model.channels) <= {1}:
        return tuple(sorted(zip(*layers[:2])))
    return min(layers, tuple(part[::-1] for part in layers))


def test_parameters_and_lags_are_those_of_the_models():
    for components in (1, 2):
        for family in stacks_within(40, 9, components=components):
            found = [
                DilatedConvolution(each, family.channels, family.taps, components) for each in family.dilations.tolist()
            ]
            assert {model.n_parameters for model in found} == {family.parameters}
            assert max(model.n_positions for model in found) == family.lags <= 9
            assert family.parameters <= 40


def test_all_dilations_are_found_once_but_for_an_order_that_does_not_matter():
    found = [function(model) for model in models(24, 6, taps=(2, 3), channels=(1, 2, 3))]
    every = set()
    for n, depth, width in itertools.product((2, 3), range(1, 6), (1, 2, 3)):
        for dilations in itertools.product(range(1, 6), repeat=depth):
            ends = [min(width, n**layer, n ** (depth - layer)) for layer in range(1, depth)]
            if (n - 1) * sum(dilations) < 6 and (model := DilatedConvolution(dilations, ends, n)).n_parameters <= 24:
                every.add(function(model))
    assert len(found) == len(set(found))
    assert set(found) == every


def test_with_several_components_every_order_is_found():
    found = {model.dilations for model in models(40, 5, components=2, taps=(2,), channels=(1,))}
    assert {(1, 2), (2, 1)} <= found


def test_fewer_channels_at_the_ends_reach_the_same_coefficients():
    for components, channels in ((1, (2, 4, 2)), (2, (4, 4, 2))):
        found = models(200, 16, taps=(2,), channels=(4,), components=components)
        (model,) = (each for each in found if each.dilations == (1, 2, 4, 8))
        whole = DilatedConvolution.hierarchical(4, channels=4, components=components)
        assert model.channels == whole.minimal().channels == channels


def test_deeper_stacks_are_blocks_of_a_base():
    assert all_dilations_up_to(101) == 2
    found = {model.dilations for model in models(14, 101, taps=(2,), channels=(1,))}
    deep = {dilations for dilations in found if len(dilations) > 2}
    blocks = (
        (tuple(b**i for i in range(depth)) * times)
        for b in (1, 2, 3, 4)
        for depth in range(1, 8)
        for times in (1, 2, 3, 4)
    )
    assert deep == {block for block in blocks if 2 < len(block) <= 7 and sum(block) <= 100}


def test_a_single_layer_with_a_very_long_field_has_powers_for_dilations():
    found = {model.dilations for model in models(2, 6001, taps=(2,))}
    assert found == {(base**i,) for base in (2, 3, 4) for i in range(13) if base**i <= 6000}
