"""The list of planted faults: each says where it is, and is planted where its code stands now."""

import pytest
from small_books import cell, write_book

from edition.book import ROOT
from edition.claims.faults import LIST, by_claim, code_of, read_faults, read_summary, read_unreachable, write_summary

ENTRY = "[one]\nat = 'capacity/a.py:f'\nchange = ['g(x, 1)', 'g(x, 2)']\n"
SOURCE = "def f(x):\n    y = g(x, 1)\n    return y\n\n\ndef h(x):\n    return g(x, 1)\n"


def write(root, text=ENTRY, **sources):
    for name, content in {LIST: text, **{f"capacity/{name}.py": source for name, source in sources.items()}}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(content)
    return root


def planted(root, name="a"):
    read_faults(root)["one"].plant(root)
    return (root / "capacity" / f"{name}.py").read_text()


def test_a_fault_is_planted_in_its_function_only(tmp_path):
    assert planted(write(tmp_path, a=SOURCE)) == SOURCE.replace("g(x, 1)", "g(x, 2)", 1)


def test_a_fault_is_found_in_another_layout_in_a_class_and_in_the_file_where_its_function_is_now(tmp_path):
    method = "class C:\n    def f(self, x):\n        return g(\n            x, 1) + 1\n"
    root = write(tmp_path, ENTRY.replace(":f", ":C.f"), a=SOURCE, b=method)
    assert planted(root, "b") == "class C:\n    def f(self, x):\n        return g(x, 2) + 1\n"


def test_a_fault_of_a_chapter_is_planted_into_its_code(tmp_path):
    words = "# One\n\nHere g(x, 1) is a word.\n\n"
    root = write_book(tmp_path, {"one": words + cell("x = 1", "parameters") + "\n" + cell("y = g(x, 1)")})
    chapter = root / "chapters" / "one.md"
    before = chapter.read_text()
    assert [line for line in code_of(chapter).splitlines() if line] == ["x = 1", "y = g(x, 1)"]
    read_faults(write(root, ENTRY.replace("capacity/a.py:f", "chapters/one.md")))["one"].plant(root)
    assert chapter.read_text() == before.replace("y = g(x, 1)", "y = g(x, 2)")


@pytest.mark.parametrize(
    "sources",
    [
        {"b": SOURCE.replace("f(x)", "e(x)")},
        {"a": SOURCE.replace("1)", "1.5)")},
        {"a": SOURCE.replace("y =", "y = g(x, 1) +")},
        {"b": SOURCE, "c": SOURCE},
    ],
)
def test_a_fault_whose_code_does_not_stand_once_in_its_function_no_longer_applies(tmp_path, sources):
    with pytest.raises(ValueError, match=r"one: expected 'g\(x, 1\)' once in capacity/a.py:f"):
        read_faults(write(tmp_path, **sources))["one"].place(tmp_path)


def test_a_fault_that_is_no_code_no_longer_applies(tmp_path):
    with pytest.raises(ValueError, match="no longer stands so"):
        read_faults(write(tmp_path, ENTRY.replace("x, 2", "x, 2("), a=SOURCE))["one"].place(tmp_path)


@pytest.mark.whole
def test_every_fault_of_the_list_still_applies():
    for fault in read_faults(ROOT).values():
        fault.place(ROOT)  # else it says which one does not


@pytest.mark.parametrize("text", [ENTRY.replace("at", "in"), ENTRY.replace("x, 2", "x, 1"), "[one]\nat = 'a.py'\n"])
def test_an_entry_that_is_incomplete_or_idle_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match="one: expected at = "):
        read_faults(write(tmp_path, text))


def test_a_summary_grows_with_each_run_and_forgets_what_left_the_list(tmp_path):
    write(tmp_path, ENTRY + ENTRY.replace("one", "two"))
    for name, claims in (("one", ["linear/eq-1"]), ("old", []), ("two", ["linear/eq-1", "linear/eq-2"])):
        write_summary(tmp_path, {name: {"outcome": "claims", "claims": claims}})
    assert {name: entry["claims"] for name, entry in read_summary(tmp_path).items()} == {
        "one": ["linear/eq-1"],
        "two": ["linear/eq-1", "linear/eq-2"],
    }
    assert {id: entry["caught"] for id, entry in by_claim(tmp_path).items()} == {"linear/eq-1": 2, "linear/eq-2": 1}


def test_a_claim_that_catches_nothing_has_its_reason(tmp_path):
    assert (read_faults(tmp_path), read_unreachable(tmp_path), by_claim(tmp_path)) == ({}, {}, {})
    write(tmp_path, ENTRY + '[reasons]\n"linear/eq-1" = "It is loose."\n"linear/eq-2" = "It was."\n')
    write_summary(tmp_path, {"one": {"outcome": "claims", "claims": ["linear/eq-2"]}})
    assert by_claim(tmp_path) == {
        "linear/eq-1": {"caught": 0, "reason": "It is loose."},
        "linear/eq-2": {"caught": 1, "reason": None},
    }
