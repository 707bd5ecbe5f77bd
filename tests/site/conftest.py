"""The site, built once for the session (REACT_LAB_SITE names one that is built), shown by a plain server."""

import os
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from file_server import folder_served
from website.build import build


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = os.environ.get("REACT_LAB_SITE")
    folder = Path(folder or build(tmp_path_factory.mktemp("site"), with_live=False))
    with folder_served(folder) as url:
        yield SimpleNamespace(folder=folder, url=url)


@pytest.fixture
def visit(tab):
    """visit(site or another folder, options) -> a Tab in which nothing else is there."""
    with ExitStack() as stack:

        def go(there, **options):
            url = getattr(there, "url", None) or stack.enter_context(folder_served(there))
            return tab(url, **options)

        yield go
