"""The browser of this machine, started without a window, and what a page of it gives when it is ready."""

import shutil
import time
from contextlib import contextmanager

__all__ = ["awaited", "started"]

NAMES = ("chromium-headless-shell", "chromium", "google-chrome")  # the first is the browser without its own windows
PATIENCE = 120  # seconds, for a busy machine
# Chromium may collect a promise that it is asked to wait for, busy pages' above all: the page waits for it by itself.
BEGIN = """([script, argument]) => {
  const begun = (window.begun = {});
  const end = (found) => Object.assign(begun, found, { ended: true });
  (0, eval)(script)(argument).then((value) => end({ value }), (error) => end({ error: `${error}` }));
}"""
SWITCHES = ("no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking", "disable-component-update")
SWITCHES += ("host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",)  # other sites are not there


@contextmanager
def started():
    """Start the browser, and end it afterwards."""
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


def awaited(page, script, argument=None):
    """Return what an asynchronous function gives on a page."""
    page.evaluate(BEGIN, [f"({script})", argument])
    end = time.monotonic() + PATIENCE
    while not page.evaluate("window.begun.ended"):
        if time.monotonic() > end:
            raise TimeoutError(f"{page.url}: expected an answer within {PATIENCE} s, got none; is the machine busy?")
        page.wait_for_timeout(20)
    found = page.evaluate("window.begun")
    if "error" in found:
        raise RuntimeError(f"{page.url}: {found['error']}")
    return found.get("value")
