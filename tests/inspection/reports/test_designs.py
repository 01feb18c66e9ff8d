"""What a search found, as text: its numbers, its order, its width."""

import pytest

from capacity.models import DilatedConvolution
from capacity.tasks import standard_process
from capacity_inspection.design import Want, search
from capacity_inspection.reports import design_text

WANTS = [Want((5, None), share=0.5), Want((1, 3), full=0.9)]


@pytest.fixture(scope="module")
def found():
    return search(WANTS, 20, max_lags=9, process=standard_process("power law"), fits=12)


def test_each_line_of_the_table_is_a_point_of_the_front_the_best_first(found):
    _, table, *_ = design_text(found).split("\n\n")
    rows = [line.split() for line in table.splitlines()]
    assert rows[0] == ["parameters", "total", "lags", "taps", "channels", "A", "B", "loss", "dilations"]
    assert [int(row[0]) for row in rows[1:]] == [point.parameters for point in found.front]
    for row, point in zip(rows[1:], found.front):
        assert [float(cell) for cell in row[5:7]] == pytest.approx(point.shortfalls, rel=5e-3, abs=0)
        assert float(row[7].strip("~")) == pytest.approx(point.loss, rel=1e-3)
        assert ("~" in row[7]) != point.converged


@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_wider_than_asked_for_and_no_dilation_is_lost(width):
    dilations = [17, 3, 11, 5, 29, 2, 19, 7, 18, 4, 12, 6, 30, 3, 20, 8, 13]
    text = design_text(search(WANTS, 200, stacks=[DilatedConvolution(dilations)]), width)
    assert max(map(len, text.splitlines())) <= width
    heading, *lines = text.split("\n\n")[1].splitlines()
    place = heading.index("dilations")
    assert [int(word) for line in lines for word in line[place:].split()] == dilations
