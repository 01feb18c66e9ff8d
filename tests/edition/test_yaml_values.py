"""Values as people write them: numbers are numbers however they are written, and everything else is what it seems."""

import json
import math

import pytest
import yaml

from edition.yaml_values import Loader, read_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e4", 1e4),
        ("1e-05", 1e-5),
        ("[1E+16, .5, -3., +2]", [1e16, 0.5, -3.0, 2]),
        ("[inf, -.inf, Infinity]", [math.inf, -math.inf, math.inf]),
        ("[010, 0x1F, 0o17, -7]", [10, 31, 15, -7]),
        ("[true, False, null, ~]", [True, False, None, None]),
        ("[no, on, 1:30, 2001-01-31, 1_000, 1e, e4, '']", ["no", "on", "1:30", "2001-01-31", "1_000", "1e", "e4", ""]),
        ("'1e4'", "1e4"),
        ("fractional noise", "fractional noise"),
        ("{a: 1e1}", {"a": 10.0}),
    ],
)
def test_a_text_stands_for_the_value_that_it_seems_to(text, value):
    found = read_value("n", text)
    assert found == value
    assert repr(found) == repr(value)  # of the same type


@pytest.mark.parametrize(
    "value", [1e-5, 1e16, 5e-324, 1.7e308, -0.0, math.inf, -math.inf, 2**70, "1e5", "nan", "a: b", []]
)
def test_what_json_writes_is_read_back(value):
    assert repr(read_value("n", json.dumps(value))) == repr(value)


def test_what_is_no_number_is_one_however_it_is_written():
    assert all(math.isnan(value) for value in read_value("n", "[nan, .nan, NaN]"))


@pytest.mark.parametrize(
    "text",
    ["[a b", "!!set {a}", "[!!binary aGk=]", "!!timestamp 2001-01-31", "{1: 2}", "{a: 1, a: 2}", "a: b: c", "[" * 2000],
)
def test_what_no_chapter_can_be_given_is_refused_by_name(text):
    with pytest.raises(ValueError, match=r"^rate: expected a value in YAML"):
        read_value("rate", text)


def test_the_second_of_two_equal_names_is_noticed():
    with pytest.raises(yaml.YAMLError, match="n occurs twice"):
        yaml.load("one: {n: 1, m: 2, n: 3}", Loader)
