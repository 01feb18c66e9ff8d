"""The claims that a text states, found as MyST finds them on a page: in whatever fence, and in other directives."""

from functools import cache

from docutils.parsers.rst import Directive
from docutils.parsers.rst.directives import unchanged
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.directives import MarkupError, parse_directive_text
from myst_parser.parsers.mdit import create_md_parser

from edition.book import ROOT, read_yaml
from edition.claims.claim import OPTIONS, stated

__all__ = ["ClaimText", "statements"]

LITERAL = {"code", "code-block", "code-cell", "eval-rst", "math", "parsed-literal", "raw", "raw-cell", "sourcecode"}


class ClaimText(Directive):
    """The text of the directive ``claim``: an id, options, and the statement."""

    required_arguments = 1
    has_content = True
    option_spec = dict.fromkeys(OPTIONS, unchanged)

    @staticmethod
    def stated(arguments, options, lines):
        """Return the claim, still without evidence."""
        return stated(arguments[0], "\n".join(lines), **({"kind": ""} | options))


def statements(text):
    """Return the claims that a text in Markdown states, in their order, still without evidence."""
    found = []
    for token in _blocks().parse(text):
        name, _, argument = token.info.strip().partition(" ")
        if token.type not in ("fence", "colon_fence") or name.strip("{}") in LITERAL:
            continue
        if name == "{claim}":
            found.append(_claim(argument.strip(), token.content))
        elif name.startswith("{") or token.type == "colon_fence":
            found += statements(token.content)
    return found


def _claim(argument, content):
    try:
        read = parse_directive_text(ClaimText, argument, content)
    except MarkupError as error:
        raise ValueError(f"claim {argument}: {error}") from None
    if read.warnings:
        told = "; ".join(warning.msg for warning in read.warnings)
        raise ValueError(f"{argument}: expected options among {', '.join(OPTIONS)}, got something else ({told})")
    return ClaimText.stated(read.arguments, read.options, read.body)


@cache
def _blocks():
    """Return the book's parser of Markdown, for blocks alone."""
    extensions = read_yaml(ROOT / "_config.yml")["parse"]["myst_enable_extensions"]
    parser = create_md_parser(MdParserConfig(enable_extensions=set(extensions)), RendererHTML)
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
