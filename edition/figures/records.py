"""The figures of the executed chapters: what each shows, where it comes from, and the files that a reader can take.

A figure is a code cell that shows one image and names it in its metadata (``mystnb: figure: name, caption`` and
``image: alt``).
"""

import ast
import json
import re
from base64 import b64decode
from itertools import takewhile
from pathlib import Path

from capacity_studies.notebook.capture import IMAGE, LIVE, MIME, PRINT, SLIDER
from edition.chapter_text import declared
from edition.figures.table import to_csv
from edition.parameters import line_to_run

__all__ = ["collect", "described", "to_json", "write_files"]

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # it becomes the name of files, an anchor and part of a page
SIZE = re.compile(rb'<svg [^>]*width="([\d.]+)(pt)?" height="([\d.]+)')
TITLE = re.compile(r"\*\*([^*]+)\*\*")
HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)


def described(cell, place):
    """Return the name, caption, title and alternative text of a figure's cell; `place` says where one is missing.

    The title is what the caption begins with, in bold.
    """
    options = cell.metadata.get("mystnb", {})
    given = options.get("figure", {}) | options.get("image", {})
    found = {key: " ".join(str(given.pop(key, None) or "").split()) for key in ("name", "caption", "alt")}
    if given:
        raise ValueError(
            f"{place}: expected name, caption and alt of a figure, got {', '.join(given)} too; "
            "what is said of the cell, such as varies, stands beside mystnb"
        )
    if missing := [key for key, text in found.items() if not text]:
        raise ValueError(
            f"{place}: this figure has no {' and no '.join(missing)}; give it in the cell's mystnb metadata"
        )
    if not NAME.fullmatch(found["name"]):
        raise ValueError(f"{place}: expected lower-case words joined by hyphens as the name, got {found['name']!r}")
    if found["alt"] == found["caption"]:
        raise ValueError(f"{place}: the alternative text repeats the caption; say what is seen")
    if (title := TITLE.match(found["caption"])) is None:
        raise ValueError(f"{place}: this caption has no title; begin it with a few words in bold that say what is seen")
    return found | {"title": title[1]}


def collect(notebooks, chapters, claims=()):
    """Return the records of all figures, in reading order, and their files."""
    records, files = [], {}
    for name, notebook in notebooks.items():
        lines, figures = chapters[name].notebook()[1], _figures(notebook)
        given = declared(notebook, "injected-parameters")
        parameters = {name: each.default for name, each in (declared(notebook) | given).items()}
        line_again = line_to_run(name, {name: each.value for name, each in given.items()})
        own = [claim for claim in claims if claim["chapter"] == name]
        for index, cell in enumerate(notebook.cells):
            line = lines.get(cell.id)
            place = f"chapters/{name}.md:{line}"
            if (shown := _shown(cell, place)) is None:
                continue
            record = described(cell, place) | _origin(cell, parameters, figures) | {"chapter": name, "line": line}
            record["again"] = line_again
            beside = _beside(notebook.cells, index, own)
            record |= {"claims": _claims(record["name"], beside, claims)}
            record |= {"link": f"chapters/{name}.html#{record['name']}"}
            for kind, (suffix, content) in _contents(shown).items():
                record[kind] = f"figures/{record['name']}{suffix}"
                files[record[kind]] = content
            record["size"] = _size(files[record["image"]])
            if SLIDER in shown:
                record["slider"], pictures = _slider(record["name"], shown.pop(SLIDER))
                files |= pictures
            if LIVE in shown:
                record["live"] = shown.pop(LIVE)
            records.append(record)
    return records, files


def _slider(name, content):
    """Return what a record says of its slider, and the files of the pictures, which leave what is shown."""
    pictures = content.pop("pictures")
    digits = len(str(len(pictures) - 1))
    files = {f"figures/{name}/{i:0{digits}}.svg": svg.encode() for i, svg in enumerate(pictures)}
    return content | {"pictures": [*files]}, files


def _shown(cell, place):
    """Return the data of the one image that a cell shows, None if it shows none."""
    shown = [output.data for output in cell.get("outputs", []) if IMAGE in output.get("data", {})]
    if len(shown) > 1:
        raise ValueError(f"{place}: expected one figure, got {len(shown)}; draw each in a cell of its own")
    return shown[0] if shown else None


def _contents(shown):
    """Return suffix and content of each file of a figure by its kind; what no builder can show leaves what is shown."""
    contents = {"image": (".svg", "".join(shown[IMAGE]).encode())}
    if PRINT in shown:
        contents["print"] = ".pdf", b64decode(shown[PRINT])
    if MIME in shown:
        drawn = shown.pop(MIME)
        text = json.dumps(drawn, ensure_ascii=False, separators=(",", ":")) + "\n"
        contents |= {"data": (".json", text.encode()), "table": (".csv", to_csv(drawn).encode())}
    return contents


def _size(svg):
    """Return width and height of an image in pixels, None where it does not say them."""
    if found := SIZE.search(svg):
        width, points, height = found.groups()
        return [round(float(length) * (4 / 3 if points else 1), 1) for length in (width, height)]
    return None


def _origin(cell, parameters, figures):
    """Return what a figure's cell computes with: its functions, the parameters, and why it varies, if it does."""
    seed = parameters.get("seed", parameters.get("seeds"))
    varies = {"varies": cell.metadata["varies"]} if "varies" in cell.metadata else {}
    functions = _functions(cell.source, figures)
    return {"cell": cell.id, "parameters": parameters, "seed": seed, "functions": functions} | varies


def to_json(records, shared):
    """Return the records as text, with what they share."""
    return json.dumps({"edition": shared, "figures": records}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def write_files(folder, files):
    """Write each file of a figure below `folder`."""
    for name, content in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _figures(notebook):
    """Return the functions of whole figures that a notebook imports."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    imported = re.findall(r"^from capacity_studies\.figures\.[\w.]+ import (\([^)]*\)|.*)$", code, re.MULTILINE)
    return {name for names in imported for name in re.findall(r"\w+", names)}


def _functions(source, figures):
    """Return the functions that draw in a cell, in the order of their first call: of whole figures, and of strokes."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    names = [getattr(call.func, "attr", getattr(call.func, "id", "")) for call in calls]
    return [name for name in dict.fromkeys(names) if name in figures or name.startswith("plot_")]


def _claims(name, beside, claims):
    """Return id, verdict and link of a figure's claims: those whose id begins with its name, else those beside it."""
    named = {claim["id"]: claim["id"].replace("/", "-") for claim in claims}
    found = [c for c in claims if named[c["id"]] == name or named[c["id"]].startswith(f"{name}-")] or beside
    return [{key: claim[key] for key in ("id", "verdict", "link")} for claim in found]


def _beside(cells, index, claims):
    """Return the claims that read a figure: those checked at the end of its section, or else of one before."""
    for direction in (cells[index + 1 :], cells[:index][::-1]):
        around = {cell.id for cell in takewhile(_has_no_heading, direction)}
        if found := [claim for claim in claims if claim["cell"] in around]:
            return found
    return []


def _has_no_heading(cell):
    return cell.cell_type != "markdown" or not HEADING.search(cell.source)
