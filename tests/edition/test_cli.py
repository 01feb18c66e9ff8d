"""What goes wrong around a command is told with what to do about it."""

import resource
import shutil
import subprocess
import sys
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from small_books import cell, write_book

from edition.cli import main
from edition.publishing.build import execute_book
from edition.verification.copies import Copy

GOOD = "# One\n\nWords.\n\n" + cell("n = 2", "parameters") + "\n" + cell("print(n)")


@pytest.fixture
def root(tmp_path):
    book = write_book(tmp_path / "with spaces, ü and ß", {"one": GOOD})
    (book / "parameters").mkdir()
    (book / "parameters" / "quick.yml").write_text("one: {n: 3}")
    return book


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a book whose chapter was executed."""
    root = write_book(tmp_path_factory.mktemp("book"), {"one": GOOD})
    (root / "parameters").mkdir()
    (root / "parameters" / "quick.yml").write_text("one: {n: 3}")
    execute_book(root, "quick", root / "_build")
    return root


@pytest.fixture
def executed(built, tmp_path):
    """Return a copy of it."""
    return shutil.copytree(built, tmp_path / "with spaces, ü and ß")


def told(root, *arguments):
    done = CliRunner().invoke(main, ["--root", str(root), *arguments])
    assert done.exit_code == 1
    return done.output


@pytest.mark.parametrize("name", ["_toc.yml", "references.bib", "parameters/quick.yml"])
def test_a_missing_file_is_named(executed, name):
    (executed / name).unlink()
    assert f"{name}: No such file or directory; correct that" in told(executed, "build", "--scale", "quick")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("_toc.yml", "root: [a", "_toc.yml:1: expected YAML, got something else"),
        ("_toc.yml", "format: jb-book", "_toc.yml: expected a table of contents, got something else ('root' key"),
        ("_config.yml", "a: b: c", "_config.yml:1: expected YAML"),
        ("parameters/quick.yml", "- one", "quick.yml: expected name: value, got list"),
        ("chapters/one.md", b"\xff", "one.md: expected text in UTF-8"),
        ("_config.yml", "sphinx: 3", "_config.yml: expected execute, exclude_patterns"),
        ("CITATION.cff", "[a", "CITATION.cff:1: expected YAML"),
        ("CITATION.cff", "title: A book", "expected title, authors, version, got no authors and no version"),
    ],
)
def test_a_damaged_file_is_named(executed, name, content, message):
    (executed / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert message in told(executed, "build", "--scale", "quick")


@pytest.mark.parametrize(
    "code", ["print('x' * 9000)", "from pathlib import Path\nPath('large').write_text('x' * 9000)"]
)
def test_a_disk_without_room_for_a_chapter_ends_the_build_with_one_message(tmp_path, code):
    root = write_book(tmp_path, dict.fromkeys(("one", "two", "three"), f"# One\n\n{cell(code)}"))
    command = [sys.executable, "-m", "edition", "--root", root, "build"]

    def fill():
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

    done = subprocess.run(command, preexec_fn=fill, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert line.startswith("Error: ")
    assert line.endswith("File too large; correct that and give the same command again; what is finished is kept")


@pytest.mark.parametrize("name", ["_toc.yml", "_build/.lock"])
def test_a_folder_in_the_place_of_a_file_is_named(root, name):
    (root / name).unlink(missing_ok=True)
    (root / name).mkdir(parents=True)
    assert f"{name}: Is a directory; correct that" in told(root, "build")


@pytest.mark.parametrize("arguments", [["-p", "n"], ["n=4"], ["-p", "n", "[1,", "2]"]])
def test_a_parameter_that_is_given_in_another_form_is_told_the_form(root, arguments):
    done = CliRunner().invoke(main, ["--root", str(root), "run", "one", *arguments])
    assert done.exit_code == 2
    assert "; a parameter is given as -p NAME VALUE, and what has spaces stands in quotes" in done.output


@pytest.mark.parametrize("arguments", [["release"], ["compare", "theirs.zip"]])
def test_without_a_book_of_its_own_a_command_says_how_to_build_one(root, arguments, monkeypatch):
    monkeypatch.setattr(Copy, "read", Mock(return_value=Mock(receipt={"scale": "quick"}, part="all")))
    (root / "theirs.zip").touch()
    monkeypatch.chdir(root)
    assert "expected the book that was built here, found none; give make book first" in told(root, *arguments)


def test_a_parameter_is_given_once(root):
    arguments = ["-p", "n", "[3]", "-p", "n", "[4]"]
    assert "n: expected one value, got a second, '[4]'" in told(root, "run", "one", *arguments)
    assert not (root / "_build").exists()


def test_a_chapter_without_code_is_not_executed(tmp_path):
    root = write_book(tmp_path, {"one": GOOD, "words": "# Words\n"})
    (root / "parameters").mkdir()
    assert "words has no code to execute; known: one\n" in told(root, "run", "words")
    assert not (root / "_build").exists()


def test_a_chapter_with_damaged_options_is_named(root):
    chapter = root / "chapters" / "one.md"
    chapter.write_text(chapter.read_text().replace("[parameters]", "[parameters"))
    output = told(root, "build")
    assert "chapters/one.md:" in output
    assert len(output.splitlines()) == 1


def test_the_reference_of_a_chapter_is_made_alone(tmp_path):
    root = write_book(tmp_path, {"one": GOOD, "two": GOOD.replace("One", "Two")})
    (root / "parameters").mkdir()
    (root / "parameters" / "quick.yml").write_text("one: {n: 3}")
    done = CliRunner().invoke(main, ["--root", str(root), "reference", "two"])
    assert done.exit_code == 0, done.output
    assert [path.name for path in (root / "tests").rglob("*.json")] == ["two.json"]
    assert "unknown chapter 'three'" in told(root, "reference", "three")
