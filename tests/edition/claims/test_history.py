"""Ids that claims once had: none is used again or lost, and changed verdicts are in the changelog."""

import pytest
from recorded import verdicts

from edition.book import ROOT
from edition.claims.claim import HOLDS
from edition.claims.history import FILE, check_former_ids, former_ids
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


@pytest.mark.whole
def test_no_claim_of_a_release_is_lost_and_the_changelog_has_changed_verdicts_and_new_corrections():
    present, former, changelog = verdicts(), former_ids(ROOT), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(present) > 400
    check_former_ids(present, former)
    released, _ = recorded_for_releases(ROOT)
    known = {former["renamed"].get(id, id): verdict for id, verdict in released.items() if id not in former["retired"]}
    assert sorted(known.keys() - present.keys()) == []
    told = {id for id, verdict in present.items() if verdict != known.get(id, HOLDS)}
    assert {id for id in told if f"`{id}`" not in changelog} == set()
