"""What a page gives when it is ready: a value, the failure of its function, or an end to the patience with it."""

import browser as waiting
import pytest
from browser import awaited


@pytest.fixture
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


def test_what_a_function_of_a_page_gives_is_waited_for(page):
    later = "async (word) => { await new Promise((resolve) => setTimeout(resolve, 50)); return [word]; }"
    assert awaited(page, later, "ready") == ["ready"]
    assert awaited(page, "async () => {}") is None


def test_a_function_that_fails_or_does_not_end_is_an_error(page, monkeypatch):
    with pytest.raises(RuntimeError, match="about:blank: Error: no such thing"):
        awaited(page, "async () => { throw new Error('no such thing'); }")
    monkeypatch.setattr(waiting, "PATIENCE", 0.1)
    with pytest.raises(TimeoutError, match=r"within 0\.1 s, got none"):
        awaited(page, "() => new Promise(() => {})")
