"""The site, built once for the session (REACT_LAB_SITE names one that is built), shown by a plain server."""

import os
from contextlib import ExitStack
from pathlib import Path

import pytest
from file_server import folder_served
from website.build import build


class Site:
    """A folder, and its address."""

    def __init__(self, folder, url):
        self.folder, self.url = Path(folder), url

    def pages(self):
        found = sorted(self.folder.rglob("*.html"))
        return [path.relative_to(self.folder).as_posix() for path in found]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = os.environ.get("REACT_LAB_SITE")
    folder = folder or build(tmp_path_factory.mktemp("site"), with_live=False)
    with folder_served(folder) as url:
        yield Site(folder, url)


@pytest.fixture
def served():
    """served(folder) -> its site, closed after the test."""
    with ExitStack() as stack:
        yield lambda folder: Site(folder, stack.enter_context(folder_served(folder)))


class Visit:
    """A tab that may ask its own server alone: every other request is cut, and written down."""

    def __init__(self, context, server):
        self.server, self.cut, self.faults = server, [], []
        self.page = context.new_page()
        self.page.set_default_timeout(90_000)
        self.page.route("**/*", self.pass_or_cut)
        self.page.on("console", lambda m: self.fault(m.text, m.type in ("error", "warning")))
        self.page.on("pageerror", lambda error: self.fault(str(error)))
        self.page.on("dialog", lambda dialog: (self.fault(dialog.message), dialog.dismiss()))
        self.page.on("response", lambda r: self.fault(f"{r.status} {r.url}", r.status >= 400))

    def pass_or_cut(self, route):
        if route.request.url.startswith(self.server.url + "/"):
            return route.continue_()
        self.cut.append(route.request.url)
        return route.abort()

    def fault(self, words, counts=True):
        self.faults += [words] * counts

    def open(self, path):
        self.page.goto(f"{self.server.url}/{path}", wait_until="load")
        return self.page

    def clean(self):
        assert self.cut == [] and self.faults == []


@pytest.fixture
def visit(browser):
    """visit(server, **options of a context) -> Visit."""
    with ExitStack() as stack:

        def go(server, width=1400, height=900, **options):
            size = {"width": width, "height": height}
            context = browser.new_context(viewport=size, **options)
            stack.callback(context.close)
            return Visit(context, server)

        yield go
