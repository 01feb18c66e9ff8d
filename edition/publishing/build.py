"""The whole way from the chapters to the published site."""

import click
import nbformat

from edition.book import WHOLE, book, chosen, parameters_at
from edition.claims import ledger
from edition.execution.all_chapters import execute, execute_all
from edition.files import write_atomically
from edition.publishing.pdf import check_tex, typeset
from edition.publishing.site import build_html, build_latex, finish_publishing, publish, stage

__all__ = ["build_book", "build_pdf", "execute_book", "run_alone"]


def execute_book(root, scale, build, *, jobs=2, names=(), part=WHOLE):
    """Execute the chapters that changed: of a part of the book, or of those that are named."""
    chapters = book(root, part)
    taken = [chosen(name, chapters, root=root) for name in names] or chapters.values()
    executable = [chapter for chapter in taken if chapter.is_executable()]
    return chapters, execute_all(executable, parameters_at(scale, chapters, root), build, jobs=jobs)


def build_book(root, scale, build, *, jobs=2, part=WHOLE):
    """Execute the chapters that changed, build the book or a part, and put it in place of the former one."""
    folder, destination = build / f"stage{_suffix(part)}-{scale}", site_folder(build, scale, part)
    finish_publishing(destination)
    positions = _execute_and_stage(root, scale, build, folder, jobs, part)
    click.echo("building the pages")
    publish(build_html(folder, positions), destination)
    return destination


def build_pdf(root, scale, build, *, jobs=2, part=WHOLE):
    """Execute the chapters that changed, typeset the book or a part, and put the PDF in place of the former one.

    Parameters are those of `build_book`.
    """
    check_tex()
    folder = build / f"stage-pdf{_suffix(part)}-{scale}"
    positions = _execute_and_stage(root, scale, build, folder, jobs, part)
    click.echo("typesetting")
    made = typeset(build_latex(folder, positions))
    return write_atomically(build / f"{made.stem}{_suffix(part, scale)}.pdf", made.read_bytes())


def run_alone(root, chapter, values, site):
    """Execute a chapter at some values, and publish it as a page of its own beside its notebook, which stays."""
    destination = site.with_suffix(".ipynb")
    finish_publishing(site)
    click.echo(f"executing {chapter.name}; no page of the book changes", err=True)
    try:
        execute(chapter, values, destination, report=bool(values))
    except Exception as error:
        if not hasattr(error, "failure"):
            raise
        raise RuntimeError(error.failure.describe(chapter.path.relative_to(root))) from None
    claims = ledger.collect({chapter.name: nbformat.read(destination, as_version=4)}, as_recorded=False)
    if other := [claim for claim in claims if claim["problem"]]:
        click.echo(f"{len(other)} of {len(claims)} claims come out differently, each with what it is stated for:")
    for claim in other:
        click.echo(f"  {claim['id']}: {claim['family']}")
    click.echo(f"the executed notebook: {destination}")
    folder = root / "_build" / "stage-run"
    pages = list(dict.fromkeys([chapter, book(root).get("bibliography", chapter)]))  # what the page cites
    positions = stage(pages, {chapter.name: destination}, folder, root=root, alone=values)
    publish(build_html(folder, positions, strict=False), site)
    click.echo(f"as a page: {site / 'index.html'}")


def _execute_and_stage(root, scale, build, folder, jobs, part):
    """Execute what changed and stage the book; return where the cells are in the chapters' texts."""
    chapters, results = execute_book(root, scale, build, jobs=jobs, part=part)
    stop_if_failed(results, chapters, root)
    paths = {name: result.path for name, result in results.items()}
    run = {"scale": scale, "chapters": results}
    return stage(list(chapters.values()), paths, folder, root=root, run=run, part=part)


def site_folder(build, scale="default", part=WHOLE):
    """Return where the site of a scale and a part is put."""
    return build / f"html{_suffix(part, scale)}"


def _suffix(part, scale="default"):
    """Return what tells a part and a scale from the whole book at the papers' values."""
    return f"-{part}" * (part != WHOLE) + f"-{scale}" * (scale != "default")


def stop_if_failed(results, chapters, root):
    """Raise an error that shows what failed, each chapter with its place."""
    failed = {name: result.failure for name, result in results.items() if result.failure}
    if failed:
        found = [failure.describe(chapters[name].path.relative_to(root)) for name, failure in failed.items()]
        summary = f"{len(failed)} of {len(results)} chapters failed: {', '.join(failed)}"
        raise RuntimeError("\n".join([*found, summary]))
