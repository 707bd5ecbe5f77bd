"""The live tab in Firefox, without a network: the model is loaded, and one question asked to its end.

Firefox is driven through WebDriver BiDi by what comes with Jupyter: websocket-client.
"""

import contextlib
import json
import os
import shutil
import subprocess
import time

import pytest
import websocket

import react_lab as rl

pytestmark = pytest.mark.live
QUESTION = "Which ship was launched first, HMS Agamemnon or HMS Victory?"
CARD = "document.querySelector('#runs .run')"
PREFS = {  # every address but this computer's own leads nowhere
    "network.proxy.type": 1,
    **{f"network.proxy.{kind}": "127.0.0.1" for kind in ("http", "ssl")},
    **{f"network.proxy.{kind}_port": 1 for kind in ("http", "ssl")},
    "app.update.disabledForTesting": True, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.reportingpolicy.firstRun": False,
}  # fmt: skip
PATIENCE = 3600  # seconds: a browser that hangs ends the test, a slow one does not


class Unanswered(RuntimeError):
    """Firefox could not do what it was told: it is between two pages, for one."""


class Firefox:
    """One window with one page. `asked`: every address that the page wanted; `errors`: what it said."""

    def __init__(self, program, profile):
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFS.items())
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--profile", profile]
        command += ["--remote-debugging-port", "0"]
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, **pipes, text=True)
        listens = next(
            line for line in self.process.stderr if "WebDriver BiDi listening on" in line
        )
        how = {"timeout": PATIENCE, "suppress_origin": True}
        self.socket = websocket.create_connection(f"{listens.split()[-1]}/session", **how)
        self.asked, self.errors, self.last = [], [], 0
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **params):
        """A command, and its answer; what is told meanwhile is noted."""
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": params}))
        while (told := json.loads(self.socket.recv())).get("id") != self.last:
            event, about = told.get("method"), told.get("params", {})
            if event == "network.beforeRequestSent":
                self.asked.append(about["request"]["url"])
            if event == "log.entryAdded" and about["level"] == "error":
                self.errors.append(about["text"])
        if told["type"] == "error":
            raise Unanswered(f"{method}: {told['message']}")
        return told["result"]

    def evaluate(self, expression):
        """What an expression of the page is worth."""
        code = f"(async () => JSON.stringify(await ({expression}) ?? null))()"
        about = {"target": {"context": self.page}, "awaitPromise": True, "expression": code}
        told = self.call("script.evaluate", **about)
        assert told["type"] != "exception", told["exceptionDetails"]["text"]
        return json.loads(told["result"]["value"])

    def wait(self, expression):
        """Until an expression of the page, which loads itself anew for threads, is true: its worth."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(Unanswered):
                if found := self.evaluate(expression):
                    return found
            time.sleep(0.1)
        raise TimeoutError(f"it never came true: {expression}")

    def close(self):
        self.call("browser.close")
        self.socket.close()
        self.process.wait()
        self.process.stderr.close()


@pytest.fixture
def firefox(tmp_path):
    named = os.environ.get("REACT_LAB_FIREFOX")
    program = named or shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        pytest.skip("needs Firefox: apt-get install firefox-esr")
    firefox = Firefox(program, tmp_path)
    yield firefox
    firefox.close()


def test_a_question_is_asked_to_its_end(server, firefox):
    where = {"context": firefox.page, "url": f"{server}/live/index.html?threads=1"}
    firefox.call("browsingContext.navigate", **where, wait="complete")
    firefox.wait("document.querySelector('#load')?.disabled === false")
    firefox.evaluate("document.querySelector('#load').click()")
    ready = firefox.wait(
        "document.body.dataset.ready || document.querySelector('#sizes.wrong')?.textContent"
    )
    assert ready.isdecimal(), (ready, firefox.errors)
    firefox.evaluate(f"document.querySelector('#text').value = {json.dumps(QUESTION)}")
    firefox.evaluate("document.querySelector('#go').click()")
    firefox.wait(f"{CARD}?.querySelector('.end:not([hidden])')?.textContent")
    said = firefox.evaluate(f"[...{CARD}.querySelectorAll('.act')].map((one) => one.textContent)")
    recorded = rl.store.open(rl.data.folder("runs", "first_questions", "react.jsonl"))
    (theirs,) = [run for run in recorded if run.task.text == QUESTION]
    assert said[-1].startswith("Finish[") and said == [step.action for step in theirs.steps]
    assert [url for url in firefox.asked if not url.startswith((server, "blob:", "data:"))] == []
    assert firefox.errors == []
