"""Folding of code: on a page, claims and figures stand in the text, and the code behind each is one click away."""

from edition.claims.claim import MIME

__all__ = ["fold"]


def fold(notebook):
    """Mark the cells of an executed notebook that show a figure or claims, so that their code starts out folded.

    Other cells keep their code in sight: it is what the page is about.
    """
    for cell in notebook.cells:
        kinds = [kind for output in cell.get("outputs", []) for kind in output.get("data", {})]
        figures, claims = (kinds.count(kind) for kind in ("image/svg+xml", MIME))
        shown = _many("figure", figures) + _many("claim", claims)
        if shown:
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "hide-input"]
            prompts = {
                f"code_prompt_{verb.lower()}": f"{verb} the code of {' and '.join(shown)}" for verb in ("Show", "Hide")
            }
            cell.metadata["mystnb"] = cell.metadata.get("mystnb", {}) | prompts


def _many(word, count):
    return [] if count == 0 else [f"this {word}"] if count == 1 else [f"these {word}s"]
