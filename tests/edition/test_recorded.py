"""What long runs recorded is packed for a release, and read again where it was not run."""

import json
from zipfile import ZipFile

import pytest

from edition import recorded

CLAIMS = [{"id": f"linear/eq-{number}", "verdict": "holds"} for number in range(99)]
CLAIMS.append({"id": "linear/prop-1", "verdict": "holds with a correction"})


@pytest.fixture
def root(tmp_path):
    """Return a checkout with what a release packs, and its built site below it."""
    for name in ("chapters/a", "_static/template"):
        (tmp_path / "site" / name).parent.mkdir(parents=True)
        (tmp_path / "site" / f"{name}.html").touch()
    (tmp_path / "site" / recorded.CLAIMS).write_text(json.dumps({"claims": CLAIMS}))
    (tmp_path / recorded.RESULTS).parent.mkdir()
    (tmp_path / recorded.RESULTS).write_text("{}")
    (tmp_path / recorded.RELEASED).parent.mkdir()
    (tmp_path / recorded.RELEASED).write_text("version: 1.0.0\naddresses: >-\n  chapters/b.html\n")
    for name in (recorded.FAULTS, recorded.ROBUSTNESS):
        recorded.write(tmp_path, name, {name: [1]})
    return tmp_path


def test_what_is_packed_is_read_where_nothing_was_run_from_the_latest_release(root, tmp_path):
    older = recorded.release(root, "1.9.0", root / "site")
    recorded.write(root, recorded.FAULTS, {"new": [2]})
    assert recorded.read(root, recorded.FAULTS) == {"new": [2]}
    latest = recorded.release(root, "1.10.0", root / "site")
    with ZipFile(latest) as archive:
        assert set(archive.namelist()) == {"faults.json", "robustness.json", "benchmarks.json", "claims.json"}
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "dist").mkdir(parents=True)
    assert recorded.read(elsewhere, recorded.FAULTS) == {}
    for archive, expected in ((older, {"faults.json": [1]}), (latest, {"new": [2]})):
        archive.rename(elsewhere / "dist" / archive.name)
        assert recorded.read(elsewhere, recorded.FAULTS) == expected


def test_a_release_keeps_its_verdicts_and_the_addresses_of_all(root):
    recorded.release(root, "2.0.0", root / "site")
    verdicts, addresses = recorded.released(root)
    assert verdicts == {claim["id"]: claim["verdict"] for claim in CLAIMS}
    assert addresses == ["chapters/a.html", "chapters/b.html"]
    assert max(map(len, (root / recorded.RELEASED).read_text().splitlines())) <= 120


def test_without_what_it_packs_there_is_no_archive(root):
    (root / recorded.FOLDER / recorded.FAULTS).unlink()
    with pytest.raises(ValueError, match=r"expected faults\.json, found none; make faults, make robust"):
        recorded.release(root, "2.0.0", root / "site")
    assert not (root / "dist").exists()
