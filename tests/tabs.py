"""A tab of Chromium whose every way out is shut, and that is to be without a fault."""

SLOW = 600_000  # ms: how long the slowest machine may take; nothing waits so long on purpose


def told_as_a_file(browser, path):
    """What a page that no server gives says to do."""
    page = browser.new_page()
    page.goto(path.resolve().as_uri())
    page.get_by_role("alert").wait_for()
    told = page.get_by_role("alert").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    page.close()
    return told


class Tab:
    """`with` it: what it may not ask is cut and written down, as is all that goes wrong in it."""

    def __init__(self, browser, home, width=1000, height=900, **options):
        self.home, self.asked, self.cut, self.faults = home, [], [], []
        size = {"width": width, "height": height}
        self.context = browser.new_context(viewport=size, **options)
        self.context.route("**/*", self.let)
        self.page = self.context.new_page()
        self.page.set_default_timeout(SLOW)
        self.page.on("console", lambda m: self.fault(m.text, m.type in ("error", "warning")))
        self.page.on("pageerror", lambda error: self.fault(str(error)))
        self.page.on("dialog", lambda dialog: (self.fault(dialog.message), dialog.dismiss()))
        self.page.on("response", lambda r: self.fault(f"{r.status} {r.url}", r.status >= 400))

    def let(self, route):
        self.asked.append(route.request.url)
        if route.request.url.startswith((f"{self.home}/", "blob:", "data:")):
            return route.continue_()
        self.cut.append(route.request.url)
        return route.abort()

    def fault(self, words, counts=True):
        self.faults += [words] * counts

    def instead(self, name, body, kind):
        """Give the page something else for a file."""
        told = {"body": body, "content_type": kind}
        self.context.route(f"**/{name}*", lambda route: route.fulfill(**told))

    def open(self, name):
        self.page.goto(f"{self.home}/{name}")
        return self.page

    def download(self, press, folder):
        """What a press gives, as a file of the name that it is offered under."""
        with self.page.expect_download() as got:
            press()
        path = folder / got.value.suggested_filename
        got.value.save_as(path)
        return path

    def clean(self):
        assert (self.cut, self.faults) == ([], [])

    def __enter__(self):
        return self

    def __exit__(self, *failed):
        self.context.close()
        if not any(failed):
            self.clean()


# ---------------------------------------------------------------------- the live tab
def begun(tab, path="live/index.html"):
    """The page of a tab, when its model is in it."""
    page = tab.open(path)
    page.locator("#load:enabled").click()
    page.locator("body[data-ready], #sizes.wrong").first.wait_for()
    assert page.inner_text("#sizes").startswith("Ready: loaded in")
    return page


def ask(page, text, **chosen):
    """Ask, and wait until the run is over: its card."""
    before = page.locator("#runs .run").count()
    for name, value in chosen.items():
        page.check(f"input[name={name}][value={value}]")
    page.fill("#text", text)
    page.click("#go")
    page.locator("#runs .run").nth(before).wait_for()
    card = page.locator("#runs .run").first
    card.locator(".end:not([hidden])").wait_for()
    return card
