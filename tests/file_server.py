"""Servers on loopback that give files away; one may break off."""

import functools
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer


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
    """Serves one file, or several by their names; `stops`: after how many bytes each of the first answers breaks off."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            wanted = self.headers.get("Range")
            asked.append(wanted)
            file = content[self.path.rpartition("/")[2]] if isinstance(content, dict) else content
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and ranges else 0
            if start and start >= len(file):
                self.send_error(416)
                return
            self.send_response(206 if wanted and ranges else 200)
            self.send_header("Content-Length", str(len(file) - start))
            self.end_headers()
            stop = stops[len(asked) - 1] if len(asked) <= len(stops) else len(file)
            self.wfile.write(file[start : start + stop])

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}/{name}", asked
        finally:
            http.shutdown()
            thread.join()
