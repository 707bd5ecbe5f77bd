"""Why an act was invalid, for the student: the model reads only "Invalid action!"."""

from __future__ import annotations

from ...characters import inline
from .pages import SUB_PAGES, Page

__all__ = ["why_not"]

WHERE = {  # on which page a button stands
    **dict.fromkeys((*(name.lower() for name in SUB_PAGES), "buy now"), "the page of a product"),
    "next >": "a page of results that is not the last one",
    "< prev": "every page but the first one",
    "back to search": "every page but the first one",
}
NO_BOX = "the search box is on the first page only: click[Back to Search] leads there"


def why_not(page: Page, name: str, argument: str, may_search: bool) -> str:
    """What was wrong with an act on a page."""
    if page.name == "done":
        return "the purchase is made, and the episode is over"
    if name == "search":
        return "a search needs words" if may_search else NO_BOX
    if name != "click":
        return "an act is search[words], click[button] or think[thought]"
    return why_no_click(page, argument)


def why_no_click(page: Page, argument: str) -> str:
    wanted = argument.lower()
    if wanted == "search":
        return "the box is used by search[words]"
    if any(part.text.lower() == wanted for part in page.body if part.kind in ("button", "option")):
        return "the authors' notebook shows this button and does not turn pages"
    if wanted in WHERE:
        return f"[{argument}] is on {WHERE[wanted]}, and this is {this(page)}"
    return f"[{inline(argument[:80])}] is no button of this page"


def this(page: Page) -> str:
    names = {"search": "the first page", "results": "a page of results", "item": "a product's page"}
    return names.get(page.name, "a page of details")
