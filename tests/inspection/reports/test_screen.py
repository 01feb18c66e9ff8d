"""A report fits its screen: no line is longer, no number is broken, and nothing that is missing goes unsaid."""

import dataclasses
import re

import pytest

from capacity_inspection.readers import tcn
from capacity_inspection.reports import LayerRow, Quantity, Report, network_report
from capacity_inspection.reports.quantity import unavailable

NETWORK = network_report(tcn([1, 2, 4, 8], channels=8, activation="relu", residual=True))


@pytest.mark.parametrize("width", [40, 80, 110, 200])
def test_no_line_is_longer_than_the_screen(width):
    for full in (False, True):
        lines = NETWORK.text(width, full=full).splitlines()
        assert max(map(len, lines)) <= max(width, 60 * full)  # names of totals stay whole


@pytest.mark.parametrize("width", [40, 80, 200])
def test_numbers_are_shown_whole(width):
    whole = {str(number).replace(" x ", "x") for _, _, number in NETWORK.numbers()} | {"1 x 16"}
    whole |= {"convolution", "input"} | {"x".join(map(str, row.shape)) for row in NETWORK.rows}
    tables = re.findall(r"---\n(.*?)\n\n", NETWORK.text(width, full=True), re.DOTALL)
    cells = [
        cell.lstrip("~*") for rows in tables for line in rows.splitlines() for cell in re.split(r" {2,}", line)[1:]
    ]
    assert set(cells) <= whole


def test_the_full_text_shows_every_column_and_total_and_the_first_screen_what_decides():
    full, first = NETWORK.text(full=True), NETWORK.text()
    assert all(name in full for name in NETWORK.totals)
    assert all(name in full for name in ("stride", "adds", "linear", "operator", "90 % in"))
    assert "--full" in first
    assert "--full" not in full
    assert len(first.splitlines()) < len(full.splitlines())
    assert not any(name in first for name in ("stride", "share", "adds"))
    assert len(NETWORK.says) <= 3


def test_what_is_unavailable_is_told_with_its_reason_once():
    text = " ".join(NETWORK.text(full=True).split())
    note = NETWORK["total", "independent"].note
    assert text.count(f"- independent: {note}") == text.count(note) == 1


def test_a_column_without_any_number_is_a_reason_below_the_table():
    rows = [LayerRow(name, "dense", (1,), {"x": Quantity(1), "y": unavailable("so")}) for name in "ab"]
    lines = Report("", tuple(rows), {}).text().splitlines()
    assert lines[0].split()[-1] == "x"
    assert "- y: so" in lines
    mixed = dataclasses.replace(rows[1], numbers={"x": Quantity(1), "y": unavailable("otherwise")})
    assert Report("", (rows[0], mixed), {}).text().splitlines()[0].split()[-1] == "y"


def test_marks_of_sentences_are_explained_where_the_numbers_are_not_shown():
    totals = {"loss": Quantity(0.5, "numerical"), "inputs": Quantity(4)}
    text = Report("", (), totals, says=("It leaves ~0.5.",), first=("inputs",)).text()
    assert "~ numerical" in text


def test_products_with_weights_are_counted_for_all_units_of_a_layer():
    graph = tcn([1, 2], channels=3, taps=2, activation="relu")
    report, positions = network_report(graph), graph[graph.inputs[0]].shape[-1]
    expected = {node.name: node.arrays["kernel"].size * positions for node in graph.layers}
    assert {name: report[name, "multiply-adds"].value for name in expected} == expected
    assert report["total", "multiply-adds"].value == sum(expected.values())


def test_control_characters_of_names_do_not_reach_the_terminal():
    row = LayerRow("a\x1b]0;title\x07b", "dense", (1,), {"x": Quantity(1.5, "assumed", "of a\x1b[2J")})
    text = Report("net\x9b", (row,), {"y": Quantity(None, "unavailable", "no\rway")}).text()
    assert all(each.isprintable() for line in text.split("\n") for each in line)
    assert r"\x1b]0;title\x07" in text


@pytest.mark.parametrize("width", [60, 80, 100])
def test_names_of_any_length_stand_in_sentences_reasons_and_tables_of_the_width(width):
    name = ".".join(["encoder", *(f"layers{i}" for i in range(20)), "convolution"])
    rows = [LayerRow(name, "dense", (1,), {"x": Quantity(1), "y": unavailable("so")})]
    told = (f"Held constant, {name} costs least.",)
    totals = {"z": unavailable(f"no closed form behind {name}"), "t": Quantity(1, "numerical", f"of {name}")}
    lines = Report(f"Network; output: {name}", tuple(rows), totals, says=told).text(width).splitlines()
    assert max(map(len, lines)) <= width
    assert all("encoder." in line and ".convolution" in line for line in lines if "..." in line)


@pytest.mark.parametrize("width", range(40, 90))
def test_columns_go_on_in_tables_of_their_own(width):
    rows = tuple(LayerRow(name, "dense", (1,), {each * 10: Quantity(1) for each in "abcde"}) for name in "xy")
    text = Report("", rows, {}).text(width)
    assert max(map(len, text.splitlines())) <= width
    assert all(text.count(each * 10) == 1 for each in "abcde")
