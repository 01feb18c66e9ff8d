"""Files of the tools around the edition: they agree with the lock, and name commands and files that exist."""

import os
import re
import sys
import tomllib

import pytest
import yaml
from package import imported

from edition.book import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
HOOKS = {"ruff-pre-commit": "ruff"}  # repositories of hooks whose tool is locked too
DOCUMENTS = [*WORKFLOWS, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", ".ci/run", "chapters/intro.md"))]


def locked(name):
    return re.search(rf"^{name}==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)[1]


def steps(path):
    jobs = yaml.safe_load(path.read_text())["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


def test_the_hooks_have_the_locked_versions():
    found = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    revisions = {repo["repo"].rpartition("/")[2]: repo.get("rev", "").removeprefix("v") for repo in found}
    assert {name: revisions[name] for name in HOOKS} == {name: locked(tool) for name, tool in HOOKS.items()}


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


@pytest.mark.parametrize("name", [".ci/run", ".binder/postBuild"])
def test_scripts_can_be_executed(name):
    assert os.access(ROOT / name, os.X_OK)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_files_that_the_text_names_exist(name):
    named = re.findall(r"`((?!_build|\.venv)[\w./-]*(?:/|\.[a-z]+)|LICENSE[\w-]*)`", (ROOT / name).read_text())
    assert "pyproject.toml" in named or "requirements.txt" in named
    places = (ROOT, ROOT / ".github" / "workflows")
    assert [path for path in named if not any((place / path).exists() for place in places)] == []


def test_what_the_package_imports_is_declared_as_its_dependencies_and_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ]
    names = {re.match(r"[\w-]+", text)[0].replace("python-flint", "flint").replace("-", "_") for text in declared}
    found = imported() - set(sys.stdlib_module_names)
    in_a_notebook_only = {"IPython", "matplotlib_inline"}
    assert found - in_a_notebook_only - {"capacity"} <= names
