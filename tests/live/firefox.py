"""Firefox driven through WebDriver BiDi, without a network: as much of it as the live tab's test needs.

It asks for nothing beyond Jupyter: psutil and websocket-client come with that.
"""

import contextlib
import json
import re
import subprocess
import time

import psutil
import websocket

PREFS = {  # every address but this computer's own leads nowhere
    "network.proxy.type": 1,
    **{f"network.proxy.{kind}": "127.0.0.1" for kind in ("http", "ssl")},
    **{f"network.proxy.{kind}_port": 1 for kind in ("http", "ssl")},
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
PATIENCE = 3600  # seconds: a browser that hangs ends the test, a slow one does not


class Unanswered(RuntimeError):
    """Firefox could not do what it was told: it is between two pages, for one."""


class Firefox:
    """One window with one page. `asked`: every address that the page wanted; `errors`: what it said."""

    def __init__(self, program, profile):
        prefs = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFS.items())
        (profile / "user.js").write_text("\n".join(prefs), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]  # fmt: skip
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen(command, **pipes, text=True)
        for line in self.process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise RuntimeError("Firefox ended before it listened")
        how = {"timeout": PATIENCE, "suppress_origin": True}
        self.socket = websocket.create_connection(f"{found[1]}/session", **how)
        self.asked, self.errors, self.last = [], [], 0
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method, **params):
        """A command, and its answer; what is told meanwhile is noted."""
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": params}))
        while True:
            told = json.loads(self.socket.recv())
            if told.get("id") == self.last:
                break
            self.heard(told.get("method"), told.get("params", {}))
        if told["type"] == "error":
            raise Unanswered(f"{method}: {told['message']}")
        return told["result"]

    def heard(self, event, params):
        if event == "network.beforeRequestSent":
            self.asked.append(params["request"]["url"])
        if event == "log.entryAdded" and params["level"] == "error":
            self.errors.append(params["text"])

    def open(self, url):
        self.call("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def evaluate(self, expression):
        """What an expression of the page is worth."""
        told = self.call(
            "script.evaluate", target={"context": self.page}, awaitPromise=True,
            expression=f"(async () => JSON.stringify(await ({expression}) ?? null))()",
        )  # fmt: skip
        if told["type"] == "exception":
            raise RuntimeError(told["exceptionDetails"]["text"])
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
        self.socket.close()
        first = psutil.Process(self.process.pid)
        for one in [*reversed(first.children(recursive=True)), first]:
            one.terminate()
        self.process.wait()
        self.process.stderr.close()
