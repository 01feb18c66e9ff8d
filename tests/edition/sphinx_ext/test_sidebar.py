"""The part of the contents that is folded."""

import pytest
from bs4 import BeautifulSoup

from edition.book import ROOT, read_yaml
from edition.sphinx_ext.sidebar import FOLDED, fold

PART = """<p aria-level="2" class="caption" role="heading"><span class="caption-text">{title}</span></p>
<ul class="{current}nav bd-sidenav">
<li><a href="a.html">A</a><ul>
<li><a href="b.html">B</a></li>
</ul></li>
</ul>
"""


@pytest.mark.parametrize("current", ["", "current "])
def test_a_part_is_folded_with_all_its_pages_unless_one_of_them_is_shown(current):
    html = PART.format(title="Use it", current="") + PART.format(title=FOLDED[0], current=current)
    contents = BeautifulSoup(fold(html), "html.parser")
    (details,) = contents.select("details")
    assert details.has_attr("open") == bool(current)
    assert [link.text for link in details.select("a")] == ["A", "B"]
    assert details.select_one("summary [role=heading]").text == FOLDED[0]
    assert contents.select_one("p.caption").text == "Use it"


def test_folding_again_changes_nothing():
    folded = fold(PART.format(title=FOLDED[0], current=""))
    assert fold(folded) == folded


def test_a_part_that_is_to_be_folded_is_one_of_the_contents():
    parts = read_yaml(ROOT / "_toc.yml")["parts"]
    assert {*FOLDED} <= {part["caption"] for part in parts}
