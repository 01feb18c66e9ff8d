"""The site that the browser's tests look at, and how a page of it is opened."""

import os
from pathlib import Path
from urllib.parse import urlsplit

SITE = Path(__file__).resolve().parents[2] / "_build" / os.environ.get("BROWSER_SITE", "html-quick")
WIDTHS = {"desktop": (1280, 900), "phone": (390, 844)}


def open_page(browser, width, height):
    """Return a page in a new profile, and the lists that what goes wrong on it is added to."""
    page = browser.new_context(viewport={"width": width, "height": height}).new_page()
    problems = {"outside": [], "failed": [], "console": []}

    def outside(url):
        return urlsplit(url).scheme.startswith("http") and urlsplit(url).hostname != "127.0.0.1"

    page.route(outside, lambda route: route.abort())
    page.on("request", lambda request: problems["outside"].append(request.url) if outside(request.url) else None)
    page.on("requestfailed", lambda request: problems["failed"].append(request.url))
    page.on("response", lambda response: problems["failed"].append(response.url) if response.status >= 400 else None)
    page.on("console", lambda message: problems["console"].append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems["console"].append(str(error)))
    return page, problems
