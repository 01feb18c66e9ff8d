"""A number says how it is known, and cannot be there without."""

import json
import pickle

import numpy as np
import pytest

from capacity_inspection.reports import Quantity
from capacity_inspection.reports.quantity import HeldIn


def test_a_number_is_exact_unless_it_says_otherwise():
    assert Quantity(20).to_dict() == {"value": 20, "kind": "exact"}


@pytest.mark.parametrize(
    ("number", "text", "plain"),
    [
        (Quantity(np.int64(7)), "7", {"value": 7, "kind": "exact"}),
        (Quantity((3, 5)), "3 x 5", {"value": [3, 5], "kind": "exact"}),
        (Quantity(()), "1", {"value": [], "kind": "exact"}),
        (
            Quantity(np.float64(0.31249), "assumed", "white inputs"),
            "0.312",
            {"value": 0.31249, "kind": "assumed", "note": "white inputs"},
        ),
        (Quantity(None, "unavailable", "no data"), "-", {"value": None, "kind": "unavailable", "note": "no data"}),
        (Quantity(8, "numerical", gap=1e9), "8", {"value": 8, "kind": "numerical", "gap": 1e9}),
        (Quantity(8, "numerical", gap=np.inf), "8", {"value": 8, "kind": "numerical", "gap": "infinite"}),
        (
            Quantity(8, "numerical", interval=(7, np.float64(9.25))),
            "8 (7 to 9.25)",
            {"value": 8, "kind": "numerical", "interval": [7.0, 9.25]},
        ),
    ],
)
def test_a_number_is_shown_with_what_is_known_of_it(number, text, plain):
    assert str(number) == text
    assert number.to_dict() == plain
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((0, "guessed"), "kind: expected one of exact, numerical, assumed, unavailable, got 'guessed'"),
        ((None,), "value: expected one unless unavailable, got none that is exact"),
        ((0, "unavailable", "why"), "got 0 that is unavailable"),
        ((np.nan, "numerical"), "value: expected a finite number, got nan"),
        ((1, "assumed"), "note: expected a reason for what is assumed"),
        ((None, "unavailable"), "note: expected a reason for what is unavailable"),
        ((1, "exact", "", 10.0), "gap: expected one of a numerical value, got one that is exact"),
        ((1, "numerical", "", 0.5), "gap: expected a number >= 1"),
    ],
)
def test_no_number_stands_there_silently(arguments, told):
    with pytest.raises(ValueError, match=told):
        Quantity(*arguments)


def test_a_name_knows_what_it_is_made_of_whatever_it_went_through():
    name = pickle.loads(pickle.dumps(HeldIn("box", 0.9).by("linear, of 3")))
    assert (name, name.extent, name.share, name.rule) == ("linear, of 3, box 90 %", "box", 0.9, "linear, of 3")
