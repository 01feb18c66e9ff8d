"""Robustness: which claims depend on the machine or on the seed, in a record that grows and is resumed."""

import os
import platform
import re
import subprocess
import sys
from dataclasses import asdict, replace
from functools import cache

import nbformat
import pytest
from click.testing import CliRunner
from small_books import cell, claim, write_book

from capacity_studies.notebook.check import MIME
from capacity_studies.notebook.look import MIME as LOOKED
from edition import recorded
from edition.book import ROOT, book, read_yaml
from edition.claims.statements import statements
from edition.cli import main
from edition.execution.one_chapter import prepared
from edition.verification import robustness
from edition.verification.robustness import MOVING, Variation, check_robustness, steps, variations

CLAIMS = """import os
from capacity_studies import check
check("linear/prop-1", 2, 2)
check("linear/prop-2", int(os.environ["OMP_NUM_THREADS"]), 1)"""
SEEDED = """from capacity_studies import check
check("linear/prop-3", seed, 0)"""
PLAIN = Variation("plain", "machine")
THREADS = Variation("two threads", "machine", {"OMP_NUM_THREADS": "2"})
SEED = Variation("seed 1", "seed", changes={"two": {"seed": 1}})


ask = robustness._core


@cache
def core(variables):
    """The kernel of NumPy's OpenBLAS with some variables, for which a process is started once."""
    return ask(dict(variables))


@pytest.fixture
def here(monkeypatch):
    """Execute the chapters' code in this process, in no time."""

    def run(chapter, parameters, *, report, figures, look, environment):
        made, displayed = [], {"OMP_NUM_THREADS": "1", "CAPACITY_CLAIMS": "report"} | environment
        with monkeypatch.context() as patch:
            for name, value in displayed.items():
                patch.setenv(name, value)
            patch.setattr("capacity_studies.notebook.check.display", made.append)
            notebook, names = prepared(chapter.notebook()[0], parameters), {}
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    exec(cell.source, names)
        outputs = [nbformat.v4.new_output("display_data", {MIME: asdict(each)}) for each in made]
        notebook.cells[-1].outputs = outputs
        return nbformat.writes(notebook), {}

    def in_turn(work, tasks, **_):
        for name, arguments in tasks.items():
            yield name, work(*arguments), 0

    monkeypatch.setattr(robustness, "run_chapter", run)
    monkeypatch.setattr(robustness, "outcomes", in_turn)
    monkeypatch.setattr(robustness, "_core", lambda environment=None: core(tuple((environment or {}).items())))


@pytest.fixture
def root(tmp_path):
    one = (
        "# One\n\n"
        + cell("n = 2", "parameters")
        + "\n"
        + claim("linear/prop-1")
        + claim("linear/prop-2")
        + cell(CLAIMS)
    )
    two = "# Two\n\n" + cell("seed = 0", "parameters") + "\n" + claim("linear/prop-3") + cell(SEEDED)
    return write_book(tmp_path, {"one": one, "two": two})


def check(root, *tried, names=("one", "two")):
    chapters = book(root)
    parameters = {name: {} for name in chapters}
    taken = [chapters[name] for name in names]
    return check_robustness(taken, parameters, root / "runs", tried=list(tried), root=root)


def executed(capsys):
    return [line.split("] ")[1].split(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("[")]


def test_a_claim_that_depends_on_the_machine_is_told_from_one_that_depends_on_the_seed(here, root):
    found = check(root, PLAIN, SEED)
    assert not found.wrong()
    assert [failure[:4] for failure in found.failures] == [("seed", "seed 1", "two", "linear/prop-3")]
    found = check(root, PLAIN, SEED, THREADS)
    assert found.wrong()
    assert [failure[:4] for failure in found.failures] == [
        ("seed", "seed 1", "two", "linear/prop-3"),
        ("machine", "two threads", "one", "linear/prop-2"),
    ]
    assert "two threads: linear/prop-2: measured 2 does not meet what is expected, 1" in found.describe()
    table = [line.split() for line in found.describe().splitlines()[:4]]
    assert table[1:] == [["plain", "2", "3", "0"], ["seed", "1", "1", "1", "1"], ["two", "threads", "2", "3", "1"]]


def test_variables_of_a_variation_reach_the_chapters_kernel(root):
    found = check(root, THREADS, names=["one"])
    assert [failure[1:4] for failure in found.failures] == [("two threads", "one", "linear/prop-2")]


def test_executions_with_two_threads_take_turns_where_two_with_one_run_at_once(here, root, monkeypatch):
    together, in_turn = {}, robustness.outcomes

    def noted(work, tasks, *, jobs, **options):
        together.update({variation: jobs for _, variation in tasks})
        return in_turn(work, tasks)

    monkeypatch.setattr(robustness, "outcomes", noted)
    check(root, PLAIN, THREADS)
    assert together == {"plain": 2, "two threads": 1}


def test_only_what_is_not_recorded_for_the_present_chapter_and_versions_is_executed(here, root, capsys, monkeypatch):
    check(root, PLAIN, names=["one"])
    assert executed(capsys) == ["one, plain"]
    check(root, PLAIN, SEED)
    assert sorted(executed(capsys)) == ["two, plain", "two, seed 1"]
    chapter = root / "chapters" / "one.md"
    chapter.write_text(chapter.read_text().replace("n = 2", "n = 3").replace("# One", "# Another"))
    check(root, SEED)
    assert executed(capsys) == []
    check(root, PLAIN)
    assert executed(capsys) == ["one, plain"]
    monkeypatch.setattr(robustness, "_versions", lambda: {"numpy": "another"})
    check(root, SEED)
    assert executed(capsys) == ["two, seed 1"]


def test_a_chapter_that_fails_is_recorded_with_the_reason_and_tried_again(here, root, capsys):
    chapter = root / "chapters" / "two.md"
    chapter.write_text(chapter.read_text().replace("from capacity_studies", "1 / (1 - seed)\nfrom capacity_studies"))
    found = check(root, SEED)
    assert found.failures == [("seed", "seed 1", "two", "", "ZeroDivisionError: division by zero")]
    assert check(root, SEED).failures == found.failures
    assert executed(capsys) == ["two, seed 1"] * 2


def test_this_python_is_always_tried_and_what_is_not_possible_has_its_reason(monkeypatch, tmp_path):
    monkeypatch.setattr(robustness, "_core", lambda environment=None: None)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    found = variations({}, tmp_path)
    python = "Python {}.{}".format(*sys.version_info)
    assert (found[0].name, found[0].skipped) == (python, None)
    assert {v.skipped for v in found if "kernel" in v.name} <= {
        "numpy's linear algebra is not an OpenBLAS that chooses its kernel when it starts"
    }
    assert [v.skipped for v in found if "threads" in v.name] == ["there is one processor"]


def test_each_seed_that_a_chapter_does_not_have_and_each_value_of_the_efforts_is_a_variation(root):
    (root / "parameters").mkdir()
    (root / "parameters" / "effort.yml").write_text("one: {n: [10, 20]}\ntwo: {seed: [7]}")
    found = {v.name.partition(", ")[2]: (v.kind, v.changes) for v in variations(book(root), root) if v.changes}
    assert found == {
        **{f"seed {seed}": ("seed", {"two": {"seed": seed}}) for seed in (1, 2, 3)},
        "more n": ("effort", {"one": {"n": 10}}),
        "more n, 2": ("effort", {"one": {"n": 20}}),
        "more seed": ("effort", {"two": {"seed": 7}}),
    }


def test_the_kernel_of_this_processor_is_not_tried_as_another(tmp_path):
    found = variations({}, tmp_path)
    kernels = [v.environment.get("OPENBLAS_CORETYPE") for v in found if not v.skipped]
    assert robustness._core() not in kernels
    assert len({v.name for v in found}) == len(found)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="names of the instructions of another processor")
@pytest.mark.parametrize("kernel", robustness.BEYOND)
def test_with_a_kernel_numpy_does_without_the_instructions_that_its_processor_did_not_have(kernel, tmp_path):
    (variation,) = [v for v in variations({}, tmp_path) if f"{kernel} kernel" in v.name]
    shown = "import numpy; numpy.show_runtime()"
    done = subprocess.run(
        [sys.executable, "-W", "error::ImportWarning", "-c", shown],
        env=os.environ | variation.environment,
        capture_output=True,
        text=True,
    )
    found = re.search(r"'found': \[(.*?)\]", done.stdout, re.DOTALL)[1]
    assert not set(re.findall(r"\w+", found)) & set(robustness.BEYOND[kernel].split())


def test_a_variation_with_other_settings_than_recorded_is_executed_again(here, root, capsys):
    check(root, THREADS)
    capsys.readouterr()
    check(root, Variation(THREADS.name, "machine", THREADS.environment | {"MORE": "1"}), names=["one"])
    assert executed(capsys) == ["one, two threads"]
    for kind in ("step", "other"):  # of which only the latter looks at figures
        check(root, replace(SEED, kind=kind))
        assert executed(capsys) == ["two, seed 1"]


def test_the_command_ends_with_the_table_and_fails_where_the_machine_decides(here, root, monkeypatch):
    (root / "parameters").mkdir()
    (root / "parameters" / "quick.yml").write_text("one: {n: 3}")
    skipped = Variation("a kernel", "machine", skipped="there is none")
    monkeypatch.setattr(robustness, "variations", lambda *_: [PLAIN, THREADS, skipped, SEED])
    done = CliRunner().invoke(main, ["--root", str(root), "robust", "--jobs", "1"])
    assert done.exit_code == 1
    assert "skipped: a kernel (there is none)" in done.output
    assert "a claim comes out differently on another machine" in done.output
    summary = recorded.read(root, recorded.ROBUSTNESS)
    assert {name: (found["claims"], [*found["different"]]) for name, found in summary.items()} == {
        "plain": (3, []),
        "two threads": (3, ["linear/prop-2"]),
        "seed 1": (1, ["linear/prop-3"]),
    }
    done = CliRunner().invoke(main, ["--root", str(root), "robust", "two", "--kind", "seed"])
    assert (done.exit_code, "linear/prop-3" in done.output) == (0, True)
    assert recorded.read(root, recorded.ROBUSTNESS) == summary
    done = CliRunner().invoke(main, ["--root", str(root), "robust", "one", "--kind", "seed"])
    assert (done.exit_code, "Error: nothing ran" in done.output) == (1, True)


def test_more_effort_moves_the_claims_that_are_on_record_and_no_others(here, root):
    more = Variation("more seed", "effort", changes={"two": {"seed": 7}})
    surprise = ("two", "linear/prop-3", "moves with more effort, which is not on record")
    assert (check(root, more).surprises, bool(check(root, more).wrong())) == ([surprise], True)
    assert "linear/prop-3 moves with more effort" in check(root, more).describe().splitlines()[-1]
    on_record = root / "ledger" / "effort.yml"
    on_record.parent.mkdir(exist_ok=True)
    on_record.write_text("two: {linear/prop-3: it is of one draw}\none: {linear/prop-1: of a chapter that is not run}")
    assert not check(root, more).wrong()
    again = Variation("more seed", "effort", changes={"two": {"seed": 0}})
    found = check(root, again)
    assert found.surprises == [("two", "linear/prop-3", "is on record as moving with more effort, and does not")]
    assert found.wrong()
    on_record.write_text("two: {linear/prop-3: Either way. It is of one draw.}")
    assert not any(check(root, each).wrong() for each in (more, again))


@pytest.mark.whole
def test_the_claims_that_more_effort_moves_are_the_chapters_and_have_a_reason():
    moving, chapters = read_yaml(ROOT / MOVING), book(ROOT)
    assert any(each.kind == "effort" for each in variations(chapters, ROOT))
    efforts = read_yaml(ROOT / "parameters" / "effort.yml")
    for name, claims in moving.items():
        assert name in efforts
        assert claims.keys() <= {claim.id for claim in statements(chapters[name].path.read_text(encoding="utf-8"))}
        assert all(reason.endswith(".") for reason in claims.values())


def test_each_parameter_goes_one_step_and_what_does_not_run_fails(here, root):
    path = root / "chapters" / "one.md"
    lines = ["n: int = 2  # 2 or more: entries", "sizes: list[int] = [1, 2]  # each 1 or more: of them"]
    declared = "\n".join([*lines, "kind: str = 'a'  # one of a | b"])
    text = path.read_text().replace("n = 2", declared)
    path.write_text(text.replace('check("linear/prop-1", 2, 2)', 'check("linear/prop-1", [2, 3][n - 2], 2)'))
    chapters = book(root)
    tried = steps(chapters.values(), {name: {} for name in chapters})
    named = {each.name: each.changes for each in tried if not each.skipped}
    assert named["n = 3"] == {"one": {"n": 3}}
    assert named["seed = 1"] == {"two": {"seed": 1}}
    assert [name for name in named if "sizes" in name or "kind" in name] == ["sizes = [1]", "sizes = [2]", "kind = b"]
    assert {each.name: each.skipped for each in tried if each.skipped}["one, n = 1"].startswith(
        "one: n: expected a whole"
    )
    found = check(root, *(each for each in tried if each.name in named))
    assert not found.wrong()
    other = Variation("n = 4", "step", changes={"one": {"n": 4}})
    found = check(root, other)
    assert found.wrong()
    assert ("step", "n = 4", "one", "") in [failure[:4] for failure in found.failures]


def test_at_other_parameters_a_claim_counts_where_it_is_stated_for_them(here, root):
    (root / "parameters").mkdir()
    (root / "parameters" / "other.yml").write_text("two: {edge: {seed: 3}, far: {seed: 7}}")
    edge, far = tried = [each for each in variations(book(root), root) if each.kind == "other"]
    assert (edge.name, far.changes) == ("edge", {"two": {"seed": 7}})
    assert not check(root, *tried).wrong()
    path = root / "chapters" / "two.md"
    path.write_text(path.read_text().replace("It adds up.\n", "It adds up.\n  For: seed < 5\n"))
    found = check(root, *tried)
    assert found.contradicted == [("edge", "linear/prop-3")]
    assert found.wrong()
    assert "linear/prop-3 is stated for edge, and comes out differently" in found.describe()


def test_what_is_wrong_with_a_figure_and_what_warns_is_told_by_figure():
    figure = nbformat.v4.new_code_cell(metadata={"mystnb": {"figure": {"name": "one"}}})
    figure.outputs = [nbformat.v4.new_output("display_data", {LOOKED: {"problems": ["panel 1: nothing is in it"]}})]
    warned = nbformat.v4.new_code_cell(
        id="two", outputs=[nbformat.v4.new_output("stream", name="stderr", text="odd\n")]
    )
    notebook = nbformat.v4.new_notebook(cells=[figure, warned])
    assert robustness._seen(notebook) == ["one: panel 1: nothing is in it", "two: odd"]


def test_words_that_stay_while_the_data_of_their_figure_change_are_told_unless_they_are_listed():
    def found(edge, far, **saying):
        runs = {
            name: {
                "one": {"failed": None, "different": {}, "claims": 1, "contradicted": [], "seen": [], "figures": drawn}
            }
            for name, drawn in (("edge", {"fig": edge}), ("far", {"fig": far}))
        }
        return robustness.Robustness(dict.fromkeys(runs, "other"), runs, saying=saying)

    typed = found(["ab", ["full at 8", "full at 4"]], ["cd", ["full at 8", "full at 2"]])
    assert typed.typed == [("fig", "full at 8")]
    assert typed.wrong()
    assert "fig: 'full at 8'" in typed.describe()
    assert not found(["ab", ["full at 8"]], ["ab", ["full at 8"]]).wrong()
    for figure, listed in (("fig", "full at 8"), ("any", r"full at \d")):
        assert not found(["ab", ["full at 8"]], ["cd", ["full at 8"]], **{figure: {listed: "a reason"}}).wrong()
    assert found(["ab", ["full at 8"]], ["cd", ["full at 8"]], other={"full at 8": "a reason"}).wrong()
