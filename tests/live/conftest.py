"""The site in a folder, made once, and a plain web server that serves it."""

import pytest
from file_server import folder_served
from website import live

from react_lab.models import weights
from react_lab.types import ModelError


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A folder with the live tab in it."""
    try:
        lacking = not weights.path() or live.missing_parts()
    except ModelError:
        lacking = True
    if lacking:
        pytest.skip("needs what `python -m react_lab fetch site` gets (make test-live does that first)")  # fmt: skip
    folder = tmp_path_factory.mktemp("site")
    live.write(folder, lambda line: None)
    (folder / "index.html").write_text("<!doctype html><title>The course</title>", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def server(site):
    """As `python -m http.server`: no header of its own."""
    with folder_served(site) as url:
        yield url


@pytest.fixture
def tab(tab, server):
    return tab(server)
