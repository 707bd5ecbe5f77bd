"""The site in a folder, made once, and a plain web server that serves it."""

import json
import shutil
from pathlib import Path

import pytest
from file_server import folder_served
from tabs import Tab
from website import live

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


@pytest.fixture(scope="session")
def server(site):
    """As `python -m http.server`: no header of its own."""
    with folder_served(site) as url:
        yield url


def about(site):
    return json.loads((site / "live" / "about.json").read_text(encoding="utf-8"))


@pytest.fixture
def tab(browser, server):
    tab = Tab(browser, server)
    yield tab
    tab.close()
