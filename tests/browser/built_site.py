"""The site that the browser's tests look at, and how a page of it is opened."""

import os
import re
from collections import Counter
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from browser import PATIENCE, awaited

from edition.book import renamed

SITE = Path(__file__).resolve().parents[2] / "_build" / os.environ.get("BROWSER_SITE", "html")
WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}
INSPECT, FIGURE = ((Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8") for name in ("inspect", "figure"))
FAULTS = ("formulas", "images", "captions", "width", "headings", "tables", "names", "language", "icon", "contrast")
FAULTS += ("room", "lines", "badges", "outside", "missing", "console", "axe")
REFRESH = 'http-equiv="refresh"'  # of the entry, and of addresses that once were pages
# One page of each kind.
TEMPLATES = ("intro", "linear/3-capacity", "beyond/explorer", "claims", "errata")
TEMPLATES += ("figures", "glossary", "bibliography", "api", "api/tasks", "receipt", "rerun")
SETTLE = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}"""
OPEN = "() => [...document.querySelectorAll('article details')].map((fold) => { fold.open = true; }).length"
# What a label says and what is called must agree, although axe calls its rule for that experimental.
AXE = {"resultTypes": ["violations"], "preload": False, "rules": {"label-content-name-mismatch": {"enabled": True}}}
COLORS = ("color-contrast", "link-in-text-block")  # most of the time that axe takes
CONTRAST = {"resultTypes": ["violations"], "preload": False, "runOnly": COLORS}
BUT_CONTRAST = AXE | {"rules": AXE["rules"] | {rule: {"enabled": False} for rule in COLORS}}
OTHER_SITES = re.compile(r"^(https?|wss?)://(?!127\.0\.0\.1[:/])")
# Who hears a formula hears its MathML: the glyphs, half of what axe would look at, are taken out while it looks, and of
# the rows of a table, which are alike, all but ten or so from all over it; of code its colours, if none are asked for;
# and if nothing else is, what is folded, which shows none, and of MathML, which is not seen, all but its text.
RUN_AXE = """async options => {
  const changed = [], text = (e) => [e.textContent];
  const part = (selector) => (e) => e.querySelectorAll(`:scope > ${selector}`);
  const leave = (selector, nodes) => document.querySelectorAll(selector).forEach((e) => {
    changed.push([e, [...e.childNodes]]);
    e.replaceChildren(...nodes(e));
  });
  if (options.runOnly) {
    leave("details:not([open])", part("summary"));
    leave("mjx-assistive-mml", text);
  } else if (options.rules["color-contrast"]?.enabled === false) leave("pre", text);
  leave("tbody", ({ rows }) => [...rows].filter((_, index) => index % Math.ceil(rows.length / 10) === 0));
  leave("mjx-container", part(":not([aria-hidden=true])"));
  const found = await axe.run(document, options);
  changed.reverse().forEach(([e, nodes]) => e.replaceChildren(...nodes));
  return found.violations;
}"""


def page_of(name, anchor=""):
    """Return the address of a chapter's page below the site, also by a former name."""
    return f"chapters/{renamed().get(name, name)}.html{anchor}"


TEMPLATES = [*map(page_of, TEMPLATES), "search.html"]


def watched(context):
    """Return a new page of a context, and the lists that what goes wrong on it is added to."""
    page, problems = context.new_page(), {"outside": [], "missing": [], "console": []}

    def failed(request):
        problems["missing"].append(request.url)
        problems["outside"].extend([request.url] if OTHER_SITES.match(request.url) else [])

    page.on("requestfailed", failed)
    page.on("response", lambda response: problems["missing"].append(response.url) if response.status >= 400 else None)
    page.on("console", lambda message: problems["console"].append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems["console"].append(str(error)))
    return page, problems


def open_page(browser, width, height):
    """Return a page in a new profile, and the lists that what goes wrong on it is added to."""
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(1000 * PATIENCE)
    return watched(context)


def settled(page):
    """Wait until what scripts do about a change of the width is done."""
    awaited(page, SETTLE)


def unfold(page):
    """Open all that is folded, and return how much that is."""
    count = page.evaluate(OPEN)
    settled(page)
    return count


def axe_findings(page, options=AXE):
    """Return what axe finds on a page as it is shown now: by rule, how many places of which kind."""
    if page.evaluate("window.axe === undefined"):
        page.evaluate(AXE_SCRIPT)
    settled(page)
    rules = {rule["id"]: rule["nodes"] for rule in awaited(page, RUN_AXE, options)}
    return {rule: Counter(node["html"][:160] for node in nodes) for rule, nodes in rules.items()}


def visit(browser, addresses, *, heard=()):
    """Return what the pages show, by width and address; each is loaded once, one after the other (the faster way).

    At those that are to be `heard`, axe looks too, on a desktop; the contrast it leaves to INSPECT.
    """
    found = {width: {} for width in WIDTHS}
    page, problems = open_page(browser, *WIDTHS["desktop"])
    for address in addresses:
        page.goto(address)
        for name, (width, height) in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            settled(page)
            found[name][address] = page.evaluate(INSPECT, {"desktop": name == "desktop"})
            here = name == "desktop" and address in heard  # a change of the width takes the theme its time
            found[name][address]["faults"] |= {"axe": axe_findings(page, BUT_CONTRAST) if here else {}}
        for name in WIDTHS:
            found[name][address]["faults"] |= {kind: [*wrong] for kind, wrong in problems.items()}
        page.goto("about:blank")
        page.set_viewport_size(dict(zip(("width", "height"), WIDTHS["desktop"])))
        for wrong in problems.values():
            wrong.clear()
    page.context.close()
    return found
