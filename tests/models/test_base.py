"""Every class of the room, at drawn shapes, is its definition and keeps the protocol of a linear model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import MODELS, check_counts, check_model, check_stack

from capacity import models
from capacity.models import LinearModel

CLASSES = [name for name in models.__all__ if isinstance(getattr(models, name), type) and name != "LinearModel"]


@pytest.mark.parametrize("name", CLASSES)
@given(st.data(), st.integers(0, 2**16))
@settings(max_examples=20)
def test_coefficients_and_derivatives_are_those_of_the_definition(name, data, seed):
    model, plain, _ = data.draw(MODELS[name])
    check_model(model, plain, seed)


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "FrozenLayers"])
@given(st.data(), st.integers(0, 2**16))
@settings(max_examples=20)
def test_residues_ranks_and_degrees_are_those_of_exact_integers(name, data, seed):
    model, _, polynomial = data.draw(MODELS[name])
    check_counts(model, polynomial, seed)


@pytest.mark.parametrize("name", CLASSES)
@given(st.data(), st.sampled_from([(1,), (3,), (2, 2)]), st.integers(0, 2**16))
@settings(max_examples=20)
def test_a_stack_of_parameters_gives_what_each_gives_alone(name, data, lead, seed):
    check_stack(data.draw(MODELS[name]).model, lead, seed)


def test_what_lacks_a_member_does_not_keep_the_protocol():
    class Incomplete:
        n_inputs = n_parameters = components = degree = 1
        layers = {"layer 1": slice(0, 1)}  # noqa: RUF012

    assert not isinstance(Incomplete(), LinearModel)
