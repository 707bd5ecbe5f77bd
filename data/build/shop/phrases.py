"""The wordings of the shopper's thoughts. `{One}` is `{one}` with a capital letter."""

from __future__ import annotations

__all__ = [
    "AGAIN", "BELOW", "BEST", "CHOOSE", "CLICK", "COSTLY", "FAILED", "FIRST", "HAS", "INSTEAD", "LACKS", "NO_BUTTON",
    "NOT_THAT", "NO_CHOICE", "OPEN", "OTHER_KIND", "RETURN", "TAKE", "TURN", "WITHOUT", "WRONG",
]  # fmt: skip

FIRST = (  # what is wanted
    "I want: {wanted}.",
    "The task asks for: {wanted}.",
    "What I need: {wanted}.",
)
COSTLY = (  # a hit that costs too much
    "{asin} costs {price}, and {price} is above {most}.",
    "{asin} is too dear: {price} is above {most}.",
    "Not {asin}, as {price} is above {most}.",
)
OTHER_KIND = (
    "{asin} is no {kind}.",
    "The title of {asin} does not name a {kind}.",
)
OPEN = (  # the hit that is opened
    "{asin} is a {thing}, and {below}. I open {asin}.",
    "{asin} fits: it is a {thing}, {below}. I click {asin}.",
    "I look at {asin}, a {thing}: {below}.",
)
BELOW = "{price} is below {most}"
TAKE = (  # nothing fits, and something has to be bought
    "Nothing here fits. {asin} comes closest, so I open {asin}.",
    "Of these, {asin} is the best. I click {asin}.",
)
TURN = (
    "None of these fits. I look at the next page.",
    "There is nothing for me on this page, so I click Next.",
)
HAS = {True: "{wanted} is the button {value}", False: "{name} has {value}"}  # another name, or not
CHOOSE = (
    "{Has}. I choose {it}, then I buy.",
    "{Has}. I click {it} and then Buy Now.",
    "{Has}, so I choose {it} and buy.",
)
CLICK = ("I click {buttons}.", "Now I click {buttons}.", "So I click {buttons}.")
NO_BUTTON = ("There is no button {name} here. {click}", "{name} is no button of this page. {click}")
NO_CHOICE = (
    "No option is asked for. {Below}, so I buy it.",
    "{Below}, and there is nothing to choose for me. I buy it.",
)
WITHOUT = {True: "{name} has no {wanted}, only {values}", False: "there is no {name} to choose"}
LACKS = (
    "{Why}.",
    "Not this one: {why}.",
    "This does not fit: {why}.",
)
INSTEAD = (
    "I go back to {asin}: {below}.",
    "I go back and try {asin}, as {below}.",
    "Next is {asin}: {below}.",
)
RETURN = ("I go back to {asin}, which fits better.", "{asin} was better, so I go back to it.")
AGAIN = (
    "I search again, for {query}.",
    "I go back to the search and look for {query}.",
)
BEST = (
    "It is still the best that I have seen.",
    "I have seen nothing better.",
)
WRONG = (  # a wrong option is chosen
    "I chose {chosen}, but I want {wanted}. I click {value}.",
    "{chosen} is not what is asked for. The right button is {value}.",
)
FAILED = (
    "That was no valid action: {why}. {Next}.",
    "That does not work, because {why}. {Next}.",
    "Nothing happened, as {why}. So {next}.",
)
NOT_THAT = {
    "search": "the search box is on the first page only",
    "click": "there is no button {name} on this page",
    "": "it was neither a search nor a click",
}
