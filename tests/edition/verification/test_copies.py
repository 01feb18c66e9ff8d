"""Comparison of two copies: what may differ between machines does not count, anything else does."""

import copy
import json
import shutil

import pytest
from click.testing import CliRunner

from edition.cli import main

CLAIM = {"verdict": "holds", "problem": None, "expected": "2", "tolerance": "within 0.001"}
EVIDENCE = {"measured": 2.0, "atol": 0.001, "rtol": 0.0, "deviation": {"expected": 0.0}}
DRAWN = {"axes": [{"title": "", "artists": [{"kind": "line", "x": [1.0, 2.0, 0.0], "y": [3.0, None]}]}]}
SITE = {
    "receipt.json": {
        "edition": {"version": "1", "commit": "abc"},
        "scale": "default",
        "python": "3.11",
        "system": "here",
        "lock": "sha256:12",
    },
    "claims.json": {
        "claims": [
            CLAIM | {"id": "linear/eq-1", "evidence": EVIDENCE},
            CLAIM
            | {"id": "linear/eq-2", "evidence": EVIDENCE | {"measured": [3, 400_000], "atol": 0.0}, "tolerance": None},
            CLAIM
            | {"id": "linear/eq-3", "evidence": EVIDENCE | {"atol": 0.0}, "expected": "at most 3", "tolerance": None},
            CLAIM | {"id": "linear/eq-4", "evidence": None, "expected": None, "verdict": "not testable as stated"},
            CLAIM | {"id": "linear/eq-5", "evidence": EVIDENCE | {"atol": 0.0, "rtol": 0.01}},
        ]
    },
    "figures.json": {
        "figures": [
            {"name": "steady", "data": "figures/steady.json"},
            {"name": "moving", "data": "figures/moving.json", "varies": "its end is not the same everywhere"},
        ]
    },
    "figures/steady.json": DRAWN,
    "figures/moving.json": copy.deepcopy(DRAWN),
}


def write_site(folder, content):
    for name, value in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    return folder


def compare(root, theirs, *ours):
    return CliRunner().invoke(main, ["--root", str(root), "compare", str(theirs), *map(str, ours)])


def changed(place, value):
    """Return the site with another value at a place."""
    site = copy.deepcopy(SITE)
    *way, last = place
    inner = site
    for key in way:
        inner = inner[key]
    inner[last] = value
    return site


@pytest.fixture
def root(tmp_path):
    write_site(tmp_path / "_build" / "html", SITE)
    return tmp_path


def claim(index, *keys):
    return ("claims.json", "claims", index, *keys)


def figure(name, *keys):
    return (f"figures/{name}.json", "axes", 0, *keys)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (claim(0, "evidence", "measured"), 2.0019),  # twice the tolerance
        (claim(4, "evidence", "measured"), 2.039),
        (claim(2, "evidence", "measured"), 1.0),  # a bound: the verdict decides
        (figure("steady", "artists", 0, "y", 0), 3.00002),
        (figure("steady", "artists", 0, "x", 0), 1.0 - 1e-11),
        (figure("steady", "artists", 0, "x", 2), 9e-11),
        (figure("moving", "artists", 0, "y", 0), 5.0),
        (("receipt.json", "system"), "elsewhere"),
    ],
)
def test_copies_agree_within_what_may_differ(root, tmp_path, place, value):
    done = compare(root, write_site(tmp_path / "theirs", changed(place, value)))
    assert done.exit_code == 0, done.output
    assert done.output.endswith("the copies agree\n")
    assert "claims that agree: 5" in done.output
    varies = place[0] == "figures/moving.json"
    assert ("moving (its end is not the same everywhere; theirs 5 where ours 3)" in done.output) == varies


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (claim(0, "evidence", "measured"), 2.0021, "linear/eq-1: measured: theirs 2.0021, ours 2.0"),
        (claim(0, "verdict"), "does not hold", "linear/eq-1: verdict: theirs 'does not hold', ours 'holds'"),
        (claim(2, "problem"), "it is 4", "linear/eq-3: problem"),
        (claim(1, "evidence", "measured"), [3, 400_001], "linear/eq-2: measured: theirs 400001, ours 400000"),
        (claim(1, "evidence", "measured"), [3], "linear/eq-2: measured"),
        (claim(3, "id"), "linear/eq-6", "linear/eq-6: a claim that only theirs has"),
        (figure("steady", "artists", 0, "y", 0), 3.0001, "steady: theirs draws 3.0001 where ours draws 3.0"),
        (figure("steady", "artists", 0, "y", 1), 3.0, "steady: theirs draws 3.0 where ours draws None"),
        (figure("steady", "artists", 0, "y", 0), 0.0, "steady: theirs draws 0.0 where ours draws 3.0"),
        (figure("steady", "artists", 0, "x", 2), 2e-10, "steady: theirs draws 2e-10 where ours draws 0.0"),
        (claim(4, "evidence", "measured"), 2.05, "linear/eq-5: measured: theirs 2.05, ours 2.0"),
        (figure("steady", "title"), "Other", "steady: theirs draws 'Other' where ours draws ''"),
        (figure("moving", "artists", 0, "kind"), "bar", "moving: theirs draws 'bar' where ours draws 'line'"),
        (figure("moving", "artists"), [], "moving: theirs draws 0 marks"),
        (("receipt.json", "scale"), "quick", "html-quick"),
        (("receipt.json", "part"), "papers", "html-papers"),
        (("receipt.json", "part"), "../other", "the part '../other'"),
    ],
)
def test_copies_that_differ_are_told_apart(root, tmp_path, place, value, message):
    done = compare(root, write_site(tmp_path / "theirs", changed(place, value)))
    assert done.exit_code == 1
    assert message in done.output


def test_what_is_expected_may_be_computed_and_differ_but_then_it_is_said(root, tmp_path):
    theirs = changed(claim(0, "evidence", "measured"), 5.0)
    theirs["claims.json"]["claims"][0]["expected"] = "5"
    done = compare(root, write_site(tmp_path / "theirs", theirs))
    assert done.exit_code == 0
    assert "linear/eq-1 (what is expected is computed as well" in done.output


def test_what_only_ours_has_is_a_difference_too(root, tmp_path):
    theirs = copy.deepcopy(SITE)
    theirs["claims.json"]["claims"].pop()
    theirs["figures.json"]["figures"].pop()
    done = compare(root, write_site(tmp_path / "theirs", theirs))
    assert done.exit_code == 1
    assert "linear/eq-5: a claim that only ours has" in done.output
    assert "moving: a figure that only ours has" in done.output


def test_books_at_different_scales_are_not_compared(root, tmp_path):
    theirs = write_site(tmp_path / "theirs", changed(("receipt.json", "scale"), "quick"))
    done = compare(root, theirs, root / "_build" / "html")
    assert done.exit_code == 1
    assert "build ours with --scale quick" in done.output


@pytest.mark.parametrize("place", ["../secret.json", "{}/secret.json", "link.json"])
def test_the_data_of_a_copy_are_files_of_the_copy(root, tmp_path, place):
    (tmp_path / "secret.json").write_text(json.dumps(DRAWN))
    place = place.format(tmp_path)
    theirs = write_site(tmp_path / "theirs", changed(("figures.json", "figures", 0, "data"), place))
    (theirs / "link.json").symlink_to(tmp_path / "secret.json")
    done = compare(root, theirs)
    assert done.exit_code == 1
    assert f"figures.json: expected files of this copy, got '{place}'" in done.output


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("receipt.json", "scale"), "../../html"),
        (("receipt.json", "python"), "3.11\x1b[2J"),
        (claim(0, "id"), "linear/\x1b]0;title\x07"),
        (("figures.json", "figures", 0, "name"), "\x9b2J"),
    ],
)
def test_names_of_a_copy_that_lead_elsewhere_or_command_a_terminal_are_refused(root, tmp_path, place, value):
    done = compare(root, write_site(tmp_path / "theirs", changed(place, value)))
    assert done.exit_code == 1
    assert "expected receipt.json, claims.json, figures.json as a built book has them, got others" in done.output
    assert done.output.removesuffix("\n").isprintable()


ANOTHER = (b"[]", b'{"scale": "default", "claims": [{"id": "linear/eq-1"}]}')  # JSON, but of no copy


@pytest.mark.parametrize("name", ["receipt.json", "claims.json", "figures.json", "figures/steady.json"])
@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 99999, *ANOTHER])
def test_a_damaged_copy_is_refused_by_name(root, tmp_path, name, content):
    theirs = write_site(tmp_path / "theirs", SITE)
    (theirs / name).write_bytes(content)
    done = compare(root, theirs)
    assert done.exit_code == 1
    drawn = name.startswith("figures/") and content in ANOTHER
    assert ("steady: theirs draws" if drawn else "fetch or build that copy again") in done.output
    assert isinstance(done.exception, SystemExit)


def test_what_is_no_number_agrees_with_none(root, tmp_path):
    theirs = changed(figure("steady", "artists", 0, "y", 0), float("nan"))
    assert "steady: theirs draws nan" in compare(root, write_site(tmp_path / "theirs", theirs)).output


def test_what_is_no_copy_is_refused(root, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "empty: expected a built book" in compare(root, tmp_path / "empty").output
    shutil.rmtree(root / "_build")
    assert "html: expected the book that was built here" in compare(root, write_site(tmp_path / "theirs", SITE)).output
