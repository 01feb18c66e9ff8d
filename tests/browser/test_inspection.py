"""The inspection finds what it is made for: a good page has no fault, and each way to spoil it shows as its own."""

import pytest
from built_site import FAULTS, FIGURE, WIDTHS, open_page, visit

GOOD = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head><title>Page</title><link rel="icon" href="icon.svg"></head>
<body style="margin: 0; background: #fff; color: #222"><main><article>
<h1>Title</h1><h2>Section</h2>
<p>A <a href="#end">link</a>, <button>a button</button>, <code>$x$</code>.</p>
<p><span class="math"><mjx-container>x</mjx-container></span>.</p>
<div class="cell_output"><pre>printed</pre></div>
<div class="admonition-title">Title <a class="claim" href="#end">holds</a></div>
<figure><img src="icon.svg" alt="A square"><figcaption><span class="caption-text">The icon.</span></figcaption></figure>
<table><tr><th>head</th></tr><tr><td>cell</td></tr></table>
<p id="end">End.</p>
</article></main></body></html>"""
ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20"/></svg>'

SPOILED = {
    "image elsewhere": ('src="icon.svg"', 'src="https://example.org/a.png"', {"outside", "missing", "console"}),
    "image missing": ('src="icon.svg"', 'src="none.svg"', {"missing", "console"}),
    "error in a script": ("</main>", "</main><script>undefined.x</script>", {"console"}),
    "formula in the text": ("End.", "End $x^2$.", {"formulas"}),
    "formula not rendered": ("<mjx-container>x</mjx-container>", r"\(x\)", {"formulas"}),
    "formula with an error": ("<mjx-container>x", "<mjx-container><mjx-merror>x</mjx-merror>", {"formulas"}),
    "image without a text": (' alt="A square"', "", {"axe", "images"}),
    "caption as the text": ('alt="A square"', 'alt="The icon"', {"captions"}),
    "wide element": ("<h2>", '<div style="width: 3000px">wide</div><h2>', {"width"}),
    "wide output": ("<pre>printed", "<pre style='overflow: auto'>" + 300 * "printed", {"axe", "room"}),
    "line that begins with a full stop": (
        "<mjx-container>x<",
        "<mjx-container style='display: inline-block; width: 100%'>x<",
        {"lines"},
    ),
    "badge below its title": ('class="claim"', 'class="claim" style="position: relative; top: 20px"', {"badges"}),
    "level left out": ("<h2>Section</h2>", "<h3>Section</h3>", {"axe", "headings"}),
    "two titles": ("<h2>Section</h2>", "<h1>Section</h1>", {"headings"}),
    "table without a head": ("<tr><th>head</th></tr>", "", {"tables"}),
    "button without a name": ("<button>a button</button>", "<button></button>", {"axe", "names"}),
    "no language": (' lang="en"', "", {"axe", "language"}),
    "no icon": ('<link rel="icon" href="icon.svg">', "", {"icon"}),
    "pale text": ('<p id="end">', '<p id="end" style="color: #999">', {"contrast"}),
    "pale mixture": ("#222", "color-mix(in srgb, #fff 60%, #222)", {"contrast"}),
}


def faults(browser, folder, html):
    """Return the kinds of faults that a page shows at some width."""
    (folder / "icon.svg").write_text(ICON)
    (folder / "page.html").write_text(html)
    address = (folder / "page.html").as_uri()
    found = visit(browser, [address], heard={address})
    return {fault for width in WIDTHS for fault in FAULTS if found[width][address]["faults"][fault]}


def test_a_good_page_has_no_fault(browser, tmp_path):
    assert faults(browser, tmp_path, GOOD) == set()


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_page_shows_its_fault(browser, tmp_path, how):
    old, new, kinds = SPOILED[how]
    assert GOOD.count(old) == 1
    assert faults(browser, tmp_path, GOOD.replace(old, new)) == kinds


def test_each_fault_can_be_found():
    assert set().union(*(kinds for _, _, kinds in SPOILED.values())) == set(FAULTS)


@pytest.mark.parametrize(
    ("x", "y", "found"),
    [(10, 60, []), (-5, 60, ["cut off: moved"]), (90, 60, ["cut off: moved"]), (10, 22, ["overlap: moved and fixed"])],
)
def test_text_of_a_figure_that_is_cut_off_or_overlaps_is_found(browser, tmp_path, x, y, found):
    words = "".join(
        f'<g id="text_{i}"><!-- {name} --><rect x="{left}" y="{top}" width="30" height="10"/></g>'
        for i, (name, left, top) in enumerate([("fixed", 10, 20), ("moved", x, y)])
    )
    path = tmp_path / "figure.svg"
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{words}</svg>')
    page, _ = open_page(browser, *WIDTHS["desktop"])
    page.goto(path.as_uri())
    assert page.evaluate(FIGURE) == found
    page.context.close()
