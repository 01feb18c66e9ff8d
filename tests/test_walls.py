"""What the papers need stands without the rest: their chapters and figures import nothing that their part leaves out.

`.ci/test_part.py` deletes the rest, and builds and tests what is left.
"""

import ast
import json
import subprocess
import sys

import pytest

from edition.book import ROOT, book, left_out
from edition.claims.coverage import check_coverage, read_coverage
from edition.claims.history import check_former_ids, former_ids
from edition.claims.statements import statements
from edition.publishing.part import of_sources

BEHIND = """
import importlib.abc, json, sys
closed, lines = json.load(sys.stdin)

class Wall(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if any(f"{name}.".startswith(f"{each}.") for each in closed):
            raise ImportError(f"{name} is behind the wall")

sys.meta_path.insert(0, Wall())
for place, line in lines:
    try:
        exec(line, {})
    except ImportError as error:
        print(f"{place}: {error}")
"""


def imports(code):
    """What some code imports, wherever it does so, as statements of one line."""
    found = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import | ast.ImportFrom))
    return [ast.unparse(node) for node in found if not getattr(node, "level", 0)]


def refused(closed, lines):
    """What is said of those lines that cannot be executed where some modules cannot be imported."""
    command = [sys.executable, "-c", BEHIND]
    done = subprocess.run(command, cwd=ROOT, input=json.dumps([closed, lines]), text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_chapters_and_figures_of_a_part_import_nothing_that_it_leaves_out():
    others = [path for path in left_out("papers") if path.parts[0] not in ("chapters", "tests")]
    cells = [(name, cell) for name, chapter in book(part="papers").items() for cell in chapter.notebook()[0].cells]
    texts = [(name, cell.source) for name, cell in cells if cell.cell_type == "code"]
    for folder in ("figures/linear", "figures/layers", "notebook"):
        files = sorted((ROOT / "capacity_studies" / folder).glob("*.py"))
        texts += [(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")) for path in files]
    lines = [(place, line) for place, text in texts for line in imports(text)]
    assert len({place for place, _ in lines}) > 40
    assert refused([".".join(path.with_suffix("").parts) for path in others], lines) == []


def test_former_ids_and_covered_sentences_of_a_part_lead_to_claims_that_it_has():
    cells = [cell for chapter in book(part="papers").values() for cell in chapter.notebook()[0].cells]
    ids = {claim.id for cell in cells if cell.cell_type != "code" for claim in statements(cell.source)}
    earlier, covered = of_sources(ids, former_ids(ROOT), read_coverage(ROOT))
    assert len(ids) > 300
    assert len(covered) > 300
    check_former_ids(ids, earlier)
    check_coverage(covered, ids)


def test_a_module_behind_the_wall_is_met_under_a_name_that_brings_it_along():
    lines = [("a", "from capacity_studies import check")]
    assert refused(["capacity_studies.notebook.chec"], lines) == []
    assert refused(["capacity_studies.notebook.check"], lines) == [
        "a: capacity_studies.notebook.check is behind the wall",
    ]


@pytest.mark.whole
def test_what_a_part_leaves_out_is_there():
    assert [str(path) for path in left_out("papers") if not (ROOT / path).exists()] == []
