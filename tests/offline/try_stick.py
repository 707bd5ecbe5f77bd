"""A stick's folder on a laptop with no network and an empty home: `make lab`, then the first cells.

Started by `make test-bundle` in a network of its own that has nobody else in it. It stands on its
own: Python alone, nothing of ours. What it prints is what a lesson has to wait for.
"""

import fcntl
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

WAIT = 1800  # seconds: a slow laptop sets up for long
FIRST = "my_notebooks/00_start_here.ipynb"
# Runs in the laptop's own Python: the cells of a notebook in the kernel that JupyterLab started.
CELLS = """
import json, sys, time
from jupyter_client import BlockingKernelClient
client = BlockingKernelClient(connection_file=sys.argv[1])
client.load_connection_file()
client.start_channels()
client.wait_for_ready(timeout=300)
for name, source in json.load(sys.stdin):
    begun = time.monotonic()
    told = client.execute_interactive(source, timeout=600, output_hook=lambda message: None)["content"]
    print(f"{name}: {told['status']} after {time.monotonic() - begun:.1f} s {told.get('evalue', '')}", flush=True)
    if told["status"] != "ok":
        sys.exit(1)
"""
LIVE = """\
import react_lab as rl
live = rl.run("react", rl.tasks.load("multihop")[0], model=rl.models.local())
assert live.steps and live.end not in ("error", "env_error"), live.error
"""


def alone():
    """Loopback up, and nobody outside."""
    with socket.socket() as any_socket:
        flags = struct.pack("16sH14x", b"lo", 1)  # IFF_UP
        fcntl.ioctl(any_socket, 0x8914, flags)  # SIOCSIFFLAGS
    for address in (("192.0.2.1", 80), ("1.1.1.1", 443)):
        try:
            socket.create_connection(address, 2).close()
        except OSError:
            continue
        sys.exit(f"there is a network here: {address} answers")


def size(folder):
    return sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file()) / 1e6


def say(words):
    print(f"-- {words}", flush=True)


def opened(folder, home):
    """`make lab` in the copy; a browser of ours writes down what it was told to open."""
    browser, page = home.parent / "browser", home.parent / "page"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{page}"\n')
    browser.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    env["BROWSER"] = f"{browser} %s"
    begun = time.monotonic()
    make = subprocess.Popen(["make", "lab"], cwd=folder, env=env, start_new_session=True)
    while not page.exists() or not page.read_text().strip():
        if make.poll() is not None:
            sys.exit("make lab ended without a page")
        if time.monotonic() > begun + WAIT:
            os.killpg(make.pid, signal.SIGTERM)
            sys.exit("make lab opened no page")
        time.sleep(0.5)
    seconds, busy = time.monotonic() - begun, os.getloadavg()[1] / (os.cpu_count() or 1)
    say(f"make lab opened its page after {seconds:.0f} s, {busy:.1f} processes a core")
    return make, env, page.read_text().strip()


def ask(address, token, path, body=None):
    data = json.dumps(body).encode() if body else None
    head = {"Authorization": f"token {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(address + path, data, head)
    with urllib.request.urlopen(request, timeout=120) as reply:
        return reply.read().decode()


def run_cells(folder, env, address, token):
    """Every cell of the first notebook that is no exercise, then the model itself, live."""
    page = ask(address, token, f"/lab/tree/{FIRST}")
    assert "jupyter-config-data" in page, page[:200]
    session = {"path": FIRST, "name": "first", "type": "notebook", "kernel": {"name": "python3"}}
    kernel = json.loads(ask(address, token, "/api/sessions", session))["kernel"]["id"]
    cells = json.loads((folder / FIRST).read_text(encoding="utf-8"))["cells"]
    sources = {f"cell {i}": "".join(cell["source"]) for i, cell in enumerate(cells) if cell["cell_type"] == "code"}  # fmt: skip
    code = [*sources.items(), ("the model, live", LIVE), ("once more", LIVE)]
    (connection,) = Path(env["HOME"]).rglob(f"kernel-{kernel}.json")
    python = folder / ".venv" / "bin" / "python"
    command, given = [python, "-c", CELLS, connection], json.dumps(code)
    subprocess.run(command, input=given, text=True, env=env, cwd=folder, check=True)


def main(bundle):
    alone()
    say(f"{bundle}: {size(bundle):.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        home, copy = Path(folder) / "home", Path(folder) / "of the class" / "bundle"
        home.mkdir()
        begun = time.monotonic()
        shutil.copytree(bundle, copy)
        say(f"copied after {time.monotonic() - begun:.0f} s")
        make, env, page = opened(copy / "lab", home)
        try:
            # JupyterLab gives a browser a file that leads to the address with the token
            page = Path(page.removeprefix("file://")).read_text() if "file:" in page else page
            address, token = re.search(r"(http://[^/]+)/[^\"]*?token=(\w+)", page).groups()
            run_cells(copy / "lab", env, address, token)
            say(f"on the laptop: {size(copy / 'lab'):.0f} MB in lab, {size(home):.0f} MB at home")
        finally:
            os.killpg(make.pid, signal.SIGTERM)
            make.wait(60)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
