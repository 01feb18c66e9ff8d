"""Proof that the book can be made again: two builds from nothing, whose files are compared byte for byte."""

import json
import shutil
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import click

from edition.files import write_atomically
from edition.publishing.build import build_book
from edition.verification.built import AGAIN, read_json

__all__ = ["VARYING", "Outcome", "compare_sites", "reproduce"]

VARYING = {  # what cannot be identical, and why
    "receipt.json": "it holds the seconds and the memory that chapters took; all else in it is compared",
    "chapters/receipt.html": "it shows the seconds and the memory that each chapter took",
}


@dataclass(frozen=True)
class Outcome:
    """What the comparison of two sites found: names of files, and for those that may vary the reason."""

    identical: list
    varying: dict
    different: list
    only_in_one: list

    @property
    def reproduced(self):
        """Whether every file that can be identical is."""
        return bool(self.identical) and not self.different and not self.only_in_one

    def describe(self):
        """Return the outcome for people, the files that differ by name."""
        lines = [f"{len(self.identical)} files are identical byte for byte"]
        lines += [f"  differs as it may: {name} ({reason})" for name, reason in self.varying.items()]
        lines += [f"  DIFFERS: {name}" for name in self.different]
        lines += [f"  ONLY IN ONE: {name}" for name in self.only_in_one]
        return "\n".join(lines)


def compare_sites(first, second):
    """Compare the files of two sites byte for byte, and return the `Outcome`."""
    sites = [_digests(Path(folder)) for folder in (first, second)]
    common = sorted(set(sites[0]) & set(sites[1]))
    differing = [name for name in common if sites[0][name] != sites[1][name]]
    varying = {name: VARYING[name] for name in differing if name in VARYING}
    if "receipt.json" in varying and _lasting(first) != _lasting(second):
        varying.pop("receipt.json")
    return Outcome(
        identical=[name for name in common if name not in differing],
        varying=varying,
        different=[name for name in differing if name not in varying],
        only_in_one=sorted(set(sites[0]) ^ set(sites[1])),
    )


def reproduce(root, scale, build, *, jobs=2):
    """Build the book twice, each time from nothing, and compare the two sites.

    The builds are kept in ``reproduce/first`` and ``reproduce/second`` below the folder `build`, and the outcome in
    ``reproduce/outcome.json``; the book that was built before stays as it is.
    """
    folder = Path(build) / "reproduce"
    shutil.rmtree(folder, ignore_errors=True)
    sites = []
    for name in ("first", "second"):
        click.echo(f"the {name} build")
        sites.append(build_book(root, scale, folder / name, jobs=jobs))
    outcome = compare_sites(*sites)
    text = json.dumps({"scale": scale, "reproduced": outcome.reproduced} | asdict(outcome), indent=1)
    write_atomically(folder / "outcome.json", f"{text}\n")
    return outcome


def _digests(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def _lasting(site):
    """Return the content of a site's receipt without what is measured anew each time."""
    path = Path(site) / "receipt.json"
    try:
        receipt = read_json(path)
        chapters = {
            name: {key: value for key, value in took.items() if key not in ("seconds", "megabytes")}
            for name, took in receipt["chapters"].items()
        }
        return receipt | {"scale": receipt["scale"], "chapters": chapters}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}: expected the receipt of a built book, got another file ({type(error).__name__}: {error}); {AGAIN}"
        ) from None
