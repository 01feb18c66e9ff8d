"""What pages say of each other: where it changes, all pages are written anew, not only those that were read again.

A link shows the title or the number of what it leads to, the contents beside each page name all others, and numbers
count on from page to page. Sphinx writes again only what it read again and the pages that list it.
"""

from hashlib import sha256

__all__ = ["referred"]

DOMAINS = {"std": ("labels", "anonlabels", "objects", "terms"), "math": ("objects",), "py": ("objects",)}


def referred(env):
    """Return a digest of what pages may show of others: titles, sections, names, numbers, and citations.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        When all pages are read and numbered.

    Returns
    -------
    str
    """
    pages = sorted(env.found_docs)
    shown = [
        [(page, env.titles[page].astext(), env.tocs[page].pformat()) for page in pages],
        [sorted(map(repr, env.domaindata[name][part].items())) for name, parts in DOMAINS.items() for part in parts],
        sorted(map(repr, env.toc_fignumbers.items())),
        [sorted(repr(item) for item in getattr(env, name, {}).items()) for name in ("proof_list", "edition_labels")],
        sorted((name, entry["docname"], str(entry.get("title"))) for name, entry in _exercises(env)),
        sorted({(ref.docname, target.key) for ref in _citations(env) for target in ref.targets}),
    ]
    return sha256(repr(shown).encode()).hexdigest()


def _exercises(env):
    return getattr(env, "sphinx_exercise_registry", {}).items()


def _citations(env):
    return env.domaindata.get("cite", {}).get("citation_refs", [])


def written_anew(app, env):
    """Ask for all pages where what they say of each other changed since the former build, for the first one otherwise.

    Where Sphinx has no page to write it copies no files either, and the style sheets that a build begins without
    (`edition.publishing.former`) would be missing.
    """
    before, env.edition_referred = getattr(env, "edition_referred", None), referred(env)
    return sorted(env.found_docs) if before not in (None, env.edition_referred) else [app.config.root_doc]


def setup(app):
    """Register the extension; others give the numbers at the same event, before."""
    app.connect("env-get-updated", written_anew, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
