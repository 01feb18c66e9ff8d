"""Files that came with an installed package, found without importing the package."""

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

__all__ = ["installed_file"]


def installed_file(distribution_name: str, path: str) -> Path:
    """Path of a file that an installed distribution brought, such as the weights in a wheel.

    The package is not imported, so that it may have been installed without what it depends on.

    Parameters
    ----------
    distribution_name : str
        As it is called where it is installed from, ``"basic-pitch"``.
    path : str
        Relative to where packages are installed, with ``/`` between its parts, as the distribution lists it; its last
        parts will do where they are of one file only.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If the distribution is not installed, or has no such file.

    Examples
    --------
    >>> installed_file("numpy", "numpy/version.py").name
    'version.py'
    """
    for name, value in [("distribution_name", distribution_name), ("path", path)]:
        if not isinstance(value, str):
            raise TypeError(f"{name}: expected a string, got {type(value).__name__}; pass a name")
    wanted = PurePosixPath(path).parts
    if not wanted or wanted[0] == "/" or ".." in wanted:
        raise ValueError(f"path: expected a path below the packages, got {path!r}; pass e.g. 'package/data/file.onnx'")
    try:
        found = distribution(distribution_name)
    except (PackageNotFoundError, ValueError) as error:
        raise FileNotFoundError(
            f"distribution_name: expected an installed distribution, got {distribution_name!r}; install it, for its "
            f"files alone with: python -m pip install --no-deps {distribution_name}"
        ) from error
    files = [file for file in found.files or [] if file.parts[-len(wanted) :] == wanted and ".." not in file.parts]
    exact = [file for file in files if file.parts == wanted]
    if len(exact or files) > 1:
        raise ValueError(
            f"path: expected the end of one path, got {path!r}, with which {len(files)} files of {distribution_name} "
            f"end, such as {str(files[0])!r}; pass more of it"
        )
    located = [Path(str(found.locate_file(file))) for file in exact or files]
    if not located or not located[0].is_file():
        raise FileNotFoundError(
            f"path: expected a file of {distribution_name} {found.version}, got {path!r}, which it does not have; "
            "look at importlib.metadata.files, or install it anew"
        )
    return located[0]
