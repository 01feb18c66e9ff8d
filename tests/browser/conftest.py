"""The browser, and the site served on this machine."""

import os
import shutil
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from built_site import SITE

SWITCHES = ("no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking", "disable-component-update")


class Quiet(SimpleHTTPRequestHandler):
    """A server that does not print what it serves."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def browser():
    if not os.environ.get("BROWSER_SITE"):
        pytest.skip("run by make test-browser; needs a browser (on Debian the package chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = shutil.which("chromium") or shutil.which("google-chrome")
    if executable is None:
        pytest.skip("no browser found (on Debian: apt install chromium)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=executable, args=[f"--{switch}" for switch in SWITCHES])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
