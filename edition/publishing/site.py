"""From executed notebooks to the book: staging, the build with Jupyter Book, and the check of its pages."""

import ctypes
import errno
import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import nbformat
import yaml

from edition import recorded
from edition.book import ROOT, WHOLE, read_yaml, renamed
from edition.citation import origin, pages_at
from edition.claims import ledger
from edition.claims.coverage import FILE as COVERAGE
from edition.claims.coverage import check_coverage, read_coverage
from edition.claims.faults import by_claim
from edition.claims.history import check_former_ids, former_ids
from edition.execution.cache import sources
from edition.execution.workers import ended_by
from edition.figures import records as figures
from edition.publishing.folding import fold
from edition.publishing.links import figure, led_on
from edition.publishing.part import bibliography, confine, contents, of_sources, redirects
from edition.publishing.receipt import receipt
from edition.publishing.single import detach, tell_values

__all__ = ["build_html", "build_latex", "finish_publishing", "publish", "stage"]

STATIC = Path("edition") / "static"  # what the configuration names
OFFERED = Path("tests") / "oracles"  # second implementations, which chapters offer as downloads
EXTRA = "extra"  # what is copied to the site's root
MADE, NOTE = "_build", "made-from"  # below the staged book, of Jupyter Book; in it, what the pages were made from
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"  # its script names a Python that may have moved
CELL_STRIDE = 10_000  # MyST-NB reports the position `line` of the n-th cell as line n * 10 000 + line


def stage(chapters, executed, folder, *, root=ROOT, alone=None, run=None, part=WHOLE):
    """Write what Jupyter Book builds from, and return by staged notebook the line of the text where each cell begins.

    `executed` has the path of each executed notebook. `alone` has a reader's own parameters where only the first
    chapter is a page, `run` the scale and the `Result` of each chapter, for the receipt. Chapters that are a `part` of
    the book stand alone, and what they list is what they have.
    """
    root, folder, whole = Path(root), Path(folder), alone is None
    for former in folder.glob("*"):
        if former.name != MADE:
            shutil.rmtree(former) if former.is_dir() else former.unlink()
    (folder / EXTRA).mkdir(parents=True)  # even where there is no figure
    _copy_shared(root, folder)
    _write_contents(root, folder, chapters, whole)
    notebooks, shared = _folded(executed), origin(root)
    pages = _led_on(chapters, notebooks, renamed(root))
    if not whole:
        detach(notebooks[chapters[0].name])
    elif part != WHOLE:
        pages = confine(chapters, notebooks, pages, pages_at(shared))
        _leave_works_out(folder, pages, notebooks)
    earlier, covered = former_ids(root), read_coverage(root)
    claims = ledger.collect(notebooks, renamed=earlier["renamed"], faults=by_claim(root), as_recorded=whole)
    if not whole:
        tell_values(notebooks[chapters[0].name], alone, claims)
    else:
        ids = {record["id"] for record in claims}
        if part != WHOLE:
            earlier, covered = of_sources(ids, earlier, covered)
        check_former_ids(ids, earlier)
        check_coverage(covered, ids)
    records, files = figures.collect(notebooks, {chapter.name: chapter for chapter in chapters}, claims)
    texts = {
        "claims.json": ledger.to_json(claims, earlier["retired"]),
        "figures.json": figures.to_json(records, shared),
        recorded.ROBUSTNESS: json.dumps(recorded.read(root, recorded.ROBUSTNESS)),
    }
    if run is not None:
        hashed = files | {"claims.json": texts["claims.json"].encode()}
        texts["receipt.json"] = receipt(root, run | {"part": part}, notebooks, claims, hashed)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    figures.write_files(folder / EXTRA, files)
    positions = _write_chapters(chapters, notebooks, pages, folder)
    published = [*(name for name in texts if name not in ("figures.json", recorded.ROBUSTNESS)), EXTRA]
    _write_settings(root, folder, published, positions, chapters, part)
    return positions


def _folded(executed):
    """Return the executed notebooks by chapter name, the code behind figures and claims folded."""
    notebooks = {name: nbformat.read(path, as_version=4) for name, path in executed.items()}
    for notebook in notebooks.values():
        fold(notebook)
    return notebooks


def _led_on(chapters, notebooks, former):
    """Lead links on to the chapters as they are named now: change the notebooks, return the texts of the others."""
    for name, notebook in notebooks.items():
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = led_on(cell.source, name, former)
            if "caption" in figure(cell):
                figure(cell)["caption"] = led_on(figure(cell)["caption"], name, former)
    others = [chapter for chapter in chapters if chapter.name not in notebooks]
    return {chapter.name: led_on(chapter.path.read_text(encoding="utf-8"), chapter.name, former) for chapter in others}


def _copy_shared(root, folder):
    """Copy what all pages need, and what lies beside the chapters' texts."""
    shutil.copy(root / "references.bib", folder)
    shutil.copytree(root / STATIC, folder / STATIC)
    shutil.copytree(
        root / "chapters",
        folder / "chapters",
        ignore=shutil.ignore_patterns("*.md", "*.ipynb", "*.py", "__pycache__", ".*"),
    )
    if (root / COVERAGE).exists():
        (folder / COVERAGE).parent.mkdir(exist_ok=True)
        shutil.copy(root / COVERAGE, folder / COVERAGE)
    if (root / OFFERED).exists():
        shutil.copytree(root / OFFERED, folder / OFFERED, ignore=shutil.ignore_patterns("test_*", "__pycache__"))


def _leave_works_out(folder, pages, notebooks):
    """Leave in the bibliography what the pages cite."""
    cells = [cell.source for notebook in notebooks.values() for cell in notebook.cells if cell.cell_type == "markdown"]
    path = folder / "references.bib"
    path.write_text(bibliography(path.read_text(encoding="utf-8"), [*pages.values(), *cells]), encoding="utf-8")


def _write_contents(root, folder, chapters, whole):
    """Write the table of contents: what the book's has of the chapters, or one chapter with what it needs."""
    if whole:
        listed = contents(read_yaml(root / "_toc.yml"), {chapter.name for chapter in chapters})
    else:
        first, *others = [f"chapters/{chapter.name}" for chapter in chapters]
        listed = {"format": "jb-book", "root": first} | ({"chapters": [{"file": f} for f in others]} if others else {})
    (folder / "_toc.yml").write_text(yaml.safe_dump(listed, sort_keys=False, allow_unicode=True), encoding="utf-8")


def _write_chapters(chapters, notebooks, pages, folder):
    """Write each chapter's text, and its notebook where it has one; return the cells' lines, as `stage` does.

    The text stands beside the notebook, because links between chapters name the text, and is published with it; `pages`
    has those of the others.
    """
    positions = {}
    for chapter in chapters:
        text = Path("chapters") / f"{chapter.name}.md"
        (folder / text).parent.mkdir(parents=True, exist_ok=True)
        if chapter.name in pages:
            (folder / text).write_text(pages[chapter.name], encoding="utf-8")
        else:
            shutil.copy(chapter.path, folder / text)
        if chapter.name in notebooks:
            notebook, lines = notebooks[chapter.name], chapter.notebook()[1]
            nbformat.write(notebook, (folder / text).with_suffix(".ipynb"))
            positions[text.with_suffix(".ipynb").as_posix()] = [lines.get(cell.id) for cell in notebook.cells]
            figures.write_files(folder / EXTRA, {f"_sources/{text.as_posix()}": chapter.path.read_bytes()})
    return positions


def _write_settings(root, folder, published, notebooks, chapters, part):
    """Write the book's settings: nothing is executed, and what a notebook has as its text is no page of its own."""
    config = read_yaml(root / "_config.yml")
    try:
        config["execute"] |= {"execute_notebooks": "off"}
        others = [pattern for pattern in config["exclude_patterns"] if not pattern.endswith(".ipynb")]
        config["exclude_patterns"] = others + [f"{name.removesuffix('.ipynb')}.md" for name in notebooks]
        own = config["sphinx"]["config"]
        own["html_extra_path"] = published
        if part != WHOLE:
            config["title"] += f": {part}"
            own["redirects"] = redirects(own.get("redirects", {}), {chapter.name for chapter in chapters})
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(
            f"_config.yml: expected execute, exclude_patterns and config below sphinx, got something else ({error}); "
            "get it back"
        ) from None
    (folder / "_config.yml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")


def build_html(folder, positions, *, strict=True):
    """Build the staged book with warnings as errors; warnings are printed with their place in the chapter's text.

    Pages that were made from the same before are kept.
    """
    made, basis = Path(folder) / MADE, _basis(Path(folder))
    if (made / NOTE).is_file() and (made / NOTE).read_text(encoding="utf-8") == basis:
        return made / "html"
    return _build(folder, positions, "html", ["-W", "-n"] if strict else [], basis)


def build_latex(folder, positions):
    """Write the staged book as one LaTeX document; warnings are errors, as in `build_html`."""
    return _build(folder, positions, "latex", ["-W", "-n"])


def _basis(folder):
    """Return a digest of all that pages are made from: what is staged, what builds it, what it documents."""
    staged = [path for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] != MADE]
    files = [str(path) + sha256(path.read_bytes()).hexdigest() for path in sorted(staged)]
    return sha256("".join([sys.version, sources(), *files]).encode()).hexdigest()


def _build(folder, positions, builder, options, basis=""):
    """Build in a folder of this run, which takes the place of the former when it is whole.

    Where the command alone is killed, Jupyter Book may go on for a while, in a folder that nobody reads.
    """
    folder = Path(folder)
    for left in folder.parent.glob(f".{folder.name}.*"):
        shutil.rmtree(left, ignore_errors=True)
    own = folder.with_name(f".{folder.name}.{uuid4().hex[:12]}")
    own.mkdir()
    command = [sys.executable, "-P", "-c", JUPYTER_BOOK, "build", folder, "--builder", builder]
    command += ["--path-output", own, "-q", "--keep-going", *options]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))  # where Sphinx finds the extensions
    environment = os.environ | {"PYTHONPATH": path, "PYTHONWARNINGS": "ignore", "SPHINX_NO_COLOR": "1", "NO_COLOR": "1"}
    try:
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        if done.returncode and (full := os.strerror(errno.ENOSPC)) in done.stdout:
            raise OSError(errno.ENOSPC, full, str(own))
        if done.returncode < 0:
            raise RuntimeError(f"Jupyter Book {ended_by(done.returncode)}")
        if done.returncode:
            raise RuntimeError(f"the pages could not be built:\n{_translate(done.stdout, folder, positions)}")
        (own / MADE / NOTE).write_text(basis, encoding="utf-8")
        if (folder / MADE).exists():
            (folder / MADE).replace(own / "former")
        (own / MADE).replace(folder / MADE)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    return folder / MADE / builder


def publish(html, destination):
    """Put the built pages in place of the former ones, which stay until all new ones are there."""
    fresh, old = _beside(destination)
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        shutil.copytree(html, fresh)
    except OSError:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if not destination.exists():
        fresh.replace(destination)
    elif not _exchange(fresh, destination):
        destination.replace(old)
        fresh.replace(destination)
    for folder in (fresh, old):
        shutil.rmtree(folder, ignore_errors=True)


def finish_publishing(destination):
    """Give a site its place where `publish` was ended after it had moved the former one away."""
    fresh, old = _beside(destination)
    if old.exists() and not destination.exists():
        fresh.replace(destination)


def _beside(destination):
    """Return where the pages are that are to become a site, and those that were one."""
    return [destination.with_name(f".{destination.name}.{age}") for age in ("new", "old")]


def _exchange(first, second):
    """Exchange two folders in one step; return whether the system and the file system know how."""
    system, names = ctypes.CDLL(None), [os.fsencode(first), os.fsencode(second)]
    if hasattr(system, "renameat2"):  # Linux: AT_FDCWD, RENAME_EXCHANGE
        return system.renameat2(-100, names[0], -100, names[1], 2) == 0
    return hasattr(system, "renamex_np") and system.renamex_np(*names, 2) == 0  # macOS: RENAME_SWAP


def _translate(output, folder, positions):
    """Name the chapter's file and line where the output names the staged notebook and the position in its cell."""

    def source(match):
        path, position = match["path"], int(match["line"] or 0)
        cell, line = divmod(position, CELL_STRIDE)
        starts = positions.get(path, [])
        start = starts[cell - 1] if 0 < cell <= len(starts) else None
        text = f"{path.removesuffix('.ipynb')}.md"
        return f"{text}:{start + max(line - 2, 0)}" if start else text

    prefix = re.escape(f"{folder.resolve()}/")
    return re.sub(rf"{prefix}(?P<path>\S+?\.(?:ipynb|md))(?::(?P<line>\d+))?(?=[:\s]|$)", source, output)
