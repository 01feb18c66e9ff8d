"""What is missing to start a browser is told with how to get it."""

import sys

import pytest
from browser import started


def test_without_playwright_or_a_browser_the_remedy_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(RuntimeError, match="playwright is not installed: make setup"), started():
        pass
    monkeypatch.setitem(sys.modules, "playwright.sync_api", type(sys)("playwright.sync_api"))
    sys.modules["playwright.sync_api"].sync_playwright = None
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="apt install chromium-headless-shell"), started():
        pass
