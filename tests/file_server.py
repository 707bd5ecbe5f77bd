"""Servers on loopback that give files away; one may break off."""

import functools
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from stub_server import Answer, Stub


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def folder_served(folder):
    """What `python -m http.server --directory` does: the address of a folder."""
    handler = functools.partial(Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


@contextmanager
def server(content, stops=(), ranges=True, name="json_2.1.2_tw-pddl.zip"):
    """One file, or several by name; `stops`: after how many bytes the first answers break off."""
    asked = []

    def answer(request):
        wanted = request.headers.get("range")
        asked.append(wanted)
        file = content[request.path.rpartition("/")[2]] if isinstance(content, dict) else content
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and ranges else 0
        if start and start >= len(file):
            return Answer(status=416)
        stop = stops[len(asked) - 1] if len(asked) <= len(stops) else len(file)
        sent, status = file[start : start + stop], 206 if wanted and ranges else 200
        return Answer(sent, status, cut=len(file) - start - len(sent))

    with Stub(answer) as stub:
        yield stub.url.replace("/v1", f"/{name}"), asked
