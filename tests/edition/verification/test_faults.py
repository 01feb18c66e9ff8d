"""Planted faults on a small book: what a claim meets, what it catches, what a chapter catches, and what survives."""

import ast
import json

import pytest
from small_books import cell, write_book

from edition.book import book
from edition.claims.faults import LIST, counts_by_claim, read_record, write_record
from edition.verification import faults
from edition.verification.faults import outcome, probed, run_faults

TOY = "def double(x):\n    y = 2 * x\n    return y\n\n\ndef never(x):\n    return x + 1\n"
CLAIMS = """from benchmarks.toy import double
from edition import at_least, check
check("linear/eq-1", 1, 1)
found = double(2)
check("linear/eq-2", found, 4)
check("linear/eq-3", found, at_least(-9))"""
OWN = 'n = 3\nassert n < 9\ncheck("linear/eq-4", n, 3)'
FAULTS = {
    "triple": ("benchmarks/toy.py", "y = 2 * x", "y = 3 * x"),
    "breaks": ("benchmarks/toy.py", "return y", "return y / 0"),
    "unused": ("benchmarks/toy.py", "return x + 1", "return x"),
    "own": ("chapters/one.md", "n = 3", "n = 4"),
}


def as_toml(changes):
    entries = []
    for name, (file, line, fault) in changes.items():
        fields = {"name": name, "file": file, "line": line, "fault": fault, "why": "A reason."}
        lines = [f"{key} = {json.dumps(value)}" for key, value in fields.items()]
        entries.append("\n".join(["[[fault]]", *lines, "small = false"]))
    return "\n\n".join(entries) + '\n\n[reasons]\n"linear/eq-3" = "It is loose."\n'


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = write_book(tmp_path_factory.mktemp("book"), {"one": "# One\n\n" + cell(CLAIMS) + "\n" + cell(OWN)})
    for name, text in {"benchmarks/__init__.py": "", "benchmarks/toy.py": TOY, LIST: as_toml(FAULTS)}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    (root / "parameters").mkdir()
    (root / "parameters" / "quick.yml").write_text("")
    return root


@pytest.fixture(scope="module")
def record(root):
    return run_faults(list(book(root).values()), root)


def test_a_claim_meets_the_faults_whose_line_ran_before_it(record):
    assert record["met"]["one"]["claims"] == {
        "linear/eq-1": [],
        "linear/eq-2": ["breaks", "triple"],
        "linear/eq-3": ["breaks", "triple"],
        "linear/eq-4": ["breaks", "own", "triple"],
    }


def test_a_claim_catches_what_makes_it_come_out_otherwise_and_a_chapter_what_makes_it_fail(record):
    found = {name: record["pairs"][name]["one"] for name in ("triple", "breaks", "own")}
    assert [found[name]["caught"] for name in found] == [["linear/eq-2"], [], ["linear/eq-4"]]
    assert found["breaks"]["failure"] == "ZeroDivisionError: division by zero"
    assert found["breaks"]["lost"] == ["linear/eq-2", "linear/eq-3", "linear/eq-4"]
    assert [outcome(record, name) for name in FAULTS] == ["claims", "chapters", "survives", "claims"]


def test_the_counts_leave_out_what_kept_a_claim_from_being_made_and_say_why_none_is_caught(root, record):
    assert counts_by_claim(root) == {
        "linear/eq-1": {"met": 0, "caught": 0, "pending": 0, "reason": None},
        "linear/eq-2": {"met": 1, "caught": 1, "pending": 0, "reason": None},
        "linear/eq-3": {"met": 1, "caught": 0, "pending": 0, "reason": "It is loose."},
        "linear/eq-4": {"met": 2, "caught": 1, "pending": 0, "reason": None},
    }


def test_what_was_not_run_yet_is_counted_apart(root, record):
    pairs = {fault: found for fault, found in record["pairs"].items() if fault != "triple"}
    write_record(root, record | {"pairs": pairs})
    try:
        assert outcome(read_record(root), "triple") == "not run yet"
        counts = counts_by_claim(root)
        assert [counts[f"linear/eq-{n}"]["pending"] for n in (1, 2, 3, 4)] == [0, 1, 1, 1]
        assert counts["linear/eq-2"]["met"] == 0
    finally:
        write_record(root, record)


def test_only_what_changed_is_run_again(root, record, monkeypatch):
    ran = []
    each = faults._each
    monkeypatch.setattr(faults, "_each", lambda tasks, *rest: ran.extend(tasks) or each(tasks, *rest))
    assert run_faults(list(book(root).values()), root) == record == read_record(root)
    assert ran == []
    changed = FAULTS | {"triple": ("benchmarks/toy.py", "y = 2 * x", "y = 2.0 * x")}
    (root / LIST).write_text(as_toml(changed))
    try:
        again = run_faults(list(book(root).values()), root, names=["triple"])
        assert ran == ["triple in one"]
        assert outcome(again, "triple") == "survives"
    finally:
        (root / LIST).write_text(as_toml(FAULTS))
        write_record(root, record)


def test_a_process_that_is_ended_from_outside_is_no_evidence(monkeypatch, capsys):
    monkeypatch.setattr(faults, "outcomes", lambda *_, **__: (entry for entry in [("one", None, 143), ("two", {}, 0)]))
    monkeypatch.setattr(faults.sys.stderr, "isatty", lambda: True, raising=False)
    assert list(faults._each({"one": (), "two": ()}, 1, "faults")) == [("two", {})]
    assert "one: its process ended with 143; nothing is recorded" in capsys.readouterr().out


def test_a_chapter_that_fails_without_fault_is_named(root):
    path = root / "chapters" / "one.md"
    before = path.read_text()
    try:
        path.write_text(before.replace("found, 4,", "found, 5,"))
        with pytest.raises(ValueError, match="one fails without any fault: not as recorded: linear/eq-2"):
            run_faults(list(book(root).values()), root)
    finally:
        path.write_text(before)


def test_an_unknown_fault_is_named(root):
    with pytest.raises(ValueError, match="unknown faults: trible"):
        run_faults(list(book(root).values()), root, names=["trible"])


@pytest.mark.parametrize("number", range(1, 13))
def test_a_probe_stands_before_the_statement_of_any_line(number):
    source = (
        "a = [\n    1,\n]\n@print\ndef f(x):\n    if x:\n        return (\n            x\n        )\n"
        "    for y in x:\n        pass\nf(a)\n"
    )
    found = probed(source, number, "name")
    assert ast.dump(ast.parse(source)) != ast.dump(ast.parse(found))
    assert "\n".join(line for line in found.splitlines() if "fault_probe" not in line) + "\n" == source


@pytest.mark.parametrize(("source", "number"), [("if a:\n    b\nelif c:\n    d\n", 3), ("a\n\nb\n", 2)])
def test_a_line_without_room_for_a_probe_is_refused(source, number):
    with pytest.raises(ValueError, match=r"name: .* choose another line"):
        probed(source, number, "name")
