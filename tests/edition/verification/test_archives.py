"""An archive of a stranger writes nothing outside its folder, whatever it holds and whatever its name is."""

import io
import stat
import tarfile
from zipfile import ZipFile, ZipInfo

import pytest

from edition.verification import archives
from edition.verification.archives import unpack

TARS = {
    "tar": "",
    "tar.gz": "gz",
    "tgz": "gz",
    "tar.bz2": "bz2",
    "tbz2": "bz2",
    "tar.xz": "xz",
    "txz": "xz",
    "data": "gz",
}
KINDS = {
    "symbolic": (tarfile.SYMTYPE, stat.S_IFLNK),
    "hard": (tarfile.LNKTYPE, None),  # a ZIP knows none
    "device": (tarfile.CHRTYPE, stat.S_IFCHR),
    "pipe": (tarfile.FIFOTYPE, stat.S_IFIFO),
}


def write(path, members):
    """Write an archive of (name, kind, content or where a link leads), whose format its suffix says."""
    suffix = path.name.partition(".")[2]
    if suffix == "zip":
        with ZipFile(path, "w") as file:
            for name, kind, content in members:
                info = ZipInfo(name)
                info.external_attr = ((KINDS[kind][1] if kind else stat.S_IFREG) | 0o644) << 16
                file.writestr(info, content)
        return path
    with tarfile.open(path, f"w:{TARS[suffix]}") as file:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            if kind:
                info.type, info.linkname = KINDS[kind][0], content
            else:
                info.size = len(content)
            file.addfile(info, io.BytesIO(content.encode()))
    return path


def everything_below(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


HOSTILE = [
    [("../outside", None, "")],
    [("html/../../outside", None, "")],
    [("{}/outside", None, "")],
    [("html", "symbolic", "{}"), ("html/outside", None, "")],
    [("html", "symbolic", "..")],
    [("html", "hard", "../kept")],
    [("html", "hard", "{}/kept")],
    [("html", "device", "")],
    [("html", "pipe", "")],
]


@pytest.mark.parametrize(
    ("suffix", "members"),
    [(s, members) for s in [*TARS, "zip"] for members in HOSTILE if (s, members[0][1]) != ("zip", "hard")],
)
def test_nothing_is_written_outside_the_folder_and_the_member_is_named(tmp_path, suffix, members):
    filled = [(name.format(tmp_path), kind, content.format(tmp_path)) for name, kind, content in members]
    archive = write(tmp_path / f"theirs.{suffix}", [("index.html", None, "words"), *filled])
    (tmp_path / "kept").write_text("ours")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="expected the folder or an archive of a site, got the member") as told:
        unpack(archive, tmp_path / "folder")
    assert repr(filled[0][0]) in str(told.value)
    assert everything_below(tmp_path) == {archive.name, "kept", "folder", "folder/index.html"}
    assert (tmp_path / "kept").read_text() == "ours"
    assert (tmp_path / "kept").stat().st_nlink == 1


@pytest.mark.parametrize("suffix", [*TARS, "zip"])
@pytest.mark.parametrize(("name", "limit"), [("BYTES", 20_000), ("MEMBERS", 2)])
def test_more_than_any_site_has_is_not_unpacked(tmp_path, monkeypatch, suffix, name, limit):
    archive = write(tmp_path / f"theirs.{suffix}", [(f"html/{i}", None, "0" * 10_000) for i in range(3)])
    unpack(archive, tmp_path / "whole")
    monkeypatch.setattr(archives, name, limit)
    with pytest.raises(ValueError, match=r"got more than \d+ members or .* GiB; fetch or build that copy again"):
        unpack(archive, tmp_path / "part")
    assert everything_below(tmp_path / "whole") == {"html", "html/0", "html/1", "html/2"}
    assert everything_below(tmp_path / "part") <= {"html", "html/0", "html/1"}


def test_a_member_that_is_larger_than_it_says_is_refused(tmp_path):
    archive = write(tmp_path / "theirs.zip", [("one", None, "0" * 1000)])
    archive.write_bytes(archive.read_bytes().replace((1000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(ValueError, match="Bad CRC-32"):
        unpack(archive, tmp_path / "folder")
    assert all(path.stat().st_size <= 10 for path in (tmp_path / "folder").iterdir())
