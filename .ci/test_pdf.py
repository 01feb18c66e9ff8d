"""The PDF of the book (make pdf): every chapter, number, figure and claim is in it, and nothing runs into another."""

import json
import re
import shutil
import subprocess
import unicodedata
from collections import Counter

import pytest

from edition.book import ROOT, book
from edition.claims.claim import HOLDS, VERDICTS
from edition.claims.labels import paper_number
from edition.publishing.pdf import SCREEN_ONLY

BUILD = ROOT / "_build"
STAGES = {"capacity-allocation.pdf": "stage-pdf-default", "capacity-allocation-quick.pdf": "stage-pdf-quick"}
FOUND = [name for name in STAGES if (BUILD / name).exists()]
pytestmark = [
    pytest.mark.skipif(not FOUND, reason="there is no PDF: make pdf"),
    pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext"),
]


@pytest.fixture(scope="module", params=FOUND)
def name(request):
    return request.param


def words_of(name, order):
    """The text of a PDF, with ligatures as letters."""
    command = ["pdftotext", order, BUILD / name, "-"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return unicodedata.normalize("NFKC", shown)


@pytest.fixture(scope="module")
def text(name):
    return words_of(name, "-layout")


@pytest.fixture(scope="module")
def staged(name):
    read = {kind: (BUILD / STAGES[name] / f"{kind}.json").read_text(encoding="utf-8") for kind in ("claims", "figures")}
    return [json.loads(text)[kind] for kind, text in read.items()]


def test_every_chapter_is_in_it(text):
    words = " ".join(text.split())
    assert "Introduction" in words  # of which the first page has another title
    for chapter in [chapter for chapter in book().values() if chapter.name != "intro"]:
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
    words = " ".join(text.split()).replace("’", "'")
    printed = [figure for figure in staged[1] if f"chapters/{figure['chapter']}" not in SCREEN_ONLY]
    for figure in printed:
        beginning = re.match(r"[\w ,'-]*", figure["caption"].lstrip("*"))[0][:15].strip()
        assert beginning
        assert re.search(rf"Figure [\w.]+: {re.escape(beginning)}", words), figure["name"]


def test_the_ledger_has_every_claim(text, staged, name):
    start, end = "What does not hold\n", "What the words mean\n"
    ledger = text[: text.rindex(end)]
    rows = ledger[ledger.rindex(start) :]
    for verdict, sign in VERDICTS.items():
        assert rows.count(sign) == sum(claim["verdict"] == verdict for claim in staged[0])
    cells = words_of(name, "-raw")  # each by itself, not line by line across the columns
    names = "".join(cells[cells.rindex(start) : cells.rindex(end)].split())
    assert [claim["id"] for claim in staged[0] if claim["id"] not in names] == []


def test_what_does_not_simply_hold_is_told_in_the_text(text, staged):
    claims = [claim for claim in staged[0] if f"chapters/{claim['chapter']}" not in SCREEN_ONLY]
    chapters = text[: text.rindex("What reproduces: the claims")]
    for verdict in set(VERDICTS) - {HOLDS}:
        told = sum(claim["verdict"] == verdict for claim in claims)
        assert chapters.count(f"{VERDICTS[verdict]} {verdict}") >= told
