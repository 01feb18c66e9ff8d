"""A checkout that was copied or moved with its environment runs its own code, or says what to do."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from small_books import cell, write_book
from small_site import RECEIPT

from edition.book import ROOT

CODE = """import capacity
import edition.execution
from capacity import found
print(*(module.__file__ for module in (capacity, edition, found)))"""
TEST = """from pathlib import Path

def test_whose_code_it_is():
    import capacity, edition
    from capacity import found
    root = str(Path(__file__).parents[1])
    assert all(module.__file__.startswith(root) for module in (capacity, edition, found))
"""
PAGES = {"claims": (ROOT / "chapters" / "claims.md").read_text(), "receipt": RECEIPT, "errata": "# Errata\n"}


@pytest.fixture(params=["copied", "moved"])
def checkout(request, tmp_path):
    """Return a small checkout whose environment was set up in another: one that is still there, or is not."""
    root = tmp_path / "checkout"
    for package in ("capacity", "capacity_studies", "edition"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    write_book(root, {"one": "# One\n\n" + cell(CODE)} | PAGES)
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "capacity" / "found.py").touch()  # which the other does not have
    (root / "tests").mkdir()
    (root / "tests" / "test_one.py").write_text(TEST)
    packages = root / ".venv" / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    packages.mkdir(parents=True)
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith("__editable__"):
            (packages / path.name).symlink_to(path)
    (packages / "checkout.pth").write_text(str(ROOT if request.param == "copied" else tmp_path / "former"))
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", root / ".venv")
    (root / ".venv" / "bin").mkdir()
    (root / ".venv" / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    return root


PIP = f"""#!/bin/sh
case "$*" in
  *" pip "*) echo "$*" >>pip.txt ;;
  *) exec {sys.executable} "$@" ;;
esac
"""


def test_setting_up_where_an_environment_was_moved_renames_its_programs_and_installs_from_there(tmp_path):
    root = tmp_path / "a checkout"
    programs = root / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("Makefile", "requirements.txt", "requirements-models.txt", "pyproject.toml", "CITATION.cff"):
        shutil.copy(ROOT / name, root)
    for name, text in {"python": PIP, "tool": "#!/a former/.venv/bin/python\n", "data": "/a former/.venv/bin"}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (root / ".venv" / ".ready").write_text("/a former\n")
    command = ["make", f"PYTHON={sys.executable}", "setup"]
    subprocess.run(command, cwd=root, check=True)
    assert (programs / "tool").read_text() == f"#!{programs}/python\n"
    assert (programs / "data").read_text() == "/a former/.venv/bin"
    assert (root / ".venv" / ".ready").read_text() == f"{root}\n"
    installed = (root / "pip.txt").read_text()
    assert installed.endswith("--editable .\n")
    subprocess.run(command, cwd=root, check=True)
    assert (root / "pip.txt").read_text() == installed  # once


def run(root, *arguments, folder=None):
    command = [root / ".venv" / "bin" / "python", *arguments]
    return subprocess.run(command, cwd=folder or root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def test_the_commands_and_the_tests_run_the_code_of_the_checkout(checkout):
    built = run(checkout, "-m", "edition", "build")
    assert built.returncode == 0, built.stdout
    page = (checkout / "_build" / "html" / "chapters" / "one.html").read_text()
    assert all(str(checkout / name) in page for name in ("capacity/__init__.py", "edition/__init__.py"))
    programs = "-P", "-m", "pytest", "--numprocesses", "1"  # as of a script, which has no folder on its path
    tested = run(checkout, *programs, "tests", "-p", "no:cacheprovider")
    assert tested.returncode == 0, tested.stdout


def test_elsewhere_its_environment_does_not_run_the_code_of_the_other_in_silence(checkout, tmp_path):
    told = run(checkout, "-m", "edition", "release", folder=tmp_path)
    assert told.returncode == 1
    assert f"expected the code of {checkout}" in told.stdout or "No module named edition" in told.stdout
