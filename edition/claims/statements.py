"""The claims that a text states, found as MyST finds them on a page: in whatever fence, and in other directives."""

import re
from functools import cache

from docutils.parsers.rst import Directive
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.directives import parse_directive_text
from myst_parser.parsers.mdit import create_md_parser

from edition.book import ROOT, read_yaml
from edition.claims.claim import HOLDS, NOTES, VERDICTS, stated

__all__ = ["ClaimsText", "listed", "statements"]

LITERAL = {"code", "code-block", "code-cell", "eval-rst", "math", "parsed-literal", "raw", "raw-cell", "sourcecode"}
FIRST = re.compile(r"- (\S+) \((.+?)\): (\S.*)")
FURTHER = {"Evidence:": "quantity", "For:": "family"} | dict.fromkeys(NOTES.values(), "correction")


class ClaimsText(Directive):
    """The text of the directive ``claims``: a list of statements."""

    has_content = True


def listed(lines):
    """Return the claims of a list, still without evidence.

    >>> listed(["- linear/eq-6 (identity): It adds up.", "  Evidence: ten draws."])[0].quantity
    'ten draws'
    """
    found = []
    for line in filter(str.strip, lines):
        word, _, text = line.strip().partition(" ")
        if match := FIRST.fullmatch(line.rstrip()):
            kind, *source = match[2].split(", ")
            verdict = source.pop(0) if source and source[0] in VERDICTS else HOLDS
            more = {"kind": kind, "verdict": verdict, "source": ", ".join(source) or None}
            found.append((match[1], match[3], more))
        elif found and line.startswith("  ") and text and (name := FURTHER.get(word)) and name not in found[-1][2]:
            found[-1][2][name] = text.strip()
        else:
            raise ValueError(
                "claims: expected '- part/name (kind, verdict if it does not simply hold, source): statement', and "
                f"below it, indented, each once, {', '.join(map(repr, FURTHER))}; got {line!r}"
            )
    return [stated(id, text, **more) for id, text, more in found]


def statements(text):
    """Return the claims that a text in Markdown states, in their order, still without evidence."""
    found = []
    for token in _blocks().parse(text):
        name, _, argument = token.info.strip().partition(" ")
        if token.type not in ("fence", "colon_fence") or name.strip("{}") in LITERAL:
            continue
        if name == "{claims}":
            found += listed(parse_directive_text(ClaimsText, argument.strip(), token.content).body)
        elif name.startswith("{") or token.type == "colon_fence":
            found += statements(token.content)
    return found


@cache
def _blocks():
    """Return the book's parser of Markdown, for blocks alone."""
    extensions = read_yaml(ROOT / "_config.yml")["parse"]["myst_enable_extensions"]
    parser = create_md_parser(MdParserConfig(enable_extensions=set(extensions)), RendererHTML)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
