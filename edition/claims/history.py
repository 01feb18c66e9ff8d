"""Ids that claims once had: an id is never given to another statement, and whoever cited one still finds it."""

from pathlib import Path

from edition.book import read_yaml

__all__ = ["FILE", "check_former_ids", "former_ids"]

FILE = Path("ledger") / "former.yml"
GROUPS = ("renamed", "retired")


def former_ids(root):
    """Return the former ids of a book."""
    path = Path(root) / FILE
    content = read_yaml(path) if path.exists() else {}
    if unknown := sorted(set(content) - set(GROUPS)):
        raise ValueError(f"{FILE}: expected the groups {' and '.join(GROUPS)}, got {', '.join(unknown)}; rename them")
    return {group: content.get(group) or {} for group in GROUPS}


def check_former_ids(ids, former):
    """Refuse ids that are used again, and former ones that lead nowhere."""
    again = sorted(set(ids) & (set(former["renamed"]) | set(former["retired"])))
    if again:
        raise ValueError(f"{FILE}: former ids in use: {', '.join(again)}; give those claims new ids")
    if lost := sorted(old for old, new in former["renamed"].items() if new not in ids):
        raise ValueError(f"{FILE}: renamed to claims that do not exist: {', '.join(lost)}; correct or retire them")
