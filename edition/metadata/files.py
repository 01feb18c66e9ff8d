"""The files by which others cite, archive and index the edition, written from its metadata."""

import json
import re
from pathlib import Path

import yaml

from capacity._files import write_atomically
from edition.book import ROOT
from edition.metadata.project import binder, read

__all__ = ["differing", "files", "write"]

MESSAGE = "Please cite the papers for the ideas, and this edition for its computations, corrections and code."
README = "README.md"
BADGES = re.compile(r"(?<=<!-- badges -->\n).*?(?=<!-- /badges -->)", re.DOTALL)


def files(root=ROOT):
    """Return the text of each file that repeats the metadata, by its name."""
    found = read(root)
    header = "# Written by `make metadata` from pyproject.toml and references.bib.\n"
    texts = {
        "CITATION.cff": header + yaml.safe_dump(cff(found), sort_keys=False, allow_unicode=True, width=120),
        ".zenodo.json": _as_json(zenodo(found)),
        "codemeta.json": _as_json(codemeta(found)),
    }
    readme = Path(root) / README
    if readme.exists():
        texts[README] = BADGES.sub(lambda _: badges(found), readme.read_text(encoding="utf-8"))
    return texts


def differing(root=ROOT):
    """Return the names of the files that do not say what the metadata say."""
    paths = {name: (Path(root) / name, text) for name, text in files(root).items()}
    return [name for name, (path, text) in paths.items() if not path.exists() or path.read_text("utf-8") != text]


def write(root=ROOT):
    """Write the files that differ and return their names."""
    names, texts = differing(root), files(root)
    for name in names:
        write_atomically(Path(root) / name, texts[name])
    return names


def cff(found):
    """Return the content of CITATION.cff, Citation File Format 1.2.0."""
    return _known(
        {
            "cff-version": "1.2.0",
            "message": MESSAGE,
            "type": "software",
            "title": found.title,
            "abstract": found.abstract,
            "authors": [_cff_author(author) for author in found.authors],
            "version": found.version,
            "date-released": found.released,
            "doi": found.doi,
            "license": found.license,  # that of the code: a list would mean that one may choose
            "repository-code": found.repository,
            "url": found.site,
            "keywords": list(found.keywords),
            "references": [
                {
                    "type": "article",
                    "title": paper.title,
                    "authors": [_cff_author(author) for author in paper.authors],
                    "year": paper.year,
                    "identifiers": [{"type": "other", "value": f"arXiv:{paper.arxiv}"}],
                    "url": paper.url,
                }
                for paper in found.papers
            ],
        }
    )


def zenodo(found):
    """Return the content of .zenodo.json, from which Zenodo fills in the record of a release."""
    creators = [
        _known({"name": author.inverted, "affiliation": author.affiliation, "orcid": author.orcid})
        for author in found.authors
    ]
    return _known(
        {
            "upload_type": "software",
            "title": found.title,
            "description": f"<p>{found.abstract}</p>",
            "creators": creators,
            "version": found.version,
            "publication_date": found.released and found.released.isoformat(),
            "access_right": "open",
            "license": found.license,
            "notes": f"Code: {found.license}. Text and figures of the chapters: {found.text_license}.",
            "language": "eng",
            "keywords": list(found.keywords),
            "related_identifiers": [
                {
                    "identifier": f"arXiv:{paper.arxiv}",
                    "relation": "isDerivedFrom",
                    "resource_type": "publication-preprint",
                    "scheme": "arxiv",
                }
                for paper in found.papers
            ],
        }
    )


def codemeta(found):
    """Return the content of codemeta.json, CodeMeta 3.0."""
    return _known(
        {
            "@context": "https://w3id.org/codemeta/3.0",
            "type": "SoftwareSourceCode",
            "identifier": found.doi and f"https://doi.org/{found.doi}",
            "name": found.title,
            "description": found.abstract,
            "author": [_codemeta_author(author) for author in found.authors],
            "version": found.version,
            "datePublished": found.released and found.released.isoformat(),
            "license": f"https://spdx.org/licenses/{found.license}",
            "codeRepository": found.repository,
            "url": found.site,
            "programmingLanguage": "Python",
            "runtimePlatform": f"Python {found.python}",
            "keywords": list(found.keywords),
            "referencePublication": [
                {"id": paper.url, "type": "schema:ScholarlyArticle", "name": paper.title} for paper in found.papers
            ],
        }
    )


def badges(found):
    """Return the badges that open the README: those whose address is known."""
    shown = []
    if found.repository:
        shown.append(f"[![Binder](https://mybinder.org/badge_logo.svg)]({binder(found.repository)})")
    if found.doi:
        shown.append(f"[![DOI](https://zenodo.org/badge/DOI/{found.doi}.svg)](https://doi.org/{found.doi})")
    return "".join(f"{badge}\n" for badge in shown)


def _cff_author(author):
    if not author.family:
        return {"name": author.name}
    orcid = author.orcid and f"https://orcid.org/{author.orcid}"
    person = {"family-names": author.family, "given-names": author.given, "orcid": orcid}
    return _known(person | {"affiliation": author.affiliation})


def _codemeta_author(author):
    if not author.family:
        return {"type": "Organization", "name": author.name}
    affiliation = author.affiliation and {"type": "Organization", "name": author.affiliation}
    person = {"type": "Person", "id": author.orcid and f"https://orcid.org/{author.orcid}"}
    return _known(person | {"givenName": author.given, "familyName": author.family, "affiliation": affiliation})


def _known(fields):
    return {key: value for key, value in fields.items() if value is not None}


def _as_json(content):
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
