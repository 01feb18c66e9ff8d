"""What long runs found and git does not keep: below `FOLDER` where they ran, else in a release's archive in ``dist``.

The verdicts and addresses of the last release are in the checkout, since later versions are compared with them.
"""

import json
import re
import textwrap
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from edition.book import read_yaml
from edition.files import write_atomically

__all__ = ["FOLDER", "RELEASED", "read", "release", "released", "write"]

FOLDER = Path("_build") / "recorded"
FAULTS, ROBUSTNESS, BENCHMARKS, CLAIMS = "faults.json", "robustness.json", "benchmarks.json", "claims.json"
RELEASED = Path("ledger") / "released.yml"
RESULTS = Path("benchmarks") / "results.json"
HEAD = "# Claims of the last release by their verdicts, and all addresses that releases gave to pages: make release.\n"


def read(root, name):
    """Return what is recorded under a name, empty where neither a run nor the archive of a release is at hand."""
    path = Path(root) / FOLDER / name
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    if archives := sorted((Path(root) / "dist").glob("*-recorded.zip"), key=_version):
        with ZipFile(archives[-1]) as archive:
            if name in archive.namelist():
                return json.loads(archive.read(name))
    return {}


def write(root, name, found):
    """Record what was found, an entry on each line, and return its path."""
    lines = [f" {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}" for key, entry in sorted(found.items())]
    return write_atomically(Path(root) / FOLDER / name, "{\n" + ",\n".join(lines) + "\n}\n")


def release(root, version, site):
    """Pack what is recorded for a release of a built site, keep what is compared with it, and return the archive."""
    root = Path(root)
    claims = (Path(site) / CLAIMS).read_text(encoding="utf-8")
    found = {name: json.dumps(read(root, name), indent=1) for name in (FAULTS, ROBUSTNESS)}
    if empty := [name for name, text in found.items() if text == "{}"]:
        raise ValueError(f"{FOLDER}: expected {' and '.join(empty)}, found none; make faults, make robust")
    found |= {CLAIMS: claims, BENCHMARKS: (root / RESULTS).read_text(encoding="utf-8")}
    path = root / "dist" / f"capacity-allocation-{version}-recorded.zip"
    path.parent.mkdir(exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, text in found.items():
            archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)
    verdicts = {}
    for claim in json.loads(claims)["claims"]:
        verdicts.setdefault(claim["verdict"], []).append(claim["id"])
    pages = {path.relative_to(site).as_posix() for path in Path(site).rglob("*.html")}
    pages = {page for page in pages if not page.startswith("_static/")}
    content = {"version": version, **verdicts, "addresses": pages.union(released(root)[1])}
    write_atomically(root / RELEASED, HEAD + "".join(_entry(name, words) for name, words in content.items()))
    return path


def released(root):
    """Return the verdict of each claim of the last release by its id, and the addresses that releases gave to pages."""
    path = Path(root) / RELEASED
    content = read_yaml(path) if path.exists() else {}
    addresses = content.pop("addresses", "").split()
    return {id: verdict for verdict, ids in content.items() if verdict != "version" for id in ids.split()}, addresses


def _entry(name, words):
    """Return an entry of YAML: a word, or many in lines."""
    if isinstance(words, str):
        return f"{name}: {words}\n"
    lines = textwrap.wrap(" ".join(sorted(words)), 116, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"{name}: >-", *(f"  {line}" for line in lines), ""])


def _version(path):
    return [int(number) for number in re.findall(r"\d+", path.name)]
