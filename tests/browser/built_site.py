"""The site that the browser's tests look at, and how a page of it is opened."""

import os
from pathlib import Path
from urllib.parse import urlsplit

SITE = Path(__file__).resolve().parents[2] / "_build" / os.environ.get("BROWSER_SITE", "html-quick")
WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}
INSPECT, FIGURE = ((Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8") for name in ("inspect", "figure"))
FAULTS = ("formulas", "images", "captions", "width", "headings", "tables", "names", "language", "icon", "contrast")
FAULTS += ("room", "lines", "badges", "outside", "missing", "console")
# One page of each kind.
TEMPLATES = ("intro", "linear/3-capacity", "beyond/benchmarks", "beyond/explorer", "claims", "errata", "coverage")
TEMPLATES += ("figures", "glossary", "bibliography", "api", "api/tasks", "receipt", "cite")
TEMPLATES = [f"chapters/{name}.html" for name in TEMPLATES] + ["search.html"]


def watched(context):
    """Return a new page of a context, and the lists that what goes wrong on it is added to."""
    page, problems = context.new_page(), {"outside": [], "missing": [], "console": []}

    def outside(url):
        return urlsplit(url).scheme.startswith("http") and urlsplit(url).hostname != "127.0.0.1"

    page.route(outside, lambda route: route.abort())
    page.on("request", lambda request: problems["outside"].append(request.url) if outside(request.url) else None)
    page.on("requestfailed", lambda request: problems["missing"].append(request.url))
    page.on("response", lambda response: problems["missing"].append(response.url) if response.status >= 400 else None)
    page.on("console", lambda message: problems["console"].append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems["console"].append(str(error)))
    return page, problems


def open_page(browser, width, height):
    """Return a page in a new profile, and the lists that what goes wrong on it is added to."""
    return watched(browser.new_context(viewport={"width": width, "height": height}))


def visit(browser, addresses):
    """Return what the pages show, by width and address; each is loaded once, one after the other (the faster way)."""
    context, found = browser.new_context(), {width: {} for width in WIDTHS}
    context.set_default_timeout(120_000)  # on a busy machine a page takes its time
    for address in addresses:
        page, problems = watched(context)
        page.goto(address)
        for name, (width, height) in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            found[name][address] = page.evaluate(INSPECT, {"desktop": name == "desktop"})
            found[name][address]["faults"] |= problems
        page.close()
    context.close()
    return found
