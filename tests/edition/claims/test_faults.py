"""The list of planted faults: each is complete, stands at one line, and changes it."""

import ast

import pytest

from edition.book import ROOT
from edition.claims.faults import LIST, counts_by_claim, read_faults, read_reasons, read_record
from edition.verification.faults import outcome, probed

ENTRY = '[[fault]]\nname = "one"\nfile = "a.py"\nline = "x = 1"\nfault = "x = 2"\nsmall = true\nwhy = "A slip."\n'


def write(root, text, source="def f():\n    x = 1\n    return x\n"):
    (root / LIST).parent.mkdir(exist_ok=True)
    (root / LIST).write_text(text)
    (root / "a.py").write_text(source)
    return root


def test_a_fault_is_planted_at_the_indentation_of_its_line(tmp_path):
    write(tmp_path, ENTRY)
    read_faults(tmp_path)["one"].plant(tmp_path)
    assert (tmp_path / "a.py").read_text() == "def f():\n    x = 2\n    return x\n"


@pytest.mark.parametrize("source", ["y = 1\n", "x = 1\nx = 1\n"])
def test_a_line_that_does_not_stand_there_once_is_refused(tmp_path, source):
    with pytest.raises(ValueError, match=r"one: expected the line 'x = 1' once in a.py, got it [02] times"):
        read_faults(write(tmp_path, ENTRY, source))["one"].place(tmp_path)


@pytest.mark.parametrize(
    "text", [ENTRY + ENTRY, ENTRY.replace("why", "because"), ENTRY.replace("x = 2", "x = 1"), "[[fault]]\nfile = 'a'\n"]
)
def test_an_entry_that_is_incomplete_idle_or_twice_there_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match="expected a name of its own"):
        read_faults(write(tmp_path, text))


def test_a_book_without_a_list_has_no_faults_and_no_counts(tmp_path):
    assert (read_faults(tmp_path), read_reasons(tmp_path), counts_by_claim(tmp_path)) == ({}, {}, {})
    assert read_record(tmp_path) == {"met": {}, "pairs": {}, "tests": {}}


def test_the_faults_of_this_book_can_be_planted_and_probed_and_are_spread_over_the_rooms():
    faults = read_faults(ROOT)
    assert 80 <= len(faults) <= 300
    assert sum(fault.small for fault in faults.values()) >= len(faults) / 2
    rooms = {}
    for fault in faults.values():
        number = fault.place(ROOT)
        rooms[fault.file.split("/")[1]] = rooms.get(fault.file.split("/")[1], 0) + 1
        if fault.file.endswith(".py"):
            lines = (ROOT / fault.file).read_text().splitlines()
            ast.parse(probed("\n".join(lines), number, fault.name))
            lines[number - 1] = lines[number - 1].replace(fault.line.strip(), fault.fault.strip())
            ast.parse("\n".join(lines))
    private = ("__init__.py", "_")
    present = {path.name for path in (ROOT / "capacity").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert {
        room: rooms.get(room, 0) for room in present if not room.startswith(private) and rooms.get(room, 0) < 3
    } == {}


def test_every_fault_of_this_book_is_noticed_by_a_claim_a_chapter_or_a_test():
    record = read_record(ROOT)
    outcomes = {name: outcome(record, name) for name in read_faults(ROOT)}
    assert {name: found for name, found in outcomes.items() if found in ("survives", "not run yet")} == {}
