"""The browser, and the site served on this machine."""

import os
import threading
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import started
from built_site import SITE


class Quiet(SimpleHTTPRequestHandler):
    """A server that does not print what it serves."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def site():
    if not os.environ.get("BROWSER_SITE"):
        pytest.skip("run by make test-browser; needs a browser (on Debian: apt install chromium-headless-shell)")
    return SITE


@pytest.fixture(scope="session")
def browser(site):
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(started())
        except RuntimeError as error:
            pytest.skip(str(error))
        yield browser


@pytest.fixture(scope="session")
def address():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def pytest_collection_modifyitems(items):
    """Begin with what takes longest, that no process goes on alone at the end."""
    items.sort(key=lambda item: item.path.stem not in {"test_weight", "test_pages", "test_accessibility"})
