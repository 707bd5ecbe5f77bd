"""A real MediaWiki on the loopback interface, over SQLite, empty until a test loads pages.

It is Debian's, as `.ci/run` installs it. Everything it writes lies below one temporary folder.
"""

import os
import socket
import subprocess
import urllib.request
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from waiting import until
from wiki_server import MEANINGS, PAGES, REDIRECTS

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

    def load(self, pages, when="2022-01-01T00:00:00Z"):
        """Import {title: wikitext}, each a revision of that moment: a later one is a new edit."""
        body = [REVISION.format(escape(title), when, escape(pages[title])) for title in pages]
        dump = self.folder / "pages.xml"
        dump.write_text(DUMP.format("".join(body)), encoding="utf-8")
        self.php("importDump", dump)

    def answers(self):
        try:
            return urllib.request.urlopen(f"{self.api}?action=query", timeout=30).close() is None
        except OSError:
            return False


@pytest.fixture(scope="session")
def wiki(tmp_path_factory):
    """The stand-in's pages as wikitext; its longest is more than a wiki takes."""
    pages = {title: text for title, text in PAGES.items() if title != "Long page"}
    pages |= {title: f"#REDIRECT [[{to}]]" for title, to in REDIRECTS.items()}
    pages["In Ulm"] = "#REDIRECT [[Albert Einstein#Life]]"
    pages |= {title: listed(MEANINGS[title]) for title in ("Mercury", "Chain 0", "Chain 1")}
    wiki = MediaWiki(tmp_path_factory.mktemp("mediawiki"))
    wiki.load(pages)
    # ten minutes at most, should the tests be killed: they could not stop it then
    command = ["timeout", "600", "php", "-S", wiki.host, "-t", HOUSE]
    with subprocess.Popen(command, env=wiki.env, stderr=subprocess.DEVNULL) as server:
        until(lambda: wiki.answers() or server.poll() is not None)
        yield wiki
        server.terminate()


def listed(meanings):
    """A list of meanings as wikitext."""
    links = "".join(f"* [[{meaning}]], a meaning\n" for meaning in meanings)
    return f"This may refer to:\n\n{links}\n__DISAMBIG__"
