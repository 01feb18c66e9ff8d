"""A book is built only if all its pages are there; that a killed build is resumed is tested with its reproduction."""

from types import SimpleNamespace

from edition.publishing.build import missing_pages


def test_a_page_that_is_missing_or_empty_is_noticed(tmp_path):
    names = ("one", "two", "three")
    pages = [tmp_path / "index.html", *(tmp_path / "chapters" / f"{name}.html" for name in names)]
    (tmp_path / "chapters").mkdir()
    for path in pages:
        path.write_text("words")
    pages[1].write_text("")
    pages[2].unlink()
    assert missing_pages([SimpleNamespace(name=name) for name in names], tmp_path) == pages[1:3]
