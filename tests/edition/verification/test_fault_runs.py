"""Planted faults on a small book: what a claim meets, what it catches, what a chapter catches, and what survives."""

import ast
import json

import pytest
from click.testing import CliRunner
from small_books import cell, write_book

from edition import recorded
from edition.book import book
from edition.claims.faults import LIST, Fault, read_summary
from edition.cli import main
from edition.execution.all_chapters import execute_all
from edition.verification import fault_runs
from edition.verification.fault_runs import outcome, probed, run_faults, summary

TOY = "def double(x):\n    y = 2 * x\n    return y\n\n\ndef never(x):\n    return x + 1\n"
CLAIMS = """from benchmarks.toy import double
from capacity_studies import at_least, check
check("linear/eq-1", 1, 1)
found = double(2)
check("linear/eq-2", found, 4)
check("linear/eq-3", found, at_least(-9))"""
OWN = 'n = 3\nassert n < 9\ncheck("linear/eq-4", n, 3)'
FAULTS = {
    "triple": ("benchmarks/toy.py:double", "2 * x", "3 * x"),
    "breaks": ("benchmarks/toy.py:double", "return y", "return y / 0"),
    "nameless": ("benchmarks/toy.py:double", "return y", "return z"),
    "unused": ("benchmarks/toy.py:never", "x + 1", "x"),
    "own": ("chapters/one.md", "n = 3", "n = 4"),
    "gone": ("benchmarks/toy.py:double", "4 * x", "5 * x"),
}


def as_toml(changes):
    return "".join(
        f"[{n}]\nat = {json.dumps(at)}\nchange = {json.dumps(change)}\n" for n, (at, *change) in changes.items()
    )


ONE = "# One\n\n" + cell(CLAIMS) + "\n" + cell(OWN)


def small_book(folder, chapters):
    root = write_book(folder, chapters)
    tests = "from benchmarks.toy import never\n\n\ndef test_never():\n    assert never(1) == 2\n"
    written = {"benchmarks/__init__.py": "", "benchmarks/toy.py": TOY, LIST: as_toml(FAULTS)}
    for name, text in (written | {"tests/benchmarks/test_toy.py": tests, "parameters/quick.yml": ""}).items():
        (root / name).parent.mkdir(exist_ok=True, parents=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return small_book(tmp_path_factory.mktemp("book"), {"one": ONE})


def run(root, **options):
    return run_faults(list(book(root).values()), root, root / "_build" / "faults.json", **options)


@pytest.fixture(scope="module")
def found(root):
    return run(root)


def test_a_claim_meets_the_faults_whose_line_ran_before_it(found):
    met = ["breaks", "nameless", "triple"]
    assert found["met"]["one"]["claims"] == {
        "linear/eq-1": [],
        "linear/eq-2": met,
        "linear/eq-3": met,
        "linear/eq-4": sorted([*met, "own"]),
    }


def test_a_fault_is_noticed_by_claims_by_a_chapter_that_fails_or_by_tests(found):
    pairs = {name: found["pairs"][name]["one"] for name in ("triple", "breaks", "own")}
    assert [pair["caught"] for pair in pairs.values()] == [["linear/eq-2"], [], ["linear/eq-4"]]
    assert pairs["breaks"]["failure"] == "ZeroDivisionError: division by zero"
    noticed = {"triple": "claims", "breaks": "chapters", "unused": "tests", "own": "claims"}
    assert {name: outcome(found, name) for name in noticed} == noticed


def test_a_fault_that_is_not_in_the_code_or_names_what_is_not_there_no_longer_applies(found):
    assert [outcome(found, name) for name in ("gone", "nameless")] == ["no longer applies"] * 2
    assert "expected '4 * x' once in benchmarks/toy.py:double" in found["gone"]["gone"]


def test_a_summary_names_the_claims_that_caught_a_fault(found):
    assert summary(found, ["triple", "breaks"]) == {
        "triple": {"outcome": "claims", "claims": ["linear/eq-2"]},
        "breaks": {"outcome": "chapters", "claims": []},
    }


def test_what_was_not_run_yet_is_told_apart(found):
    pairs = {fault: pairs for fault, pairs in found["pairs"].items() if fault != "triple"}
    assert outcome(found | {"pairs": pairs}, "triple") == "not run yet"


@pytest.fixture(scope="module")
def two_chapters(tmp_path_factory):
    """Return a book of two chapters, what some faults were found to do there, and what a thorough run added."""
    two = "# Two\n\n" + cell(CLAIMS.replace("eq-", "eq-1"))
    root = small_book(tmp_path_factory.mktemp("book"), {"one": ONE, "two": two})
    return root, run(root, names=["triple", "breaks"]), run(root, names=["triple"], thorough=True)


def again(root, found, claims):
    """Run a fault that claims are known to notice, where it is known how long chapters take: the second is slow."""
    slow = found["met"] | {"two": found["met"]["two"] | {"seconds": 1e9}}
    (root / "_build" / "faults.json").write_text(json.dumps({"met": slow, "pairs": {}, "tests": {}}))
    recorded.write(root, recorded.FAULTS, {"triple": {"outcome": "claims", "claims": claims}})
    return run(root, names=["triple"])


def test_a_fault_that_a_claim_notices_is_run_in_other_chapters_only_when_asked(two_chapters):
    _, found, thorough = two_chapters
    assert {name: len(pairs) for name, pairs in found["pairs"].items()} == {"triple": 1, "breaks": 2}
    assert set(thorough["pairs"]["triple"]) == {"one", "two"}


def test_a_chapter_with_a_claim_that_noticed_a_fault_when_it_was_last_run_is_run_again(two_chapters):
    root, found, _ = two_chapters
    known = {"outcome": "claims", "claims": ["linear/eq-12", "linear/eq-2"]}
    assert summary(again(root, found, known["claims"]), ["triple"]) == {"triple": known}


def test_a_chapter_that_is_known_to_notice_a_fault_is_run_before_a_quicker_one(two_chapters):
    root, found, _ = two_chapters
    assert again(root, found, ["linear/eq-12"])["pairs"]["triple"].keys() == {"two"}


def test_faults_go_on_where_most_claims_have_noticed_none_and_not_where_all_have():
    claims = {"one": {"a": ["f", "g"]}, "two": {"b": ["f", "g"], "c": ["g"]}, "three": {"d": ["f"], "e": []}}
    found = {"met": {name: {"claims": met} for name, met in claims.items()}}
    found["pairs"] = {"f": {"one": {"caught": ["a"]}, "three": {"caught": ["d"]}}}
    waiting = {"f": {"two": ""}, "g": {"one": "", "two": ""}}
    assert fault_runs._for_silent_claims(found, waiting) == [("g", "two")]


def test_a_chapter_that_is_known_not_to_read_the_file_of_a_fault_is_not_run(tmp_path, monkeypatch):
    root = small_book(tmp_path, {"one": ONE, "two": "# Two\n\n" + cell("from capacity_studies import check")})

    def asked(fault):
        ran = []
        monkeypatch.setattr(fault_runs, "_each", lambda tasks, *_: ran.extend(tasks) or ())
        run(root, names=[fault])
        return ran

    assert asked("own") == ["one", "two"]
    chapters = list(book(root).values())
    execute_all(chapters, {chapter.name: {} for chapter in chapters}, root / "_build")
    assert asked("own") == ["one"]
    assert asked("triple") == ["one"]


def test_only_what_changed_is_run_again(root, found, monkeypatch):
    ran = []
    each = fault_runs._each
    monkeypatch.setattr(fault_runs, "_each", lambda tasks, *rest: ran.extend(tasks) or each(tasks, *rest))
    assert run(root) == found
    assert ran == []
    (root / LIST).write_text(as_toml(FAULTS | {"triple": ("benchmarks/toy.py:double", "2 * x", "2.0 * x")}))
    again = run(root, names=["triple"])
    assert ran == ["triple in one"]
    assert outcome(again, "triple") == "survives"
    (root / LIST).write_text(as_toml(FAULTS))


def test_the_command_tells_what_changed_and_adds_evidence_to_the_summary(root, monkeypatch):
    def entry(outcome):
        return {"outcome": outcome, "claims": []}

    recorded.write(root, recorded.FAULTS, {"own": entry("tests"), "triple": entry("claims")})
    result = {"own": "claims", "unused": "survives", "nameless": "no longer applies", "breaks": "not run yet"}
    monkeypatch.setattr(fault_runs, "run_faults", lambda *_, **__: {"gone": {"gone": "gone: why"}})
    monkeypatch.setattr(fault_runs, "summary", lambda *_: {name: entry(who) for name, who in result.items()})
    done = CliRunner().invoke(main, ["--root", str(root), "faults"])
    assert done.exit_code == 1
    assert "claims            own (was: tests)\n" in done.output
    assert "gone: why\n" in done.output
    assert "not all was run" in done.output
    kept = {name: entry["outcome"] for name, entry in read_summary(root).items()}
    assert kept == {"own": "claims", "triple": "claims", "unused": "survives"}
    result.pop("breaks")
    assert "nothing notices unused" in CliRunner().invoke(main, ["--root", str(root), "faults"]).output


def test_a_process_that_is_ended_from_outside_is_no_evidence(monkeypatch, capsys):
    unnoticed = {"failure": None, "caught": [], "claims": {}}
    ended = [("one", None, -9), ("two", unnoticed, 0)]
    monkeypatch.setattr(fault_runs, "outcomes", lambda *_, **__: (entry for entry in ended))
    assert list(fault_runs._each({"one": (), "two": ()}, 1, "fault")) == [("two", unnoticed)]
    assert (
        "one: its process was killed, perhaps for want of memory; give the same command again"
        in capsys.readouterr().out
    )


def test_a_chapter_that_cannot_be_read_with_a_fault_is_one_that_fails(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "")  # which is changed, elsewhere in a process of its own
    root = small_book(tmp_path, {"one": ONE + cell("---\na: [\n---\nn = 4")})
    found = fault_runs._run(
        root, "one", {}, [Fault("triple", *FAULTS["triple"][0].split(":"), "2 * x", "3 * x")], False
    )
    assert (found["claims"], found["caught"]) == ({}, [])
    assert "chapters/one.md" in found["failure"]


def test_a_chapter_that_fails_without_fault_is_named(root):
    path = root / "chapters" / "one.md"
    before = path.read_text()
    try:
        path.write_text(before.replace("found, 4)", "found, 5)"))
        with pytest.raises(ValueError, match="one fails without any fault: not as recorded: linear/eq-2"):
            run(root)
    finally:
        path.write_text(before)


def test_tests_that_do_not_run_are_no_evidence(tmp_path):
    root = small_book(tmp_path, {"one": ONE})
    assert fault_runs._failing_tests(root, "tests/benchmarks") == []
    (root / "tests" / "conftest.py").write_text("def pytest_configure():\n    open('nowhere')\n")
    with pytest.raises(ValueError, match=r"expected pytest to run them, got exit code 3: .*nowhere"):
        fault_runs._failing_tests(root, "tests/benchmarks")


def test_an_unknown_fault_is_named(root):
    with pytest.raises(ValueError, match="unknown faults: trible"):
        run(root, names=["trible"])


@pytest.mark.parametrize("number", range(1, 13))
def test_a_probe_stands_before_the_statement_of_any_line(tmp_path, number):
    source = (
        "a = [\n    1,\n]\n@print\ndef f(x):\n    if x:\n        return (\n            x\n        )\n"
        "    for y in x:\n        pass\nf(a)\n"
    )
    (tmp_path / "a.py").write_text(source)
    found = probed(tmp_path / "a.py", number, "name")
    assert ast.dump(ast.parse(source)) != ast.dump(ast.parse(found))
    assert "\n".join(line for line in found.splitlines() if "fault_probe" not in line) + "\n" == source


@pytest.mark.parametrize(("source", "number"), [("if a:\n    b\nelif c:\n    d\n", 3), ("a\n\nb\n", 2)])
def test_a_line_without_room_for_a_probe_is_refused(tmp_path, source, number):
    (tmp_path / "a.py").write_text(source)
    with pytest.raises(ValueError, match=r"name: .* choose another line"):
        probed(tmp_path / "a.py", number, "name")
