"""The stacks that a search looks at: sizes by the model itself, and all of them by brute force."""

import itertools

import pytest

from capacity.design import DilatedStack, stacks_within


def test_lags_and_parameters_are_those_of_the_model():
    for numbers in itertools.product([1, 2, 3], [1, 2, 4], [1, 2], [1, 2, 3], [1, 3]):
        stack = DilatedStack(*numbers)
        model = stack.model()
        assert (stack.lags, stack.parameters) == (model.n_inputs, model.n_parameters)
        assert model.dilations == stack.dilations
        assert stack.model(components=2).n_inputs == 2 * stack.lags


def test_all_stacks_within_the_budget_and_the_lags_are_found_once():
    found = list(stacks_within(60, 40, bases=(1, 2, 3), stacks=(1, 2), taps=(2, 3), channels=(1, 2, 4), max_layers=6))
    every = [DilatedStack(*n) for n in itertools.product([1, 2, 3], range(2, 7), [1, 2], [2, 3], [1, 2, 4])]
    wanted = [
        stack
        for stack in every
        if stack.parameters <= 60
        and stack.lags <= 40
        and len(stack.dilations) <= 6
        and (stack.base > 1 or stack.stacks == 1)
    ]
    assert len(found) == len(set(found))
    assert set(found) == set(wanted)


def test_stacks_of_no_size_are_refused():
    with pytest.raises(ValueError, match="channels: "):
        DilatedStack(2, 3, 1, 2, 0)
    with pytest.raises(TypeError, match="budget: "):
        list(stacks_within(2.5, 40))
    with pytest.raises(ValueError, match="max_lags: "):
        list(stacks_within(2, 1))
    with pytest.raises(ValueError, match=r"taps\[0\]: "):
        list(stacks_within(2, 10, taps=(0, 2)))
