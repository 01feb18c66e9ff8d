"""How much there is to carry: lines of code, docstrings and text by tenant, and the cells of the chapters.

Lines of code are those that are neither blank, comment nor docstring; statements count what joined lines would hide.
"""

import ast
import io
import re
import subprocess
import tokenize
from pathlib import Path
from statistics import median

from edition.book import ROOT, book

RECORDED = ("requirements.txt", "ledger/", "tests/chapters/", "benchmarks/results.json")
EXAMPLES = re.compile(r"^Examples\n-+\n.*?(?=\n[A-Z][\w ]*\n-{3,}$|\Z)", re.DOTALL | re.MULTILINE)
TENANTS = {  # by the beginning of a path; the longest counts
    "capacity_inspection/": "inspection",
    "capacity/figures": "figures",
    "capacity/": "capacity",
    "capacity_studies/": "studies",
    "edition/": "edition",
    "benchmarks/": "benchmarks",
    "tests/": "tests",
}


def tracked():
    """Return the files that git tracks."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for path in listed.splitlines() if (ROOT / path).is_file()]


def weigh(source):
    """Return lines of code, of docstrings without their examples, statements, and lines that refuse something."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    owners = [n for n in nodes if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(n)]
    documented = {line for n in owners for line in range(n.body[0].lineno, n.body[0].end_lineno + 1)}
    examples = sum(
        found[0].count("\n") + 1 for text in map(ast.get_docstring, owners) for found in EXAMPLES.finditer(text)
    )
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    spans = [range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in silent]
    coded = {line for span in spans for line in span} - documented
    refusing = {
        line
        for n in nodes
        if isinstance(n, ast.Raise)
        or (isinstance(n, ast.Call) and re.match(r"check_", getattr(n.func, "id", getattr(n.func, "attr", ""))))
        for line in range(n.lineno, n.end_lineno + 1)
    }
    return len(coded), len(documented) - examples, sum(isinstance(n, ast.stmt) for n in nodes), len(refusing)


def tenants(paths):
    """Print a row for each tenant."""
    found = {}
    for path in paths:
        if path.endswith(".py"):
            home = max((begin for begin in TENANTS if path.startswith(begin)), key=len, default=None)
            name = TENANTS.get(home, "others")
            weight = weigh((ROOT / path).read_text(encoding="utf-8"))
            found[name] = [a + b for a, b in zip(found.get(name, [0] * 4), weight)]
    print(f"{'':12}{'code':>8}{'docstrings':>12}{'statements':>12}{'refusals':>10}")
    for name, (code, documented, statements, refusing) in sorted(found.items(), key=lambda item: -item[1][0]):
        print(f"{name:12}{code:8}{documented / code:12.2f}{statements:12}{refusing / code:10.1%}")


def cells():
    """Print what the chapters' cells weigh."""
    sources = [
        cell.source for chapter in book().values() for cell in chapter.notebook()[0].cells if cell.cell_type == "code"
    ]
    sizes = sorted(weigh(source)[0] for source in sources)
    checks = sum(
        s.end_lineno - s.lineno + 1
        for source in sources
        for s in ast.parse(source).body
        if isinstance(s, ast.Expr) and getattr(getattr(s.value, "func", None), "id", "") == "check"
    )
    print(
        f"chapters: {len(sizes)} cells, {sum(sizes)} lines of code, median {median(sizes):g}, "
        f"nine tenths at most {sizes[len(sizes) * 9 // 10]}; checks are {checks / sum(sizes):.0%}"
    )


def lines(paths):
    """Return how many lines the files have that are text."""
    return sum((ROOT / path).read_bytes().count(b"\n") for path in paths if Path(path).suffix not in (".npy", ".inv"))


if __name__ == "__main__":
    everything = tracked()
    written = [path for path in everything if not path.startswith(RECORDED)]
    tenants(everything)
    cells()
    print(f"lines: {lines(written)} written, {lines(everything)} with what is recorded and locked")
