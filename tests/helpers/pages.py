"""Inspection of built pages: links that lead nowhere, repeated ids, requests to other sites."""

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

__all__ = ["broken_links", "missing_pages", "outside_requests", "pages", "repeated_ids"]


def pages(html):
    """Return the parsed pages of a site by path, without the templates that the theme leaves among its assets."""
    paths = sorted(path for path in Path(html).resolve().rglob("*.html") if "_static" not in path.parts)
    return {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in paths}


def missing_pages(chapters, html):
    """Return the pages that the table of contents asks for and that are not there."""
    names = ["index.html", *(f"chapters/{chapter.name}.html" for chapter in chapters)]
    return [name for name in names if not (Path(html) / name).is_file()]


def broken_links(parsed):
    """Return (page, link) for each link within the site that is empty, or whose file or anchor does not exist."""
    ids = {path: {tag["id"] for tag in page.select("[id]")} for path, page in parsed.items()}
    broken = []
    for path, page in parsed.items():
        for link in sorted({tag.get("href", tag.get("src")) for tag in page.select("[href], [src]")}):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            if not link or not target.exists() or (anchor and anchor not in ids.get(target, {anchor})):
                broken.append((path.name, link))
    return broken


def repeated_ids(parsed):
    """Return (page, id) for each id that the text of a page uses twice."""
    counts = {path: Counter(tag["id"] for tag in page.select("article [id]")) for path, page in parsed.items()}
    return [(path.name, id) for path, found in counts.items() for id, count in found.items() if count > 1]


def outside_requests(parsed):
    """Return (page, address) for each address on another site that a page loads or that its scripts name."""
    found = []
    for path, page in parsed.items():
        tags = page.select("script[src], link[href], img[src], iframe[src]")
        loaded = [tag.get("src") or tag.get("href") for tag in tags]
        found += [(path.name, address) for address in loaded if urlsplit(address).netloc]
        scripts = "".join(script.text for script in page.select("script:not([src])"))
        found += [(path.name, address) for address in re.findall(r"https?://[^\s\"']+", scripts)]
    return found
