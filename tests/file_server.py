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
def server(content, stops=(), name="json_2.1.2_tw-pddl.zip"):
    """One file, or several by name; `stops`: after how many bytes the first answers break off."""
    asked = []

    def answer(request):
        asked.append(request.path)
        file = content[request.path.rpartition("/")[2]] if isinstance(content, dict) else content
        stop = stops[len(asked) - 1] if len(asked) <= len(stops) else len(file)
        return Answer(file[:stop], cut=len(file) - len(file[:stop]))

    with Stub(answer) as stub:
        yield stub.url.replace("/v1", f"/{name}"), asked
