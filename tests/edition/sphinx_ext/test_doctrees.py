"""What is only looked at is read from the disk once."""

from docutils.utils import new_document

from edition.sphinx_ext.doctrees import doctree_to_look_at


class Environment:
    """A Sphinx environment that notes which pages are read."""

    def __init__(self):
        self.read = []

    def get_doctree(self, docname):
        """Return a doctree of its own to whoever asks, as Sphinx does."""
        self.read.append(docname)
        return new_document(docname)


def test_each_doctree_of_a_book_is_read_once():
    first, second = Environment(), Environment()
    pages = [doctree_to_look_at(env, name) for env in (first, second) for name in ("one", "two", "one")]
    assert [page["source"] for page in pages] == ["one", "two", "one"] * 2
    assert pages[0] is pages[2]
    assert pages[0] is not pages[3]
    assert first.read == second.read == ["one", "two"]
