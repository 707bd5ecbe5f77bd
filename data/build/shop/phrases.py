"""The wordings of the shopper's thoughts. `{One}` is `{one}` with a capital letter."""

from __future__ import annotations

FIRST = (  # what is wanted
    "The task asks for {wanted}.",
    "I need {wanted}.",
    "I have to find {wanted}.",
)
COSTLY = "{asin} costs {price}, the limit is {most}: too dear."
FITS = "{asin} costs {price}, the limit is {most}: it fits{named}."
NO_LIMIT = "{asin} costs {price}{named}."
OTHER_KIND = (
    "{asin} is not {kind}.",
    "The title of {asin} does not name {kind}.",
)
OPEN = ("I open {asin}.", "I click {asin}.", "I look at {asin}.")  # the hit that is opened
READ = (  # a sub-page of the product that is opened
    "{has}Nothing says {wanted} so far, so I look at {page}.",
    "{has}What about {wanted}? {page} may say so.",
    "{has}I have not read {wanted} yet. I click {page}.",
)
UNSURE = "I have read no word of {wanted}, and nothing against it."
TOLD = "{place} says {words}"
TAKE = (  # nothing fits, and something has to be bought
    "Nothing here fits. {asin} comes closest, so I open {asin}.",
    "Of these, {asin} is the best. I click {asin}.",
)
TURN = (
    "None of these fits. I look at the next page.",
    "There is nothing for me on this page, so I click Next.",
)
UNTOLD = ("Neither its title nor its pages say {wanted}.", "Nothing on its pages says {wanted}.")
HAS = {True: "{wanted} is the button {value}", False: "{name} has {value}"}  # another name, or not
CHOOSE = (
    "{Has}. I choose {it}, then I buy.",
    "{Has}. I click {it} and then Buy Now.",
    "{Has}, so I choose {it} and buy.",
)
NO_CHOICE = (
    "No option is asked for, so I buy it.",
    "There is nothing to choose for me. I buy it.",
)
WITHOUT = {True: "{name} has no {wanted}, only {values}", False: "there is no {name} to choose"}
LACKS = (
    "{Why}.",
    "Not this one: {why}.",
    "This does not fit: {why}.",
)
INSTEAD = ("I go back to {asin}.", "I go back and try {asin}.", "Next is {asin}.")
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
