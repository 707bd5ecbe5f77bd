"""The site in a folder, made once, and a plain web server that serves it."""

import functools
import http.server
import json
import shutil
import threading
from pathlib import Path

import pytest
from tabs import Tab

from react_lab.apps.site import live
from react_lab.types import ModelError

HERE = Path(__file__).parent
WHY = "needs what `python -m react_lab fetch site` gets (make test-live does that first)"


def lacking():
    from react_lab.models import weights

    try:
        weights.path()
    except ModelError:
        return True
    return bool(live.missing_parts())


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A folder with the live tab in it."""
    if lacking():
        pytest.skip(WHY)
    folder = tmp_path_factory.mktemp("site")
    live.write(folder, lambda line: None)
    (folder / "index.html").write_text("<!doctype html><title>The course</title>", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def node():
    found = shutil.which("node")
    if not found:
        pytest.skip("needs node")
    return found


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def server(site):
    """As `python -m http.server`: no header of its own."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def about(site):
    return json.loads((site / "live" / "about.json").read_text(encoding="utf-8"))


@pytest.fixture
def tab(browser, server):
    tab = Tab(browser, server)
    yield tab
    tab.close()
