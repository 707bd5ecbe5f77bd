"""What shuts somebody out of a page as it is now, after axe-core."""


def grave(page, within=None):
    """Of each rule that is broken: its name, the first element that breaks it, and why."""
    from axe_playwright_python.sync_playwright import Axe  # not at import: `make test` lacks it

    found = Axe().run(page, within).response["violations"]
    grave = [(v["id"], v["nodes"][0]) for v in found if v["impact"] in ("serious", "critical")]
    return [(rule, node["html"][:300], node["failureSummary"]) for rule, node in grave]
