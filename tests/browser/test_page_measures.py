"""The measures of a page are those of a page whose heights are known."""

from contextlib import nullcontext

import pytest

from edition.verification import page_measures

PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>Page</title><style>
* { margin: 0; padding: 0; line-height: 20px; font-size: 10px; box-sizing: border-box; }
h1 { height: 50px; } p { height: 100px; } p p { height: auto; } figure { height: 300px; margin-bottom: 50px; }
pre { height: 40px; overflow: auto; } details { height: 30px; } table { height: 60px; border-spacing: 0; }
li { height: 80px; list-style: none; } .print { height: 20px; } .check-marks { position: absolute; height: 500px; }
mjx-container { display: block; overflow: hidden; height: 10px; width: 200px; }
mjx-math { display: block; width: 100px; }
</style></head><body><header style="height: 70px">Not counted.</header><article>
<h1>Title</h1>
<p>Two words, <code>one</code> more.</p>
<p class="check-marks">Marks in the margin.</p>
<div class="cell"><div class="cell_input"><pre>x</pre></div>
<div class="cell_output"><div class="output"><pre class="print">1</pre></div>
<p><span class="claim">It holds.</span></p></div></div>
<figure><img src="picture.svg" alt="A square" width="50" height="20"><figcaption>Caption</figcaption></figure>
<details><summary>Folded</summary><div class="cell_input"><pre>hidden</pre></div></details>
<ul><li>Item<pre>in it</pre></li></ul>
<table><tr><th>cell</th></tr></table>
<div class="math"><mjx-container display="true"><mjx-math>x</mjx-math></mjx-container></div>
<div style="height: 110px"></div>
</article></body></html>"""
HEIGHTS = {"headings": 50, "text": 100 + 40 + 10, "code": 40 + 20 + 40, "folds": 100 + 30, "figures": 300, "tables": 60}
SPACE = 50 + 110
WORDS = ["Title", "Two", "words", "one", "more", "It", "holds", "Caption", "Folded", "Item", "cell"]
ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="20"><rect width="50" height="20"/></svg>'


@pytest.fixture
def measured(browser, monkeypatch, tmp_path):
    """Measure a page with the browser of the tests: there can be one only."""
    monkeypatch.setattr(page_measures, "started", lambda: nullcontext(browser))

    def measure(html):
        (tmp_path / "picture.svg").write_text(ICON)
        (tmp_path / "page.html").write_text(html)
        return page_measures.measure(tmp_path)["page.html"]

    return measure


def test_a_page_of_known_heights(measured):
    found = measured(PAGE)
    whole = sum(HEIGHTS.values()) + SPACE
    desk, phone = found["desk"], found["phone"]
    assert desk["article"] == whole
    assert desk["height"] == 70 + whole
    assert desk["shares"] == {kind: round(HEIGHTS.get(kind, SPACE) / whole, 4) for kind in page_measures.KINDS}
    assert desk["first figure"] == 70 + 50 + 100 + 40 + 20 + 100
    assert desk["words"] == len(WORDS)
    assert found["bytes"] == len(PAGE.encode()) + len(ICON)
    for seen in (desk, phone):
        counted = [
            seen[key] for key in ("code cells", "code blocks cut", "formulas cut", "figures that scroll sideways")
        ]
        assert counted == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("<pre>x</pre>", f"<pre>{'x' * 100}</pre>", "code blocks cut"),
        ("mjx-math { display: block; width: 100px", "mjx-math { display: block; width: 600px", "formulas cut"),
        (
            "<figure>",
            '<figure style="overflow: auto"><div style="width: 500px">wide</div>',
            "figures that scroll sideways",
        ),
    ],
)
def test_what_is_cut_on_a_phone_is_counted_and_a_sign_makes_a_formula_whole(measured, old, new, key):
    assert PAGE.count(old) == 1
    spoiled = PAGE.replace(old, new)
    found = measured(spoiled)
    assert found["phone"][key] == 1
    if key == "formulas cut":
        sign = "overflow: auto; mask-image: linear-gradient(black, transparent)"
        assert measured(spoiled.replace("overflow: hidden", sign))["phone"][key] == 0
    else:
        assert found["desk"][key] == 0


def test_images_that_wait_until_they_are_scrolled_to_are_not_waited_for(measured):
    far = '<div style="height: 20000px"></div><img loading="lazy" src="picture.svg" alt="" width="50" height="20">'
    found = measured(PAGE.replace("</article>", f"{far}</article>").replace('<img src="picture.svg"', "<img"))
    assert found["desk"]["height"] > 20_000
    assert found["bytes"] < len(PAGE.encode()) + len(far) + len(ICON)
