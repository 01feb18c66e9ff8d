"""Archives of others are unpacked only as far as they hold what a site holds: files and folders, all below one place.

The safe filter of `tarfile` alone lets links through, by which Pythons before 3.11.13 can be led elsewhere.
"""

import stat
import tarfile
from pathlib import PurePosixPath
from zipfile import ZipFile

from edition.verification.built import AGAIN

__all__ = ["unpack"]

BYTES, MEMBERS = 2 * 1024**3, 100_000  # of what is unpacked, many times what a site has
PLAIN = (0, stat.S_IFREG, stat.S_IFDIR)  # kinds of files; that of a ZIP made elsewhere than on Unix is 0


def unpack(archive, folder):
    """Unpack an archive by what it is, not by its name; whatever its format's own library raises is one error."""
    try:
        if tarfile.is_tarfile(archive):
            with tarfile.open(archive) as file:
                file.extractall(folder, _checked(file, _of_tar), filter="data")
        else:
            with ZipFile(archive) as file:
                file.extractall(folder, _checked(file.infolist(), _of_zip))
    except Exception as error:
        if isinstance(error, OSError) and error.errno:  # the disk, not the archive
            raise
        raise ValueError(f"{archive}: expected the folder or an archive of a site, got {error}; {AGAIN}") from None


def _of_tar(member):
    return member.name, member.isfile() or member.isdir(), member.size


def _of_zip(member):
    return member.filename, stat.S_IFMT(member.external_attr >> 16) in PLAIN, member.file_size


def _checked(members, described):
    """Yield the members one by one, as long as each is what a site may hold; they are unpacked meanwhile."""
    size = 0
    for count, member in enumerate(members, 1):
        name, plain, more = described(member)
        size += more
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ValueError(f"the member {name!r}, which leads out of it")
        if not plain:
            raise ValueError(f"the member {name!r}, a link or a device")
        if size > BYTES or count > MEMBERS:
            raise ValueError(f"more than {MEMBERS} members or {BYTES / 1024**3:g} GiB")
        yield member
