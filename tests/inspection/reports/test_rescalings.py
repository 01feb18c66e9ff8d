"""Counts of rescalings are ranks of networks that are small enough for these."""

from itertools import pairwise

import numpy as np
import pytest

from capacity_inspection.graphs import from_layers
from capacity_inspection.readers import cnn
from capacity_inspection.reports import layer_shares_report
from capacity_inspection.reports.rescalings import bounds_given_others, independent_in_all


def rectifiers(widths, bias, function="relu", seed=0):
    rng, layers = np.random.default_rng(seed), []
    for below, above in pairwise(widths):
        shift = {"bias": 0.3 * rng.standard_normal(above)} if bias else {}
        kernel = rng.standard_normal((above, below))
        layers += [("dense", {"kernel": kernel} | shift), ("activation", {"function": function})]
    return from_layers((widths[0],), layers[:-1])


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("function", ["leaky_relu", "tanh"])
def test_bounds_are_the_ranks_of_networks_without_units_that_are_off(function, bias):
    graph = rectifiers((4, 3, 4, 2), bias, function)
    report = layer_shares_report(graph)
    assert independent_in_all(graph).value == report["total", "capacity"].value
    for name, bound in bounds_given_others(graph).items():
        assert report[name, "only"].value == bound.value


def test_factors_of_a_layer_in_groups_are_counted_once_for_each_group():
    """A layer of one weight for each channel can do nothing that the layers on both sides of it cannot."""
    rng = np.random.default_rng(0)
    relu = ("activation", {"function": "leaky_relu"})
    layers = [
        ("dense", {"kernel": rng.standard_normal((3, 2)), "axis": 0}),
        relu,
        ("convolution", {"kernel": rng.standard_normal((3, 1, 1)), "groups": 3, "name": "each"}),
        relu,
        ("dense", {"kernel": rng.standard_normal((1, 3)), "axis": 0}),
    ]
    graph = from_layers((2, 4), layers)
    assert bounds_given_others(graph)["each"].value == 0 == layer_shares_report(graph)["each", "only"].value


def test_a_constant_between_layers_or_another_axis_keeps_factors_from_passing():
    first = {"kernel": np.ones((2, 1, 3))}
    for between in (("pad", {"pads": ((0, 0), (1, 1)), "value": 1.0}), ("transpose", {"permutation": (1, 0)})):
        layers = [("convolution", first), ("activation", {"function": "relu"}), between]
        shape = from_layers((1, 4), layers).nodes[-1].shape
        graph = from_layers((1, 4), [*layers, ("dense", {"kernel": np.ones((1, shape[0])), "axis": 0})])
        assert between[0] in independent_in_all(graph).note
        assert bounds_given_others(graph)["convolution 1"].value == 6
    layers = [
        ("convolution", first),
        ("activation", {"function": "relu"}),
        ("dense", {"kernel": np.ones((1, 2)), "axis": 1}),
    ]
    assert "dense follows" in independent_in_all(from_layers((1, 4), layers)).note


def test_ranks_that_take_minutes_have_a_bound_instead():
    graph = cnn((4, 4), channels=[32, 64])
    report = layer_shares_report(graph)
    assert "take minutes" in report["total", "capacity"].note
    assert report["layer 2", "only"] == bounds_given_others(graph)["layer 2"]
    assert report["layer 2", "only"].value == 9 * 32 * 64 - 32
