"""The site, built once for the session (REACT_LAB_SITE names one that is built), shown by a plain server."""

import functools
import http.server
import os
import threading
from pathlib import Path

import pytest

from react_lab.apps.site.build import build

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "screenshots"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server:
    """What `python -m http.server --directory` does."""

    def __init__(self, folder):
        self.folder = Path(folder)
        handler = functools.partial(Quiet, directory=str(folder))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def pages(self):
        found = sorted(self.folder.rglob("*.html"))
        return [path.relative_to(self.folder).as_posix() for path in found]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = os.environ.get("REACT_LAB_SITE") or build(
        tmp_path_factory.mktemp("site"), with_live=False
    )
    server = Server(folder)
    yield server
    server.close()


@pytest.fixture
def served():
    """served(folder) -> its server, closed after the test."""
    servers = []

    def serve(folder):
        servers.append(Server(folder))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


class Visit:
    """A tab that may ask its own server alone: every other request is cut, and written down."""

    def __init__(self, context, server):
        self.server, self.cut, self.faults = server, [], []
        self.page = context.new_page()
        self.page.set_default_timeout(90_000)
        self.page.route("**/*", self.pass_or_cut)
        self.page.on("console", self.heard)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", self.asked)
        self.page.on("response", self.answered)

    def pass_or_cut(self, route):
        if route.request.url.startswith(self.server.url + "/"):
            return route.continue_()
        self.cut.append(route.request.url)
        return route.abort()

    def heard(self, message):
        if message.type in ("error", "warning"):
            self.faults.append(message.text)

    def asked(self, dialog):
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def answered(self, response):
        if response.status >= 400:
            self.faults.append(f"{response.status} {response.url}")

    def open(self, path):
        self.page.goto(f"{self.server.url}/{path}", wait_until="load")
        return self.page

    def clean(self):
        assert self.cut == [] and self.faults == []


@pytest.fixture
def visit(browser):
    """visit(server, **options of a context) -> Visit."""
    contexts = []

    def go(server, width=1400, height=900, **options):
        size = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=size, **options))
        return Visit(contexts[-1], server)

    yield go
    for context in contexts:
        context.close()
