"""Progress: lines where there is no terminal, one per chapter, with what it took and whether it failed."""

from types import SimpleNamespace

from edition.execution.all_chapters import Result
from edition.execution.one_chapter import Failure
from edition.execution.progress import Progress


def test_each_chapter_has_its_line(capsys):
    with Progress(3, cached=1) as progress:
        progress.report(SimpleNamespace(name="one"), Result(seconds=2.54))
        progress.report(SimpleNamespace(name="two"), Result(failure=Failure("an error", 1, 1, "")))
    assert capsys.readouterr().out.splitlines() == [
        "chapters: 1 of 3 unchanged",
        "[2/3] one: done in 2.5 s",
        "[3/3] two: failed",
    ]
