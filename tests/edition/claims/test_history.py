"""Ids that claims once had: none is used again or lost, and changed verdicts are in the changelog."""

import pytest
from recorded import verdicts

from edition.book import ROOT
from edition.claims.claim import HOLDS
from edition.claims.history import FILE, changed_verdicts, check_former_ids, former_ids
from edition.recorded import released as recorded_for_releases


def write(root, text):
    (root / FILE).parent.mkdir(exist_ok=True)
    (root / FILE).write_text(text)
    return root


def test_former_ids_are_read_and_checked(tmp_path):
    assert former_ids(tmp_path) == {"renamed": {}, "retired": {}}
    former = former_ids(write(tmp_path, "renamed: {linear/a: linear/b}\nretired: {linear/c: It said nothing.}\n"))
    check_former_ids({"linear/b"}, former)
    for ids, message in (
        ({"linear/b", "linear/a"}, "in use: linear/a"),
        ({"linear/c", "linear/b"}, "in use: linear/c"),
    ):
        with pytest.raises(ValueError, match=message):
            check_former_ids(ids, former)
    with pytest.raises(ValueError, match="do not exist: linear/a"):
        check_former_ids({"linear/d"}, former)
    with pytest.raises(ValueError, match="got moved"):
        former_ids(write(tmp_path, "moved: {}\n"))


def test_a_changed_verdict_is_found_under_the_present_id_and_a_lost_claim_is_refused():
    former = {"renamed": {"a": "b"}, "retired": {"c": "why"}}
    assert changed_verdicts({"a": "holds", "c": "holds", "d": "holds"}, {"b": "fails", "d": "holds"}, former) == {
        "b": ("holds", "fails")
    }
    with pytest.raises(ValueError, match="lost: d"):
        changed_verdicts({"d": "holds"}, {}, former)


@pytest.mark.whole
def test_no_claim_of_a_release_is_lost_and_the_changelog_has_changed_verdicts_and_new_corrections():
    present, former, changelog = verdicts(), former_ids(ROOT), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(present) > 400
    check_former_ids(present, former)
    released, _ = recorded_for_releases(ROOT)
    known = {former["renamed"].get(id, id) for id in released}
    new = {id for id, verdict in present.items() if verdict != HOLDS and id not in known}
    assert {
        id for id in new | changed_verdicts(released, present, former).keys() if f"`{id}`" not in changelog
    } == set()
