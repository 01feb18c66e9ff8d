"""The PDF of the book (make pdf): every chapter, number, figure and claim is in it, and nothing runs into another."""

import json
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from itertools import pairwise

import pytest

from edition.book import ROOT, book
from edition.claims.claim import HOLDS, VERDICTS
from edition.claims.labels import paper_number
from edition.claims.ledger import as_claim
from edition.publishing.pdf import SCREEN_ONLY
from edition.sphinx_ext.checks import place

BUILD = ROOT / "_build"
STAGES = {"capacity-allocation.pdf": "stage-pdf-default", "capacity-allocation-quick.pdf": "stage-pdf-quick"}
PAGE, MARGIN, LINE = (595, 842), 95, 8  # points: of A4, of what is right of the text, of small print
FOUND = [name for name in STAGES if (BUILD / name).exists()]
pytestmark = [
    pytest.mark.skipif(not FOUND, reason="there is no PDF: make pdf"),
    pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext"),
]


@pytest.fixture(scope="module", params=FOUND)
def name(request):
    return request.param


def read(name, left, width, *options):
    """Return the text of a column of all pages."""
    column = ["-x", str(left), "-y", "0", "-W", str(width), "-H", str(PAGE[1])]
    command = ["pdftotext", *options, *column, BUILD / name, "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def text(name):
    shown = read(name, 0, PAGE[0] - MARGIN, "-layout")
    return unicodedata.normalize("NFKC", shown)  # ligatures are letters again


@pytest.fixture(scope="module")
def staged(name):
    read = {kind: (BUILD / STAGES[name] / f"{kind}.json").read_text(encoding="utf-8") for kind in ("claims", "figures")}
    return [json.loads(text)[kind] for kind, text in read.items()]


def test_every_chapter_is_in_it(text):
    words = " ".join(text.split())
    for chapter in book().values():
        title = re.search(r"^# (.*)$", chapter.path.read_text(encoding="utf-8"), re.M)[1]
        if not f"chapters/{chapter.name}/".startswith(tuple(f"{page}/" for page in SCREEN_ONLY)) and "$" not in title:
            assert title in words


def test_every_equation_of_the_papers_has_its_number(text):
    labels = re.findall(r"\$\$ \(([\w-]+)\)", "\n".join(c.path.read_text(encoding="utf-8") for c in book().values()))
    wanted = Counter(number for label in labels if (number := paper_number(label)))
    shown = Counter(re.findall(r"\s\(([\w.]+)\)$", text, re.M))
    assert wanted
    assert not wanted - shown


def test_every_figure_is_in_it(text, staged):
    words = " ".join(text.split())
    printed = [figure for figure in staged[1] if f"chapters/{figure['chapter']}" not in SCREEN_ONLY]
    for figure in printed:
        beginning = re.match(r"[\w ,'-]*", figure["caption"])[0][:15].strip()
        assert beginning
        assert re.search(rf"Figure [\w.]+: {re.escape(beginning)}", words), figure["name"]


def test_the_ledger_has_every_claim(text, staged):
    start, end = "What does not hold\n", "What the words mean\n"
    ledger = text[: text.rindex(end)]
    rows = ledger[ledger.rindex(start) :]
    for verdict, sign in VERDICTS.items():
        assert rows.count(sign) == sum(claim["verdict"] == verdict for claim in staged[0])
    names = "".join(rows.split())
    assert [claim["id"] for claim in staged[0] if claim["id"] not in names] == []


def test_each_claim_that_holds_is_marked_in_a_margin_once_and_the_others_are_told_in_the_text(name, text, staged):
    shown = read(name, PAGE[0] - MARGIN, MARGIN)
    marks = [" ".join(mark.split()) for mark in shown.split("✓")[1:]]
    found = Counter()
    for mark in marks:
        where, number = re.fullmatch(r"(.*?)(?: \((\d+)\))?", mark).groups()
        found[where] += int(number or 1)
    claims = [claim for claim in staged[0] if f"chapters/{claim['chapter']}" not in SCREEN_ONLY]
    assert found == Counter(place(as_claim(claim)) for claim in claims if claim["verdict"] == HOLDS)
    chapters = text[: text.rindex("What reproduces: the claims")]
    for verdict in set(VERDICTS) - {HOLDS}:
        told = sum(claim["verdict"] == verdict for claim in claims)
        assert chapters.count(f"{VERDICTS[verdict]} {verdict}") >= told


def test_marks_are_on_the_page_and_do_not_overlap(name):
    command = ["pdftotext", "-bbox", BUILD / name, "-"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    word = re.compile(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>')
    for number, page in enumerate(shown.split("<page ")[1:], 1):
        words = [(*map(float, found[:4]), found[4]) for found in word.findall(page)]
        beside = [found for found in words if found[0] > PAGE[0] - MARGIN]
        assert all(right < PAGE[0] and bottom < PAGE[1] for _, _, right, bottom, _ in beside), number
        heights = sorted(top for _, top, _, _, shown in beside if shown == "✓")
        assert all(below - above > LINE for above, below in pairwise(heights)), number


def test_solutions_come_after_all_exercises_each_with_the_page_of_the_other(text):
    exercises, _, after = text.rpartition("Solutions to the exercises\n")
    solutions = after.partition("What reproduces: the claims")[0]
    stated, solved = (
        len(re.findall(rf"Exercise \d+.*{word}: page \d", part))
        for word, part in (("Solution", exercises), ("The exercise", solutions))
    )
    assert stated == solved > 0
    assert "The exercise: page" not in exercises
    assert "Solution: page" not in solutions
