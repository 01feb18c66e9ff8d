"""A new chapter: a page that builds and passes as it is, to be written over."""

import re
from pathlib import Path

from edition.book import ROOT
from edition.claims.claim import PARTS
from edition.files import write_atomically

__all__ = ["new_chapter"]

TEMPLATE = Path(__file__).with_name("template.md")
NAME = re.compile(r"([a-z0-9-]+)/([a-z0-9]+(?:-[a-z0-9]+)*)")


def new_chapter(name, root=ROOT):
    """Write the chapter ``folder/page`` from the template, with its line in the contents, and return its path."""
    contents = Path(root) / "_toc.yml"
    text = contents.read_text(encoding="utf-8")
    found = NAME.fullmatch(name)
    folders = sorted(set(re.findall(r"file: chapters/([a-z0-9-]+)/", text)) - {"api"})
    if not found or found[1] not in folders:
        raise ValueError(
            f"expected a name such as {folders[0]}/my-page, in lower case with hyphens, its folder one of "
            f"{', '.join(folders)}; got {name!r}"
        )
    path = Path(root) / "chapters" / f"{name}.md"
    if path.exists():
        raise ValueError(f"{path.relative_to(root)}: expected a name that no chapter has; choose another")
    part = found[1] if found[1] in PARTS else PARTS[-1]
    page = TEMPLATE.read_text(encoding="utf-8").replace("ID/", f"{part}/{found[2]}/").replace("NAME-", f"{found[2]}-")
    write_atomically(path, page)
    *_, last = re.findall(rf"^.*file: chapters/{found[1]}/.*\n", text, re.MULTILINE)
    write_atomically(contents, text.replace(last, last + re.sub(r"chapters/\S+", f"chapters/{name}", last)))
    return path
