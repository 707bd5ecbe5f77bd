"""A real MediaWiki on the loopback interface, over SQLite, empty until a test loads pages.

It is Debian's, as `.ci/run` installs it. Everything it writes lies below one temporary folder.
"""

import os
import socket
import subprocess
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from wiki_server import MEANINGS, PAGES, REDIRECTS

from react_lab.envs.pages import bundled

HOUSE = Path("/usr/share/mediawiki")
SETTINGS = Path(__file__).with_name("settings.php")
DUMP = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">{}</mediawiki>'
REVISION = (
    "<page><title>{}</title><revision><timestamp>{}</timestamp><model>wikitext</model>"
    '<format>text/x-wiki</format><text xml:space="preserve">{}</text></revision></page>'
)


class MediaWiki:
    """`api` is its address, `load` adds pages."""

    def __init__(self, folder):
        self.folder, self.env = folder, dict(os.environ)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.host = f"127.0.0.1:{free.getsockname()[1]}"
        self.api = f"http://{self.host}/api.php"
        options = {
            "dbtype": "sqlite", "dbpath": folder / "data", "dbname": "wiki", "confpath": folder,
            "server": f"http://{self.host}", "scriptpath": "", "pass": "for-the-tests-only",
        }  # fmt: skip
        self.php("install", *[f"--{name}={value}" for name, value in options.items()], "W", "Admin")
        written = folder / "LocalSettings.php"
        with written.open("a", encoding="utf-8") as settings:
            settings.write(f"\nrequire '{SETTINGS}';\n")
        self.env["MW_CONFIG_FILE"] = str(written)

    def php(self, script, *arguments):
        """One of MediaWiki's own maintenance scripts; what it printed is shown if it fails."""
        command = ["php", HOUSE / "maintenance" / f"{script}.php", *arguments]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=300)
        assert not done.returncode, done.stdout + done.stderr

    def load(self, pages, when="2022-01-01T00:00:00Z", *, quick=False):
        """Import {title: wikitext}, each a revision of that moment: a later one is a new edit.

        quick: a search does not find them yet, and their __DISAMBIG__ is not read.
        """
        body = [REVISION.format(escape(title), when, escape(pages[title])) for title in pages]
        dump = self.folder / "pages.xml"
        dump.write_text(DUMP.format("".join(body)), encoding="utf-8")
        self.php("importDump", *["--no-updates"] * quick, dump)

    def answers(self):
        try:
            return urllib.request.urlopen(f"{self.api}?action=query", timeout=30).close() is None
        except OSError:
            return False


@contextmanager
def running(wiki):
    """The wiki while its web server runs."""
    log = wiki.folder / "server.log"
    # ten minutes at most, should the tests be killed: they could not stop it then
    command = ["timeout", "600", "php", "-S", wiki.host, "-t", HOUSE]
    with log.open("wb") as out, subprocess.Popen(command, env=wiki.env, stderr=out) as server:
        try:
            end = time.monotonic() + 300  # only a hang meets it
            while not wiki.answers():
                assert server.poll() is None and time.monotonic() < end, log.read_text()
                time.sleep(0.05)
            yield wiki
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def wiki(tmp_path_factory):
    """The stand-in's pages as wikitext; its longest is more than a wiki takes."""
    pages = {title: text for title, text in PAGES.items() if title != "Long page"}
    pages |= {title: f"#REDIRECT [[{to}]]" for title, to in REDIRECTS.items()}
    pages["In Ulm"] = "#REDIRECT [[Albert Einstein#Life]]"
    pages |= {title: listed(MEANINGS[title]) for title in ("Mercury", "Chain 0", "Chain 1")}
    with running(MediaWiki(tmp_path_factory.mktemp("mediawiki"))) as wiki:
        wiki.load(pages)
        yield wiki


def listed(meanings):
    """A list of meanings as wikitext."""
    links = "".join(f"* [[{meaning}]], a meaning\n" for meaning in meanings)
    return f"This may refer to:\n\n{links}\n__DISAMBIG__"


@pytest.fixture(scope="session")
def encyclopedia(tmp_path_factory):
    """The bundled encyclopedia as a wiki: every page, alias and list of meanings."""
    texts, lists = {}, {}
    for title, row in bundled().rows.items():
        texts |= {title: row["text"]} if "text" in row else {}
        texts |= dict.fromkeys(row.get("aliases", ()), f"#REDIRECT [[{title}]]")
        lists |= {title: listed(row["options"])} if "options" in row else {}
    with running(MediaWiki(tmp_path_factory.mktemp("encyclopedia"))) as wiki:
        wiki.load(texts, quick=True)
        wiki.load(lists)
        wiki.php("rebuildtextindex")
        yield wiki
