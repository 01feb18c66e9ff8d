"""What is folded is an element that a browser opens by itself, with what it holds in the page's own markup."""

import re

from small_site import page


def test_a_fold_is_closed_shows_its_summary_and_holds_its_content(html):
    fold = page(html, "linear/one").select_one("details.checks")
    assert re.match(r"\d+ checks? ", fold.find("summary").text)
    assert not fold.has_attr("open")
    assert fold.select_one(".claim-evidence") is not None
