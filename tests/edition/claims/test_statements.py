"""The claims of a text: the ledger finds the same as the page."""

import pytest
from docutils.core import publish_doctree
from docutils.parsers.rst import directives
from myst_parser.docutils_ import Parser

from edition.claims.claim import Claim
from edition.claims.statements import statements
from edition.sphinx_ext.claim_nodes import ClaimDirective, claim

TEXT = r"""Before.

:::{claim} linear/eq-20
:kind: identity
:verdict: holds with a correction

It is $\kappa$,
in two lines.

Twice $\kappa$.
:::

Between.

:::{claim} beyond/own
:kind: result
:source: this book, by hand

It adds up.
:::
"""
MADE = "{claim} beyond/own\n:kind: result\n\nIt adds up.\n"


def test_the_claims_of_a_text_are_read_with_their_options_in_their_order():
    assert statements(TEXT) == [
        Claim(
            "linear/eq-20",
            r"It is $\kappa$, in two lines.",
            "paper 1, Equation (20)",
            "identity",
            "holds with a correction",
            r"Twice $\kappa$.",
        ),
        Claim("beyond/own", "It adds up.", "this book, by hand", "result", "holds"),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *((f"{fence}{MADE}{fence}\n", 1) for fence in (":::", "::::", "```", "`````", "~~~")),
        ("```{claim} beyond/own\n---\nkind: result\n---\n\nIt adds up.\n```\n", 1),
        (f":::{MADE}", 1),  # a fence that is not closed ends with the text
        (f"- A list.\n\n  :::{MADE}  :::\n".replace("\n:kind", "\n  :kind").replace("\nIt", "\n  It"), 1),
        (f"::::{{note}}\n:::{MADE}:::\n\n:::{MADE.replace('own', 'other')}:::\n::::\n", 2),
        (f"````{{container}}\nText.\n\n```{MADE}```\n````\n", 1),
        (f"::::{{note}}\n````{{code-block}} md\n:::{MADE}:::\n````\n::::\n", 0),
        (f"::::\n:::{MADE}:::\n::::\n", 1),
        (f"````md\n:::{MADE}:::\n````\n", 0),
        (f"````\n:::{MADE}:::\n````\n", 0),
        (f"````{{code}} md\n:::{MADE}:::\n````\n", 0),
        (f"Text\n\n    :::{MADE}".replace("\n:kind", "\n    :kind"), 0),
        (f"<div>\n:::{MADE}".replace("\n\n", "\n"), 0),
    ],
)
def test_the_ledger_counts_what_stands_on_the_page(text, count, monkeypatch):
    monkeypatch.setitem(directives._directives, "claim", ClaimDirective)
    settings = {"myst_enable_extensions": ["colon_fence"], "report_level": 5}
    page = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    shown = [node["record"]["id"] for node in page.findall(claim)]
    assert [found.id for found in statements(text)] == shown
    assert len(shown) == count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":::{claim} linear/prop-3\n:sort: result\n\nIt adds up.\n:::\n", "linear/prop-3: .*among kind.*sort"),
        (":::{claim}\n:kind: result\n\nIt adds up.\n:::\n", "claim.*1 argument"),
        (":::{claim} linear/prop-3 linear/prop-4\n:kind: result\n\nIt adds up.\n:::\n", "linear/prop-3.*1 argument"),
    ],
)
def test_what_is_no_claim_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        statements(text)
