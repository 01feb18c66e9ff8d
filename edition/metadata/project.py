"""What the edition is called, whose it is, where it is found: all of it from pyproject.toml and references.bib.

``[project]`` says what every Python project says; ``[tool.edition]`` what it has no place for. Addresses, DOI and date
are optional: whatever shows them leaves out those that are not known.
"""

import re
import subprocess
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import quote, urlsplit

from pybtex.database import parse_file
from pybtex.exceptions import PybtexError

from edition.book import ROOT

__all__ = ["Author", "Metadata", "Paper", "binder", "hosted", "origin", "papers_at", "read"]

SOURCE = "pyproject.toml"
PROJECT = ("name", "version", "description", "requires-python", "keywords", "license", "authors")
REQUIRED = {"title": str, "abstract": str, "text-license": str, "papers": list, "year": int}
OPTIONAL = {"doi": str, "released": date, "people": dict}
PERSON = {"given", "family", "orcid", "affiliation"}
ADDRESSES = ("Repository", "Documentation")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_ARXIV = re.compile(r"\d{4}\.\d{4,5}")


@dataclass(frozen=True)
class Author:
    """An author: a person where the family name is known, otherwise a group."""

    name: str
    given: str | None = None
    family: str | None = None
    orcid: str | None = None
    affiliation: str | None = None

    @property
    def inverted(self):
        """The name with the family name first, as bibliographies sort it."""
        return f"{self.family}, {self.given}" if self.family else self.name


@dataclass(frozen=True)
class Paper:
    """A paper that is reproduced: an entry of references.bib."""

    key: str
    title: str
    authors: tuple
    year: int
    arxiv: str

    @property
    def url(self):
        """The address of its page."""
        return f"https://arxiv.org/abs/{self.arxiv}"


@dataclass(frozen=True)
class Metadata:
    """The metadata of the edition; what is not known is None."""

    name: str
    version: str
    description: str
    python: str
    keywords: tuple
    license: str
    text_license: str
    title: str
    abstract: str
    authors: tuple
    papers: tuple
    year: int
    repository: str | None = None
    site: str | None = None
    doi: str | None = None
    released: date | None = None


def read(root=ROOT):
    """Return the metadata of the edition.

    Raises
    ------
    ValueError
        Naming the entry of pyproject.toml that is missing, unknown or not as expected.
    """
    project, own = _tables(Path(root) / SOURCE)
    _check(own, project)
    addresses = project.get("urls", {})
    return Metadata(
        name=project["name"],
        version=project["version"],
        description=project["description"],
        python=project["requires-python"],
        keywords=tuple(project["keywords"]),
        license=project["license"],
        text_license=own["text-license"],
        title=own["title"],
        abstract=" ".join(own["abstract"].split()),
        authors=tuple(Author(one["name"], **own.get("people", {}).get(one["name"], {})) for one in project["authors"]),
        papers=papers_at(Path(root) / "references.bib", own["papers"]),
        year=own["released"].year if "released" in own else own["year"],
        repository=addresses.get("Repository"),
        site=addresses.get("Documentation"),
        doi=own.get("doi"),
        released=own.get("released"),
    )


def papers_at(path, keys):
    """Return the papers that have these keys in a BibTeX file.

    Raises
    ------
    ValueError
        Naming the key that the file does not have, or the entry that has no arXiv number; or if it is no BibTeX.
    """
    try:
        entries, found = parse_file(str(path)).entries, []
    except PybtexError as error:
        raise ValueError(f"{Path(path).name}: expected BibTeX, got something else ({error}); correct it") from None
    for key in keys:
        if key not in entries:
            raise ValueError(f"{Path(path).name}: expected an entry {key!r}, found {', '.join(sorted(entries))}")
        fields = entries[key].fields
        if not _ARXIV.fullmatch(number := fields.get("eprint", "")):
            raise ValueError(
                f"{Path(path).name}: {key}: expected eprint = {{NUMBER}} of arXiv, got {number!r}; give it"
            )
        names = [(" ".join(p.first_names), " ".join(p.last_names)) for p in entries[key].persons["author"]]
        authors = tuple(Author(f"{given} {family}", given, family) for given, family in names)
        found.append(Paper(key, fields["title"], authors, int(fields["year"]), number))
    return tuple(found)


def origin(root=ROOT):
    """Return what a build says of its origin: title, authors, version, addresses, and the commit of a checkout."""
    found = read(root)
    known = {
        "doi": found.doi,
        "url": found.site or found.repository,
        "repository": found.repository,
        "date-released": found.released and found.released.isoformat(),
        "commit": _commit(root),
    }
    shared = {"title": found.title, "authors": [author.inverted for author in found.authors], "version": found.version}
    shared["year"] = str(found.year)  # of the release, if it is known
    return shared | {key: value for key, value in known.items() if value}


def binder(repository, commit="HEAD", chapter="intro"):
    """Return the address at which Binder opens a chapter of a repository's commit as a notebook."""
    parts = urlsplit(repository.removesuffix("/").removesuffix(".git"))
    place = f"gh{parts.path}" if parts.netloc == "github.com" else f"git/{quote(parts.geturl(), safe='')}"
    return f"https://mybinder.org/v2/{place}/{commit}?urlpath=lab/tree/chapters/{chapter}.md"


def hosted(shared, path, line=None):
    """Return the address of a file where the project is hosted, None where that is not known.

    Parameters
    ----------
    shared : dict
        What `origin` returns.
    path : str
        The file's, in the repository.
    line : int, optional
        One that the address is to lead to; a text is then shown as it is written, so that its lines can be counted.

    Examples
    --------
    >>> hosted({"repository": "https://github.com/a/b", "commit": "1f2e with changes"}, "chapters/intro.md", 12)
    'https://github.com/a/b/blob/1f2e/chapters/intro.md?plain=1#L12'
    """
    if "repository" not in shared:
        return None
    address = f"{shared['repository']}/blob/{shared.get('commit', 'HEAD').split()[0]}/{path}"
    return address if line is None else f"{address}?plain=1#L{line}"


def _tables(path):
    """Return ``[project]`` and ``[tool.edition]`` of pyproject.toml."""
    try:
        source = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{SOURCE}: expected TOML, got something else ({error}); correct it") from None
    tools = source.get("tool", {})
    found = {"[project]": source.get("project", {}), "[tool]": tools}
    found["[tool.edition]"] = tools.get("edition", {}) if isinstance(tools, dict) else {}
    for name, table in found.items():
        if not isinstance(table, dict):
            raise ValueError(f"{SOURCE}: expected a table {name}, got {table!r}; correct it")
    return found["[project]"], found["[tool.edition]"]


def _check(own, project):
    """Refuse entries of ``[tool.edition]`` that are missing, unknown or of the wrong form."""
    place, known = f"{SOURCE}: [tool.edition]", REQUIRED | OPTIONAL
    if missing := [key for key in PROJECT if key not in project]:
        raise ValueError(f"{SOURCE}: [project]: {', '.join(missing)} missing; give a value")
    for key in sorted(REQUIRED.keys() - own.keys()):
        raise ValueError(f"{place}: {key} is missing; give it ({_kind(REQUIRED[key])})")
    for key, value in own.items():
        if key not in known:
            raise ValueError(f"{place}: unknown entry {key!r}; known: {', '.join(known)}")
        if not isinstance(value, known[key]):
            raise ValueError(f"{place}: {key}: expected {_kind(known[key])}, got {value!r}")
    if "doi" in own and not _DOI.fullmatch(own["doi"]):
        raise ValueError(f"{place}: doi: expected 10.NUMBER/NAME without an address before it, got {own['doi']!r}")
    names = [author["name"] for author in project["authors"]]
    for name, person in own.get("people", {}).items():
        if name not in names:
            raise ValueError(f"{place}: people: {name!r} is none of the authors of [project]: {', '.join(names)}")
        _check_person(person, f"{place}: people: {name}")
    for key in ADDRESSES:
        if not (value := project.get("urls", {}).get(key, "https://")).startswith("https://"):
            raise ValueError(f"{SOURCE}: [project.urls] {key}: expected an address with https://, got {value!r}")


def _check_person(person, place):
    """Refuse a person without a name, with an entry that has no place in the files, or with a mistyped ORCID."""
    if unknown := sorted(person.keys() - PERSON):
        raise ValueError(f"{place}: unknown entry {unknown[0]!r}; known: {', '.join(sorted(PERSON))}")
    if not {"given", "family"} <= person.keys():
        raise ValueError(f"{place}: expected given and family, got {', '.join(person) or 'nothing'}")
    if "orcid" in person and not _ORCID.fullmatch(person["orcid"]):
        raise ValueError(f"{place}: orcid: expected 0000-0000-0000-0000, got {person['orcid']!r}")


def _kind(kind):
    names = {str: "a text", int: "a number", list: "a list of keys of references.bib", dict: "a table"}
    return names.get(kind, "a date, YYYY-MM-DD")


def _commit(root):
    """Return the commit of a checkout, with a note if files differ from it, and None outside of a checkout."""
    git = ["git", "-C", str(root)]
    try:
        top, commit = subprocess.run([*git, "rev-parse", "--show-toplevel", "HEAD"], **_TEXT).stdout.split("\n")[:2]
        changed = subprocess.run([*git, "status", "--porcelain"], **_TEXT).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{commit}{' with changes' if changed else ''}" if Path(top) == Path(root).resolve() else None


_TEXT = {"check": True, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
