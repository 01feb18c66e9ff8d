"""Addresses that a release gave to its pages: each is still that of a page, or leads on to one."""

import posixpath

import pytest

from edition.book import ROOT, book, read_yaml
from edition.recorded import released


@pytest.mark.whole
def test_every_address_of_a_release_is_a_page_or_leads_on_to_one():
    pages = {f"chapters/{name}.html" for name in book()}
    onward = read_yaml(ROOT / "_config.yml")["sphinx"]["config"]["redirects"]
    places = {
        f"{old}.html": posixpath.normpath(posixpath.join(posixpath.dirname(old), new.partition("#")[0]))
        for old, new in onward.items()
    }
    listed = [address for address in released(ROOT)[1] if address.startswith("chapters/")]
    assert len(listed) > 50
    assert [address for address in listed if address not in pages and places.get(address) not in pages] == []
    assert not pages & places.keys()
