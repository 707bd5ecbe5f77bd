"""A tab of Chromium whose every way out is shut, and a model for it that says what a test tells it to."""

SLOW = 600_000  # ms: how long the slowest machine may take; nothing waits so long on purpose
# In place of model.js: the replies of `window.says`, one after the other; without one it waits.
SCRIPTED = """
export const keptFiles = async (files) => ({ can: true, lacking: files });
export const threadsHere = () => 1;
export class Model {
  constructor() { this.threads = 1; }
  async load(onBytes, onNote) { onNote(); }
  async complete(ask, onText, signal) {
    const text = window.says?.shift();
    if (text === undefined)
      await new Promise((_, stopped) => signal.addEventListener("abort", () => stopped(signal.reason)));
    for (let end = 1; end <= text.length; end += 7) onText(text.slice(0, end));
    onText(text);
    await new Promise(requestAnimationFrame); // so that what streams in is drawn
    const settings = { api: "a test", temperature: 0, stop_sent: true, threads: 1 };
    return { text, why: "stop", tokens_in: 1, tokens_out: 1, seconds: 0.1, settings };
  }
}
"""


class Tab:
    """A page whose every way out is shut and noted."""

    def __init__(self, browser, server, **how):
        self.server, self.outside, self.errors, self.asked = server, [], [], []
        self.context = browser.new_context(viewport={"width": 1000, "height": 900}, **how)
        self.context.route("**/*", self.watch)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SLOW)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", self.refuse)
        self.page.on("console", self.hear)

    def watch(self, route):
        self.asked.append(route.request.url)
        if route.request.url.startswith((self.server, "blob:", "data:")):
            return route.continue_()
        self.outside.append(route.request.url)
        route.abort()

    def hear(self, said):
        self.errors += [said.text] * (said.type == "error")

    def refuse(self, dialog):
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def instead(self, name, body, kind):
        """Give the page something else for a file of the tab."""
        instead = {"body": body, "content_type": kind}
        self.context.route(f"**/live/{name}*", lambda route: route.fulfill(**instead))

    def scripted(self):
        """The model is the one that a test tells what to say."""
        self.instead("model.js", SCRIPTED, "text/javascript")

    def open(self, name):
        self.page.goto(f"{self.server}/live/{name}")
        return self.page

    def close(self):
        self.context.close()
        assert not self.outside and not self.errors, (self.outside, self.errors)
