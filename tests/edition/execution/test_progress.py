"""Progress: lines where there is no terminal, one per chapter, with what it took and whether it failed."""

from edition.execution.progress import Progress


def test_each_chapter_has_its_line(capsys):
    with Progress(3, cached=1) as progress:
        progress.report("one", failed=False, seconds=2.54)
        progress.report("two", failed=True, seconds=None)
    assert capsys.readouterr().out.splitlines() == [
        "chapters: 1 of 3 unchanged",
        "[2/3] one: done in 2.5 s",
        "[3/3] two: failed",
    ]
