"""The browser of this machine, started without a window."""

import shutil
from contextlib import contextmanager

__all__ = ["started"]

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")  # the first is the browser without its own windows
SWITCHES = ("no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking", "disable-component-update")


@contextmanager
def started():
    """Start the browser, and end it afterwards.

    Yields
    ------
    playwright.sync_api.Browser

    Raises
    ------
    RuntimeError
        If playwright or the browser is missing, with how to install it.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise RuntimeError("playwright is not installed: make setup") from None
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        raise RuntimeError("no browser found (on Debian: apt install chromium-headless-shell)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=[f"--{switch}" for switch in SWITCHES])
        try:
            yield browser
        finally:
            browser.close()
