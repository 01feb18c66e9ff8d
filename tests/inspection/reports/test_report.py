"""A report is a table that knows how it knows: as text, as plain values, as a frame, as a plot."""

import json
import re
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

from capacity_inspection.reports import LayerRow, Quantity, Report

NONE = Quantity(None, "unavailable", "no data")
GUESS = Quantity(0.5, "assumed", "slopes are independent")
ROWS = (
    LayerRow("first", "convolution", (4, 1, 2), {"parameters": Quantity(8), "capacity": Quantity(2, "numerical")}),
    LayerRow("second", "dense", (1, 4), {"parameters": Quantity(4), "capacity": NONE}),
    LayerRow("third", "dense", (1, 1), {"parameters": Quantity(1), "capacity": NONE}),
)
REPORT = Report(
    "a network", ROWS, {"loss": Quantity(0.25, "numerical", gap=1e6), "share": GUESS}, {"capacity": np.array([1.0, 2])}
)


def test_text_shows_each_number_with_the_mark_of_its_kind():
    assert str(REPORT).splitlines() == [
        "a network",
        "",
        "layer   operator     shape  parameters  capacity",
        "-" * 48,
        "first   convolution  4x1x2           8        ~2",
        "second  dense          1x4           4     - [1]",
        "third   dense          1x1           1     - [1]",
        "",
        "loss   ~0.25  gap 1e+06",
        "share  *0.5   slopes are independent",
        "",
        "Without a mark: exact; ~ numerical, * under an assumption, - unavailable.",
        "[1] no data",
    ]


def test_plain_values_have_all_that_the_report_has():
    plain = json.loads(json.dumps(REPORT.to_dict(), allow_nan=False))
    assert plain["layers"][1]["capacity"] == {"value": None, "kind": "unavailable", "note": "no data"}
    assert plain["layers"][0]["shape"] == [4, 1, 2]
    assert plain["total"]["share"] == GUESS.to_dict()
    assert plain["allocation"] == {"capacity": [1.0, 2.0]}


def test_a_frame_has_a_row_per_layer_and_says_kinds():
    frame = REPORT.to_frame()
    assert list(frame.index) == ["first", "second", "third"]
    assert frame["parameters"].tolist() == [8, 4, 1]
    assert frame["capacity, kind"].tolist() == ["numerical", "unavailable", "unavailable"]
    assert frame["capacity"].isna().tolist() == [False, True, True]


@pytest.mark.parametrize(
    ("missing", "extra", "call"), [("pandas", "frames", Report.to_frame), ("matplotlib", "figures", Report.plot)]
)
def test_what_is_not_installed_is_named_with_how_to_install_it(missing, extra, call, monkeypatch):
    for name in [name for name in sys.modules if re.match(rf"{missing}\b|capacity\w*\.figures\b", name)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf"capacity-allocation\[{extra}\]"):
        call(REPORT)


def test_a_number_is_found_by_its_row_and_column():
    assert REPORT["first", "parameters"].value == 8
    assert REPORT["total", "share"] is GUESS
    with pytest.raises(ValueError, match=r"column among parameters, capacity, loss, share, got \('first', 'loss'\)"):
        REPORT["first", "loss"]


def test_strictness_names_the_first_number_that_is_not_there():
    with pytest.raises(ValueError, match="got one that is unavailable: capacity of second, no data"):
        REPORT.strictly()
    whole = Report("whole", ROWS[:1], REPORT.totals)
    assert whole.strictly() is whole
    with pytest.raises(ValueError, match="got one that is assumed: share of total, slopes are independent"):
        whole.strictly(assumptions=True)


def test_rows_have_the_same_columns_and_all_numbers_say_their_kind():
    with pytest.raises(ValueError, match="rows: expected the same columns"):
        Report("x", (ROWS[0], LayerRow("other", "dense", (1,), {})), {})
    with pytest.raises(TypeError, match="numbers: expected an instance of Quantity, got int"):
        Report("x", (), {"parameters": 3})


def test_drawing_leaves_the_style_of_other_figures_as_it_is():
    mpl.use("agg")
    before = dict(mpl.rcParams)
    (steps,) = REPORT.plot()
    assert not steps.axes.spines["top"].get_visible()  # as in the book
    assert dict(mpl.rcParams) == before
    plt.close("all")


def test_a_report_without_an_allocation_cannot_be_drawn():
    with pytest.raises(ValueError, match="report: expected one with a capacity per input"):
        Report("x", (), {}).plot()
