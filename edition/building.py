"""The whole way from the chapters to the published site."""

import click

from edition.chapters import book, parameters_at
from edition.execute import execute_all
from edition.inspection import missing_pages
from edition.site import build_html, publish, stage

__all__ = ["build_book", "execute_book"]


def execute_book(root, scale, build, *, jobs=2):
    """Execute the chapters that changed.

    Returns
    -------
    chapters : dict
        All chapters by name, those without code too.
    results : dict
        The `edition.execute.Result` of each chapter with code, some of which may be failures.
    """
    chapters = book(root)
    executable = [chapter for chapter in chapters.values() if chapter.is_executable()]
    return chapters, execute_all(executable, parameters_at(scale, chapters, root), build, jobs=jobs, root=root)


def build_book(root, scale, build, *, jobs=2):
    """Execute the chapters that changed, build the book, and put it in place of the former one.

    Parameters
    ----------
    root : Path
        The folder of the book.
    scale : str
        One of `edition.chapters.SCALES`.
    build : Path
        The folder of everything that is made.
    jobs : int
        How many chapters run at once.

    Returns
    -------
    Path
        The folder of the site.

    Raises
    ------
    ValueError, RuntimeError
        If a chapter fails, with the place of each that does, or if the pages cannot be built.
    """
    chapters, results = execute_book(root, scale, build, jobs=jobs)
    stop_if_failed(results, chapters, root)
    click.echo("building the pages")
    folder = build / f"stage-{scale}"
    paths = {name: result.path for name, result in results.items()}
    positions = stage(list(chapters.values()), paths, folder, root=root, run={"scale": scale, "chapters": results})
    html = build_html(folder, positions)
    if missing := missing_pages(chapters.values(), html):
        raise RuntimeError(f"pages missing: {', '.join(map(str, missing))}")
    destination = site_folder(build, scale)
    publish(html, destination)
    return destination


def site_folder(build, scale="default"):
    """Return where the site of a scale is put."""
    return build / ("html" if scale == "default" else f"html-{scale}")


def stop_if_failed(results, chapters, root):
    """Raise an error that shows what failed, each chapter with its place.

    Raises
    ------
    RuntimeError
        If a chapter failed.
    """
    failed = {name: result.failure for name, result in results.items() if result.failure}
    if failed:
        found = [failure.describe(chapters[name].path.relative_to(root)) for name, failure in failed.items()]
        summary = f"{len(failed)} of {len(results)} chapters failed: {', '.join(failed)}"
        raise RuntimeError("\n".join([*found, summary]))
