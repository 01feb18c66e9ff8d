"""Files of the tools around the edition: they agree with the lock, and name commands that exist."""

import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from package import imported, imports
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from edition.book import ROOT

pytestmark = pytest.mark.whole  # the pages, and the tools, are those of the whole book
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
OURS = {"capacity", "capacity_inspection", "capacity_studies", "edition", "benchmarks"}
NEVER_LOCKED = {"torch"}  # an extra whose wheels are huge: whoever wants it has it
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DOCUMENTS = [
    *WORKFLOWS,
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "PUBLISH.md", ".ci/run", "chapters/intro.md")),
]


@cache
def providers():
    """Return the distributions that bring each module."""
    return packages_distributions()


def required(*groups):
    """Return what the package, its extras and some groups need."""
    project, grouped = SETTINGS["project"], SETTINGS["dependency-groups"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *(grouped[name] for name in groups)]
    own = SETTINGS["project"]["name"]  # which an extra of extras names
    return [text for texts in lists for text in texts if Requirement(text).name != own]


def undeclared(modules, declared):
    """Return the modules that no declared requirement brings itself, with the distributions that do."""
    names = {canonicalize_name(Requirement(text).name) for text in declared}
    owners = {module: providers().get(module, []) for module in modules - set(sys.stdlib_module_names)}
    return {module: found for module, found in owners.items() if not {canonicalize_name(one) for one in found} & names}


def steps(path):
    jobs = yaml.safe_load(path.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_trusts_only_fixed_actions_and_asks_for_no_right_that_it_does_not_name(path):
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name)] == []
    content = yaml.safe_load(path.read_text())
    assert content["permissions"] == {}
    assert all(job["permissions"] for job in content["jobs"].values())


def test_what_documents_and_workflows_tell_to_make_can_be_made():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in DOCUMENTS:
        told = set(re.findall(r"(?:^|`|run: )make ([a-z-]+)", path.read_text(), re.MULTILINE))
        assert told <= targets, path.name


def test_what_the_package_imports_is_declared_as_its_dependencies_and_extras():
    declared = required()
    in_a_notebook_only = {"IPython", "matplotlib_inline"}
    assert undeclared(imported() - in_a_notebook_only - NEVER_LOCKED - OURS, declared) == {}
    assert {Requirement(text).name for text in declared} >= NEVER_LOCKED


@pytest.mark.parametrize(
    ("folders", "groups"),
    [(["edition"], ["edition"]), (["tests", ".ci", "benchmarks", "capacity_studies", "edition"], ["edition", "test"])],
)
def test_what_the_checkout_imports_is_declared_as_its_groups(folders, groups):
    declared = required(*groups)
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    ours = OURS | {path.stem for path in files}
    optional_peers = {"torch", "torchinfo", "relucent", "curvlinops", "nngeometry"}
    found = {name for path in files for name in imports(path.read_text(encoding="utf-8"))}
    assert len(found) > 20
    assert undeclared(found - ours - optional_peers, declared) == {}


def test_what_the_chapters_import_is_declared():
    declared = required("edition")
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "chapters").rglob("*.md")]
    line = re.compile(r"^(?:import|from) (\w+)[\w.]*(?: import| as|$)", re.MULTILINE)
    found = {name for text in texts for name in line.findall(text)}
    assert {"numpy", "scipy"} <= found
    assert undeclared(found - OURS, declared) == {}


def test_the_lock_has_one_version_of_each_package_for_all_pythons():
    names = re.findall(r"^([\w.-]+)==", LOCK, re.MULTILINE)
    assert len(names) > 100
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_the_lock_has_what_is_declared_in_a_version_that_is_allowed():
    declared = required(*SETTINGS["dependency-groups"])
    found = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE))
    needed = [each for each in map(Requirement, declared) if each.name not in NEVER_LOCKED]
    wrong = [each for each in needed if not each.specifier.contains(found.get(canonicalize_name(each.name), "0"))]
    assert [str(each) for each in wrong if each.specifier] == []
    assert {canonicalize_name(each.name) for each in needed} <= set(found)


def test_the_lock_names_no_registry_and_has_a_hash_of_everything():
    assert "://" not in LOCK
    assert "--index" not in LOCK
    packages = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert [text.split("==")[0] for text in packages if "--hash=sha256:" not in text] == []


@pytest.mark.parametrize(("status", "by"), [(0, "uv"), (1, "uv, then pip"), (None, "pip")])
def test_uv_sets_up_and_pip_does_where_it_cannot(tmp_path, status, by):
    for name in ("Makefile", "requirements.txt", "requirements-models.txt", "pyproject.toml", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    for name, ends in {".venv/bin/python": 0, "uv": status}.items():
        if ends is not None:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(f"#!/bin/sh\necho {Path(name).name} $* >>{tmp_path}/asked\nexit {ends}\n")
            (tmp_path / name).chmod(0o755)
    subprocess.run(
        ["make", "setup", "UV=./uv", f"PYTHON={sys.executable}"], cwd=tmp_path, check=True, capture_output=True
    )
    asked = [line.split() for line in (tmp_path / "asked").read_text().splitlines()]
    for last in ("requirements.txt", "requirements-models.txt", "."):
        found = [words for words in asked if words[-1] == last]
        assert ", then ".join("uv" if "uv" in words else "pip" for words in found) == by
        assert all({"install", "--require-hashes" if last != "." else "--no-deps"} <= {*words} for words in found)


def test_the_checkout_is_on_the_path_of_the_environment(tmp_path):
    code = "import benchmarks, capacity, edition; print(edition.__file__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(ROOT / "edition" / "__init__.py")


def test_the_edition_says_so_where_the_system_lacks_what_it_needs(tmp_path):
    code = "import edition, runpy, sys; sys.platform = 'win32'; runpy.run_module('edition', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert "expected Linux or macOS" in done.stderr
    assert "Traceback" not in done.stderr
