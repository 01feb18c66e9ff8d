"""The sentences of a source: what the coverage of the papers is counted in.

The sources themselves are not part of this project. Each sentence is named by its section and a hash, so that whoever
has the text can count again.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

__all__ = ["Sentence", "digest", "sentences"]

_TITLE = r"(?:\d+(?:\.\d+)*|[A-D](?:\.\d+)?)\.? [A-Z][^.:;]{2,70}"
_HEADING = re.compile(rf"#+\s+(?P<marked>.*)|(?:Appendix )?(?P<bare>{_TITLE}|Abstract|References)")
_NUMBER = re.compile(r"(\d+(?:\.\d+)*|[A-D](?:\.\d+)*)\.?(?=\s|[A-Z][a-z])")
_END = re.compile(r"(?:(?<=[.!?:])(?:['\")\]*”’]+|\$+)?|(?<=\$\$)(?: \(\d+\))?)\s+(?=[\"'“(*\[$\\]*[A-Z])")
_APART = re.compile(r"\s*(?:<sup>|- |Figure \d|!\[|\*\*|---)")  # footnotes, items, captions, run-in titles
_SHORT = r"e\.g|i\.e|cf|Eqs?|Figs?|Secs?|al|resp|vs|etc|approx|Prop|Def|Thm|App|pp?|No|Ref|w\.r\.t"
_ABBREVIATION = re.compile(rf"(?:\b(?:{_SHORT})\.|Figure \d+:|\b[A-Z]\.)$")


@dataclass(frozen=True)
class Sentence:
    """One sentence: the section that it stands in, its place there from 1, and its text."""

    section: str
    number: int
    text: str

    @property
    def digest(self):
        """The hash that names the sentence."""
        return digest(self.text)


def digest(text):
    """Return twelve hexadecimal digits that depend on the letters and digits of a text only."""
    return sha256("".join(filter(str.isalnum, text.casefold())).encode()).hexdigest()[:12]


def sentences(source):
    """Return the sentences of a source in Markdown or plain text, in their order, without its bibliography.

    Headings begin sections and are no sentences; displayed formulas belong to the sentence that they stand in.
    """
    found, section, block, numbers = [], "front matter", [], {}
    for line in [*source.splitlines(), "# end"]:
        heading = _HEADING.fullmatch(line.strip())
        if not heading:
            block.append(line)
            continue
        for text in _split("\n".join(block)):
            numbers[section] = numbers.get(section, 0) + 1
            found.append(Sentence(section, numbers[section], text))
        title, block = (heading["marked"] or heading["bare"]).replace("*", " ").strip(), []
        number = _NUMBER.match(title)
        section = number[1] if number else title
    return [sentence for sentence in found if sentence.section.casefold() != "references"]


def _split(text):
    """Return the sentences of a run of paragraphs."""
    paragraphs = re.split(r"\n\s*\n|\n(?=- )", text)
    runs = [[]]
    for paragraph in paragraphs:
        runs += [[]] if _APART.match(paragraph) else []
        runs[-1].append(paragraph)
    return [sentence for run in runs for sentence in _ends(" ".join(" ".join(run).split()))]


def _ends(flat):
    """Return the sentences of one line."""
    pieces, start = [], 0
    for match in _END.finditer(flat):
        before = flat[start : match.start()]
        if _ABBREVIATION.search(before) or before.count("$") % 2:
            continue
        pieces.append(flat[start : match.end()].strip())
        start = match.end()
    return [piece for piece in [*pieces, flat[start:].strip()] if any(map(str.isalnum, piece))]
