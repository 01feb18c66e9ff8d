"""The claims of a text: the ledger finds the same as the page."""

import pytest
from docutils.core import publish_doctree
from docutils.parsers.rst import directives
from myst_parser.docutils_ import Parser

from edition.claims.claim import Claim
from edition.claims.statements import statements
from edition.sphinx_ext.claim_nodes import ClaimList, claim

TEXT = r"""Before.

:::{claims}
- linear/eq-20 (identity, holds with a correction): It is $\kappa$: one (or two).
  Here: Twice $\kappa$.
  Evidence: by layer; by lag.
:::

Between.

:::{claims}
- beyond/own (result, this book, Figure (2)): It adds up.
- layers/eq-1 (identity): So does this.
- linear/sec-3/many (observation, not testable as stated, paper 1, Section 3): There are many.
  Why: How many?
:::
"""
MADE = "{claims}\n- beyond/own (result): It adds up.\n"


def test_the_claims_of_a_text_are_read_with_their_options_in_their_order():
    assert statements(TEXT) == [
        Claim(
            "linear/eq-20",
            r"It is $\kappa$: one (or two).",
            "paper 1, Equation (20)",
            "identity",
            "holds with a correction",
            r"Twice $\kappa$.",
            quantity="by layer; by lag",
        ),
        Claim("beyond/own", "It adds up.", "this book, Figure (2)", "result", "holds"),
        Claim("layers/eq-1", "So does this.", "paper 2, Equation (1)", "identity", "holds"),
        Claim(
            "linear/sec-3/many",
            "There are many.",
            "paper 1, Section 3",
            "observation",
            "not testable as stated",
            "How many?",
        ),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *((f"{fence}{MADE}{fence}\n", 1) for fence in (":::", "::::", "```", "`````", "~~~")),
        (f":::{MADE}- beyond/other (result): This, too.\n:::\n", 2),
        (f":::{MADE}", 1),  # a fence that is not closed ends with the text
        (f"- A list.\n\n  :::{MADE}  :::\n".replace("\n- b", "\n  - b"), 1),
        (f"::::{{note}}\n:::{MADE}:::\n\n:::{MADE.replace('own', 'other')}:::\n::::\n", 2),
        (f"````{{container}}\nText.\n\n```{MADE}```\n````\n", 1),
        (f"::::{{note}}\n````{{code-block}} md\n:::{MADE}:::\n````\n::::\n", 0),
        (f"::::\n:::{MADE}:::\n::::\n", 1),
        (f"````md\n:::{MADE}:::\n````\n", 0),
        (f"````\n:::{MADE}:::\n````\n", 0),
        (f"````{{code}} md\n:::{MADE}:::\n````\n", 0),
        (f"Text\n\n    :::{MADE}".replace("\n- b", "\n    - b"), 0),
        (f"<div>\n:::{MADE}", 0),
    ],
)
def test_the_ledger_counts_what_stands_on_the_page(text, count, monkeypatch):
    monkeypatch.setitem(directives._directives, "claims", ClaimList)
    settings = {"myst_enable_extensions": ["colon_fence"], "report_level": 5}
    page = publish_doctree(text, parser=Parser(), settings_overrides=settings)
    shown = [node["record"]["id"] for node in page.findall(claim)]
    assert [found.id for found in statements(text)] == shown
    assert len(shown) == count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":kind: result\n\n- linear/prop-3 (result): So.", "got ':kind: result'"),
        ("Words.", "expected '- part/name .*got 'Words.'"),
        ("- linear/prop-3: So.", "expected '- part/name .*got '- linear/prop-3: So.'"),
        ("- linear/prop-3 (result): So,\n  and on.", "Evidence:.*got '  and on.'"),
        ("- linear/prop-3 (result): So.\nEvidence: two.", "indented.*got 'Evidence: two.'"),
        ("- linear/prop-3 (result): So.\n  Evidence: one.\n  Evidence: two.", "once.*got '  Evidence: two.'"),
        ("- linear/prop-3 (result):", "got '- linear/prop-3"),
        ("- linear/prop-3 (insight): So.", "linear/prop-3: expected a kind among .*got 'insight'"),
        ("- linear/prop-3 (result): So.\n  Here: Not so.", "linear/prop-3: expected no 'Here:'.*got 'Not so.'"),
        ("- linear/prop-3 (result, does not hold): So.", "linear/prop-3: expected a line 'Here:'.*got None"),
    ],
)
def test_what_is_no_claim_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        statements(f":::{{claims}}\n{text}\n:::\n")
