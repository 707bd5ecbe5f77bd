"""A real JupyterLab and a real Chromium, one of each for the whole session."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell

ROOT = Path(__file__).parents[2]
SCREENSHOTS = ROOT / "screenshots"
QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}


def wait_for(look, seconds=60):
    """Poll until there is something: events, never sleeps of a guessed length."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, "timed out"
        time.sleep(0.02)
    return found


class Lab:
    def __init__(self, folder):
        self.root, self.token = folder / "root", "browser-tests"
        self.root.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "server.log"
        settings = folder / "settings"
        settings.mkdir()
        names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
        env = {**os.environ, **{f"JUPYTER_{n}": str(folder / n.lower()) for n in names}}
        env |= {"IPYTHONDIR": str(folder / "ipython"), "JUPYTERLAB_SETTINGS_DIR": str(settings)}
        env |= {"JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces")}
        # the kernels run this checkout, wherever the venv stands
        env |= {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "data" / "build")])}
        plugin = settings / "@jupyterlab" / "apputils-extension"
        plugin.mkdir(parents=True)
        quiet = plugin / "notification.jupyterlab-settings"  # no news pop-up over the notebook
        quiet.write_text(json.dumps(QUIET), encoding="utf-8")
        command = [
            sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
            f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={self.token}",
            f"--ServerApp.root_dir={self.root}", "--LabApp.extension_manager=readonly",
            "--LabApp.expose_app_in_browser=True",
            "--ServerApp.contents_manager_class=react_lab.apps.lab.Contents",  # as `make lab` has it
        ]  # fmt: skip
        with self.log.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        wait_for(self.answers, 60)

    def get(self, path, method="GET"):
        asked = urllib.request.Request(f"{self.url}{path}?token={self.token}", method=method)
        with urllib.request.urlopen(asked, timeout=60) as reply:
            return json.loads(reply.read() or "null")

    def answers(self):
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")[-2000:]
        try:
            return self.get("/api/status")
        except OSError:
            return None

    def connected(self, path):
        """The toolbar says idle before the kernel is connected: ask the server instead."""
        kernels = [s["kernel"] for s in self.get("/api/sessions") if s["path"] == path]
        return any(k["execution_state"] == "idle" and k["connections"] for k in kernels)

    def end(self, path):
        """End the notebook's kernel."""
        for session in self.get("/api/sessions"):
            if session["path"] == path:
                self.get(f"/api/sessions/{session['id']}", "DELETE")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    lab = Lab(tmp_path_factory.mktemp("lab"))
    yield lab
    lab.close()


def put_notebook(lab, name, cells):
    """A notebook with these cells, never run, below the server's root."""
    import nbformat

    book = nbformat.v4.new_notebook(cells=cells)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    book.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(book, lab.root / name)
    return name


OPEN = "path => jupyterapp.commands.execute('docmanager:open', { path })"
FRESH = "() => { window.fresh = true; }"  # a page that is loaded again opens what stood in it
CLOSE = "() => [...jupyterapp.shell.widgets('main')].forEach((one) => one.dispose())"


class Opened:
    """A notebook open in JupyterLab, all its cells run."""

    def __init__(self, lab, page, path):
        self.lab, self.page, self.path = lab, page, path
        self.dialogs, self.errors, self.outside = [], [], []
        self.heard = {"pageerror": lambda error: self.errors.append(str(error))}
        self.heard["dialog"] = lambda d: (self.dialogs.append(d.message), d.dismiss())
        self.heard["request"] = self.watch
        for event, hear in self.heard.items():
            page.on(event, hear)

    def watch(self, request):
        ours = (self.lab.url, self.lab.url.replace("http", "ws"), "data:", "blob:")
        self.outside += [request.url] * (not request.url.startswith(ours))

    def visit(self):
        if self.page.url.startswith(self.lab.url):  # JupyterLab is there: it takes seconds to load
            self.page.evaluate(OPEN, self.path)
        else:
            url = f"{self.lab.url}/lab/tree/{self.path}?token={self.lab.token}&reset"
            self.page.goto(url, wait_until="domcontentloaded")
            self.page.evaluate(FRESH)
        self.page.locator(".jp-Notebook").wait_for(timeout=60_000)

    def leave(self):
        """Close the notebook; can the tab be another's?"""
        for event, hear in self.heard.items():
            self.page.remove_listener(event, hear)
        self.page.evaluate(CLOSE)
        self.lab.end(self.path)
        fresh = self.page.evaluate("() => Boolean(window.fresh)")
        return fresh and not self.errors and not self.page.locator(".jp-Dialog").count()

    def visit_again(self):
        context = self.page.context
        self.page.close()
        self.page = context.new_page()
        self.visit()

    def run_all(self, seconds=90):
        self.visit()
        wait_for(lambda: self.lab.connected(self.path), 60)
        for _ in range(5):  # a run that lands before the session is wired is dropped: ask again
            self.menu("Run", "runmenu:run-all")
            with suppress(AssertionError):
                wait_for(lambda: any(self.prompts()), 4)
                break
        wait_for(self.done, seconds)

    def menu(self, name, command):
        self.page.get_by_role("menuitem", name=name, exact=True).click()
        self.page.locator(f".lm-Menu-item[data-command='{command}']").click()

    def prompts(self):
        """The number of every code cell: "" before it ran, "*" while it runs."""
        texts = self.page.locator(".jp-CodeCell .jp-InputPrompt").all_text_contents()
        return [text.strip("[]: \n") for text in texts]

    def done(self):
        return all(text.isdigit() for text in self.prompts())

    def screenshot(self, name):
        SCREENSHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png")


class Bench:
    """A widget in an open notebook: its element, keys, what is said in it."""

    element = ""  # its class

    def __init__(self, book, element=""):
        self.book, self.page, self.element = book, book.page, element or self.element
        self.root = book.page.locator(f".{self.element}")
        self.root.wait_for()

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.quiet()

    def quiet(self):
        """Every key is answered and its answer is drawn, or the kernel is said to be gone."""
        self.page.locator(f".{self.element}:not([aria-busy='true'])").wait_for()

    def told(self, text):
        self.root.get_by_text(text).first.wait_for()

    def cells(self):
        """What the notebook holds, and the mode it is in: what a stray key would change."""
        sources = self.page.locator(".jp-Notebook .jp-Cell .cm-content").all_text_contents()
        return sources, self.page.locator(".jp-Notebook .jp-MarkdownCell").count()

    def run_again(self):
        """Until another widget stands in place of this one."""
        self.root.evaluate("node => { node.dataset.former = 'yes'; }")
        self.book.menu("Run", "runmenu:run-all")
        self.page.locator(f".{self.element}:not([data-former])").wait_for()

    def restart(self):
        """Until the former kernel is gone."""
        self.book.menu("Kernel", "kernelmenu:restart")
        with self.page.expect_response(lambda reply: "/restart" in reply.url):
            self.page.get_by_role("button", name="Confirm Kernel Restart").click()

    def cut_off(self, *inside):
        """How many of these stand out at the right of the widget."""
        out = "(all, box) => all.filter(e => e.offsetParent && e.getBoundingClientRect().right > box.x + box.width + 1).length"
        return self.root.locator(", ".join(inside)).evaluate_all(out, self.root.bounding_box())

    def harmless(self, images=0):
        """Of hostile text: no element of its own, no dialog, no request, no error."""
        assert self.root.locator("img").count() == images
        alive = self.root.locator(f":is({LIVE})").count()
        assert (alive, self.book.dialogs, self.book.outside, self.book.errors) == (0, [], [], [])


LIVE = "script, svg, iframe, a, math, video, audio, object, embed, style, link, mjx-container, base, meta, template, marquee, custom-element"


@pytest.fixture(scope="session")
def spare():
    """Tabs with JupyterLab in them and no notebook."""
    return []


@pytest.fixture
def opened(lab, browser, spare, request):
    """open(path of a notebook below the root) -> Opened, all cells run."""
    taken = []

    def open_(path, width=1400, height=1000, **options):
        size = {"width": width, "height": height}
        if spare and not options:
            page = spare.pop()
            page.set_viewport_size(size)
        else:
            page = browser.new_context(viewport=size, **options).new_page()
        page.set_default_timeout(60_000)
        book = Opened(lab, page, path)
        taken.append((book, not options))
        book.run_all()
        return book

    yield open_
    for i, (book, plain) in enumerate(taken):  # the last look, for whoever has to find a fault
        book.screenshot(f"{request.node.name}-{i}".replace("/", "-"))
        if book.leave() and plain:
            spare.append(book.page)
        else:
            book.page.context.close()


@pytest.fixture
def notebook(opened, lab, request):
    """notebook(code of a cell, ...) -> Opened: a notebook of the test's name, all cells run."""

    def open_(*code, **options):
        name = request.node.name.replace("[", "-").replace("]", "")
        return opened(put_notebook(lab, f"{name}.ipynb", [*map(new_code_cell, code)]), **options)

    return open_
