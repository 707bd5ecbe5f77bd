"""What every test has in common: no network, no key, texts without end but not without number.

The network is cut off for the tests, the kernels that they start, and their children.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import nbval.kernel
import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
OFFLINE = HERE / "offline"
sys.path.insert(0, str(HERE))  # helpers beside the tests: texts, stub_server, wiki_server
sys.path.insert(0, str(OFFLINE))
import network_guard  # noqa: E402

network_guard.cut_off()


class Kernel(nbval.kernel.KernelManager):
    """A notebook's kernel reached by files: ports chosen before it starts may be taken by then."""

    def __init__(self, **options):
        if sys.platform != "win32":
            options |= {"transport": "ipc", "ip": tempfile.mktemp(prefix="kernel-")}
        super().__init__(**options)


nbval.kernel.KernelManager = Kernel
# A shell that starts us in the background has us ignore Ctrl-C, and our children too.
signal.signal(signal.SIGINT, signal.default_int_handler)
ways = str(OFFLINE), os.environ.get("PYTHONPATH")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, ways))
for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):  # no test may find a real key
    os.environ.pop(name, None)
os.environ["REACT_LAB_SIZE"] = "135m"  # the small model is as real, and three times as fast
os.environ["REACT_LAB_ANSWERS"] = ""  # a lesson keeps no answers, of tests or of notebooks

# How many texts a test is tried on: some a day, many by `make test-long`. A busy machine is no fault.
calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("daily", calm, max_examples=50)
settings.register_profile("long", calm, max_examples=1_000)
settings.load_profile("daily")


@pytest.fixture
def no_collection():
    """While JSON of a great depth is read, nothing else is cleared away.

    What is collected at the limit of recursion fails in its own `__del__`, whosever it was.
    """
    gc.disable()
    yield
    gc.enable()


def pytest_ignore_collect(collection_path, config):
    """A folder whose mark is left out (`not browser`) is not even read."""
    inside = collection_path.parent == HERE and collection_path.is_dir()
    return True if inside and f"not {collection_path.name}" in config.option.markexpr else None


SHARED = HERE.parents[1] / "shared" / "data"  # the authors' files: they lie beside few checkouts


@pytest.fixture(scope="session")
def shared():
    if not SHARED.exists():
        pytest.skip("the authors' files, which these tests need")
    return SHARED


ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
CHROMIUM = ("chromium", "google-chrome")


@pytest.fixture(scope="session")
def browser():
    """The Chromium of the browser tests: REACT_LAB_BROWSER, or the one that is installed."""
    from playwright.sync_api import sync_playwright

    named = os.environ.get("REACT_LAB_BROWSER"), *map(shutil.which, CHROMIUM)
    found = next(filter(None, named), "")
    assert found, "the browser tests need Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def tab(browser):
    """tab(address, options) -> a Tab, which is to be clean when the test ends."""
    from tabs import Tab

    with ExitStack() as stack:
        yield lambda home, **options: stack.enter_context(Tab(browser, home, **options))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Skips for want of the authors' files have one place, so that one line sums them up."""
    report = yield
    if report.skipped and "shared" in getattr(item, "fixturenames", ()):
        report.longrepr = (str(SHARED.parent), None, report.longrepr[2])
    return report


def pytest_sessionfinish():
    """The bundled model's server ends before its Python does, so that nothing is left open."""
    if child := sys.modules.get("react_lab.models.llama"):
        for server in child.CHILDREN.values():
            server.stop()
