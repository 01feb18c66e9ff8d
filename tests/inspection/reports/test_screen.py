"""A report fits its screen: no line is longer, no number is broken, and nothing that is missing goes unsaid."""

import dataclasses
import re

import pytest

from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess
from capacity_inspection.graphs import redrawn_weights
from capacity_inspection.readers import tcn
from capacity_inspection.reports import LayerRow, Quantity, Report, network_report
from capacity_inspection.reports.quantity import unavailable

NETWORK = network_report(tcn([1, 2, 4, 8], channels=8, activation="relu", residual=True))


@pytest.mark.parametrize("width", [40, 80, 110, 200])
def test_no_line_is_longer_than_the_screen_where_columns_can_leave(width):
    lines = NETWORK.text(width).splitlines()
    assert max(map(len, lines)) <= max(width, 60)  # of which the columns that stay need some


@pytest.mark.parametrize("width", [40, 80, 200])
def test_numbers_are_shown_whole(width):
    whole = {str(number).replace(" x ", "x") for _, _, number in NETWORK.numbers()} | {"1 x 16"}
    rows = NETWORK.text(width).partition("---\n")[2].partition("\n\n")[0]
    cells = [cell.lstrip("~*") for line in rows.splitlines() for cell in re.split(r" {2,}", line)[2:]]
    assert set(cells) <= whole | {"convolution", "input"} | {"x".join(map(str, row.shape)) for row in NETWORK.rows}


def test_a_wide_screen_shows_every_column_and_total_and_a_narrow_one_names_those_left_out():
    wide, narrow = NETWORK.text(250), NETWORK.text(80)
    assert "Wider" not in wide
    assert all(name in wide for name in NETWORK.totals)
    left_out = narrow.rpartition("Wider, or with --json: ")[2]
    assert "stride" in left_out
    assert "stride" not in narrow.partition("Wider")[0]


def test_what_is_unavailable_is_told_with_its_reason_once():
    text = " ".join(NETWORK.text().split())
    note = NETWORK["total", "independent"].note
    assert text.count(f"- independent: {note}") == text.count(note) == 1


def test_a_column_without_any_number_is_a_reason_below_the_table():
    rows = [LayerRow(name, "dense", (1,), {"x": Quantity(1), "y": unavailable("so")}) for name in "ab"]
    lines = Report("", tuple(rows), {}).text().splitlines()
    assert lines[0].split()[-1] == "x"
    assert "- y: so" in lines
    mixed = dataclasses.replace(rows[1], numbers={"x": Quantity(1), "y": unavailable("otherwise")})
    assert Report("", (rows[0], mixed), {}).text().splitlines()[0].split()[-1] == "y"


def test_a_note_that_all_marks_of_a_column_share_stands_in_its_heading():
    rows = [LayerRow(name, "dense", (1,), {"x": Quantity(1.5, "assumed", note)}) for name, note in ("ab", "cb")]
    assert aligned_cells(Report("", tuple(rows), {})) == ["*1.5", "*1.5"]
    other = dataclasses.replace(rows[1], numbers={"x": Quantity(2.5, "assumed", "another")})
    assert aligned_cells(Report("", (rows[0], other), {})) == ["*1.5 [1]", "*2.5 [2]"]


def aligned_cells(report):
    lines = report.text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("---"))
    return [re.split(r" {2,}", line)[-1] for line in lines[start + 1 : start + 3]]


def test_names_that_share_a_path_are_a_tree():
    names = ["block1.0.conv", "block1.0.normalised", "block1.1.conv", "head"]
    assert first_column(names) == ["block1.0.conv", "    normalised", "  1.conv", "head"]


def test_names_stand_in_full_where_a_tree_is_no_narrower():
    names = ["block1.0.conv", "block1.0.norm", "block1.1.conv", "head"]
    assert first_column(names) == names


def first_column(names):
    report = Report("", tuple(LayerRow(name, "dense", (1,), {"parameters": Quantity(1)}) for name in names), {})
    return [line.partition("dense")[0].rstrip() for line in report.text().splitlines()[-4:]]


def test_the_sentence_tells_what_the_numbers_tell():
    low, high = (NETWORK["total", f"{rule}, lags 90 %"].value for rule in ("linear", "pseudo-random"))
    (field,) = NETWORK["total", "field"].value
    told = " ".join(NETWORK.says)
    assert f"sees the last {field} positions" in told
    assert f"the last {low} positions (linear) or the last {high} positions (pseudo-random)" in told
    measured = network_report(tcn([1, 2], channels=4, activation="relu"), process=GaussianProcess())
    number = measured["total", "measured, lags 90 %"]
    assert f"lies in the last {number} positions, at measured couplings" in " ".join(measured.says)


def test_products_with_weights_are_counted_for_all_units_of_a_layer():
    graph = tcn([1, 2], channels=3, taps=2, activation="relu")
    report, positions = network_report(graph), graph[graph.inputs[0]].shape[-1]
    expected = {node.name: node.arrays["kernel"].size * positions for node in graph.layers}
    assert {name: report[name, "multiply-adds"].value for name in expected} == expected
    assert report["total", "multiply-adds"].value == sum(expected.values())


def test_a_linear_model_says_how_many_of_its_parameters_are_independent():
    from capacity_inspection.reports import linear_report

    report = linear_report(DilatedConvolution([1, 2], channels=2))
    counts = [report["total", name] for name in ("independent", "parameters")]
    assert report.says[0] == "{} of its {} parameters are independent.".format(*counts)
    assert "--process" in report.says[1]


def test_random_weights_are_named_and_other_draws_of_them_told():
    told = " ".join(NETWORK.says)
    low, high = map(int, re.search(r"4 other draws of the weights give (\d+) to (\d+) positions", told).groups())
    assert 1 <= low < high <= 16
    assert "weights drawn at random (He's scale)" in NETWORK.title
    drawn = redrawn_weights(tcn([1, 2, 4, 8], channels=8, activation="relu", residual=True), scale="pytorch", rng=0)
    other = network_report(drawn)
    assert "(PyTorch's default scale)" in other.title
    column = "pseudo-random, lags 90 %"
    assert other["total", column].value < NETWORK["total", column].value  # residual branches are weaker there
    graph = tcn([1, 2, 4, 8], channels=8, activation="relu")
    trained = network_report(dataclasses.replace(graph, drawn=""))
    assert "drawn" not in trained.title + " ".join(trained.says)
    assert "drawn at random" in network_report(redrawn_weights(dataclasses.replace(graph, drawn=""), rng=0)).title


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


@pytest.mark.parametrize("width", range(60, 90))
def test_columns_leave_where_the_heading_of_the_names_is_wider_than_these(width):
    rows = tuple(LayerRow(name, "dense", (1,), {each * 10: Quantity(1) for each in "abcde"}) for name in "xy")
    lines = Report("", rows, {}, spare=("operator", "shape", "e" * 10)).text(width).splitlines()
    assert max(map(len, lines)) <= width
