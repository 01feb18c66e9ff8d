"""The sentences of a source: formulas inside, footnotes and captions apart, and a hash that ignores typesetting."""

from edition.claims.sentences import digest, sentences

TEXT = """# A title

# **1** First things

By Eq. (3), i.e. the bound, we get
$$x = 1. \\quad Y$$ (4)
where $x$ counts. It holds.

<sup>1</sup>A footnote. Figure 2: A caption
over two lines.

- (i) one item,
- (ii) another.

# 2.1Second

$$a = b$$ (5) This follows.

# References

[1] Somebody. A book.
"""


def test_the_sentences_of_each_section_in_order():
    found = [(s.section, s.number, s.text) for s in sentences(TEXT)]
    assert found == [
        ("1", 1, "By Eq. (3), i.e. the bound, we get $$x = 1. \\quad Y$$ (4) where $x$ counts."),
        ("1", 2, "It holds."),
        ("1", 3, "<sup>1</sup>A footnote."),
        ("1", 4, "Figure 2: A caption over two lines."),
        ("1", 5, "- (i) one item,"),
        ("1", 6, "- (ii) another."),
        ("2.1", 1, "$$a = b$$ (5)"),
        ("2.1", 2, "This follows."),
    ]


def test_the_hash_depends_on_letters_and_digits_only():
    assert digest("It  **holds**, 3 times.") == digest("it holds 3 times")
    assert digest("It holds.") != digest("It held.")
    assert len(digest("x")) == 12
