"""The package as others get it: what is built, and an environment of the wheel and its own dependencies alone."""

import re
import subprocess
import sys
import tarfile
import tomllib
import venv
from email.parser import Parser
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import nbformat
import pytest

from edition.book import ROOT, book

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
VERSION = re.search(r"^version: (.*)$", CITATION, re.MULTILINE)[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"^```python\n(.*?)^```$", README, re.M | re.S)[1]
EXTRAS = {"matplotlib", "seaborn", "dask", "distributed", "statsmodels", "pandas", "IPython"}


def run(*command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory, copied):
    """The sdist, and the wheel that was built from it, by the locked setuptools."""
    folder = tmp_path_factory.mktemp("built")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, copied(folder / "checkout"))
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def metadata(built):
    with ZipFile(built[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        return Parser().parsestr(wheel.read(name).decode())


def installed(folder, *what):
    """Return the interpreter of an environment of what is named, with what that asks for in the locked versions."""
    venv.create(folder / "environment", with_pip=True)
    interpreter = folder / "environment" / "bin" / "python"
    lock = re.findall(r"^([\w.-]+==[^\s\\]+(?: ;[^\\\n]*)?)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    (folder / "constraints.txt").write_text("\n".join(lock))
    run(interpreter, "-m", "pip", "install", "--quiet", "--no-compile", "-c", folder / "constraints.txt", *what)
    return interpreter


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    """The interpreter of an environment of the wheel alone."""
    return installed(tmp_path_factory.mktemp("installed"), built[1])


@pytest.fixture
def ask(python, tmp_path):
    """Run code in that environment, from a folder outside the checkout."""
    return lambda code: run(python, "-c", code, cwd=tmp_path)


def files(package):
    """Return what a package has in the checkout: modules, stubs, styles, the mark of types."""
    found = [path for path in (ROOT / package).rglob("*") if path.suffix in (".py", ".pyi", ".mplstyle", ".typed")]
    return {path.relative_to(ROOT).as_posix() for path in [*found, *(ROOT / package).glob("py.typed")]}


def test_the_wheel_holds_all_of_the_package_and_nothing_else(built):
    with ZipFile(built[1]) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    page = f"capacity_allocation-{VERSION}.data/data/share/man/man1/capacity.1"
    assert names == files("capacity") | files("capacity_inspection") | files("capacity_studies") | {page}


def test_the_sdist_holds_what_the_wheel_is_built_from_and_nothing_else(built):
    with tarfile.open(built[0]) as sdist:
        names = {PurePosixPath(*PurePosixPath(each.name).parts[1:]) for each in sdist.getmembers() if each.isfile()}
    top = {name.parts[0] for name in names}
    ours = {"capacity", "capacity_inspection", "capacity_studies"}
    for package in ours:
        assert {name.as_posix() for name in names if name.parts[0] == package} == files(package)
    written = {"PKG-INFO", "setup.cfg", "capacity_allocation.egg-info"}
    beside = {"pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "MANIFEST.in", "setup.py"}
    assert top - written == ours | beside


def test_the_metadata_are_those_of_the_project(metadata):
    assert (metadata["Name"], metadata["Version"]) == (PROJECT["name"], VERSION)
    assert metadata["Requires-Python"] == PROJECT["requires-python"]
    assert metadata.get_all("Classifier") == PROJECT["classifiers"]
    assert set(metadata.get_all("Provides-Extra")) == set(PROJECT["optional-dependencies"])
    addresses = re.findall(r"^(?:repository-code|url): (\S+)$", CITATION, re.MULTILINE)
    assert {text.split(", ")[1] for text in metadata.get_all("Project-URL", [])} == set(addresses)
    needed = [text for text in metadata.get_all("Requires-Dist") if "extra ==" not in text]
    assert set(needed) == set(PROJECT["dependencies"])


def test_what_is_installed_agrees_and_has_nothing_of_the_extras(python, ask):
    assert "No broken requirements" in run(python, "-m", "pip", "check")
    found = ask(f"from importlib.util import find_spec; print([name for name in {sorted(EXTRAS)} if find_spec(name)])")
    assert found.strip() == "[]"
    assert Path(ask("import capacity; print(capacity.__file__)").strip()).is_relative_to(Path(python).parents[1])


def test_the_manual_page_is_installed_beside_the_command(python):
    prefix = Path(python).parents[1]
    assert (prefix / "bin" / "capacity").is_file()
    assert (prefix / "share" / "man" / "man1" / "capacity.1").read_text().startswith(".TH CAPACITY 1")


def test_the_example_of_the_readme_gives_the_numbers_in_its_comments(ask):
    shown = re.sub(r"^(.*\S)  # (\d+)$", r"print(\1)", EXAMPLE, flags=re.MULTILINE)
    expected = re.findall(r"  # (\d+)", EXAMPLE)
    assert expected
    assert re.findall(r"\d+", ask(shown))[: len(expected)] == expected
    eighths = ask(f"{EXAMPLE}\nprint(*(min(int(8 * each), 7) for each in space.spatial()))").split()
    assert "".join("▁▂▃▄▅▆▇█"[int(each)] for each in eighths) == re.search("[▁-█]+", README)[0]


def test_every_room_but_the_figures_can_be_used(ask):
    code = """
import capacity, importlib, pkgutil
names = [each.name for each in pkgutil.walk_packages(capacity.__path__, "capacity.") if ".figures" not in each.name]
print(len([importlib.import_module(name) for name in names]))"""
    assert int(ask(code)) > 50


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("from capacity import figures; figures.use_style", "figures"),
        ("from capacity.figures import plot_allocation", "figures"),
        ("from capacity.tasks import dataset_series; dataset_series('sunspots')", "data"),
    ],
)
def test_what_needs_an_extra_says_which(ask, code, extra):
    message = ask(f"try:\n    exec({code!r})\nexcept ImportError as error:\n    print(error)")
    assert f"; run `pip install capacity-allocation[{extra}]`" in message


def test_a_downloaded_chapter_runs_in_an_empty_folder(built, tmp_path):
    """Those of the papers that take seconds, in an environment of the wheel and the extra that the book names."""
    python = installed(tmp_path, f"{built[1]}[book]")
    chapters, folder = book(), tmp_path / "downloads"
    folder.mkdir()
    for name in ("linear/2-intuitions", "linear/3-capacity", "layers/2-1-augmented"):
        notebook = folder / f"{Path(name).name}.ipynb"
        nbformat.write(chapters[name].notebook()[0], notebook)
        run(python.with_name("jupyter-execute"), notebook, cwd=folder)
    assert sorted(path.suffix for path in folder.iterdir()) == [".ipynb"] * 3
