"""What a reader says of what was just seen, in many wordings.

{fact} is a sentence, {low} the same after "that"; {here} the page that is open, {what} what its first
words say it is; {asked} what was searched; {seek}, {page}, {name} and {word} as in `phrases`, and the
first wording is the plain one here too.
"""

from __future__ import annotations

__all__ = [
    "EMPTY", "EMPTY_OPEN", "INVALID", "LOOP", "MISSING", "MISSING_LISTED", "NOT_IT", "NOT_YET", "NO_PAGE", "READ",
    "RECALL", "SEEN", "SEEN_LOOK", "SEEN_SEARCH", "UNQUOTED", "VAIN", "WRONG", "WRONG_BARE",
]  # fmt: skip

SEEN_SEARCH = (  # it stands among the first sentences
    "The first sentences say it: {fact}",
    "There it is, right at the top. {fact}",
    "Already the beginning of the page tells it. {fact}",
    "I have only to read on a little: {fact}",
    "The page begins with what I was after. {fact}",
    "{fact} That stands among the first sentences.",
    "Good, no need to look further down. {fact}",
)
SEEN_LOOK = (
    "That word led to it: {fact}",
    "This is the sentence. {fact}",
    "The result says it: {fact}",
    "Here it is. {fact}",
    "Found: {fact}",
)
SEEN = (
    "{fact}",
    "{fact}",
    "{fact}",
    "So {low}",
    "I read that {low}",
    "It says that {low}",
    "Now I know: {fact}",
    "Clear enough: {fact}",
)
UNQUOTED = (
    "The first sentences of this page tell it.",
    "What I wanted of {name} stands here.",
    "This is the page, and it tells what I was after.",
)
RECALL = (
    "I have read already that {low}",
    "From before I know: {fact}",
    "I have what I wanted from an earlier page: {fact}",
    "Earlier I saw this: {fact}",
    "Back to what I know. {fact}",
    "It stood there before: {fact}",
)
NOT_YET = (  # the right page, and nothing of it so far
    "The first sentences do not tell me {seek}.",
    "The page is the right one, but so far it is silent about {seek}.",
    "I have read the beginning, and {seek} is not in it.",
    "Not a word yet of {seek}.",
    "This is {name}, but only the first sentences. The rest may tell {seek}.",
    "Nothing here tells me {seek}, but only a part of the page is shown.",
    "The opening is about other things.",
    "Good, this is the page of {name}. The passage I want must come later.",
    "So far I learn other things about {name}.",
)
NOT_IT = (
    "That does not tell me {seek}.",
    "This sentence is about something else.",
    "That has the word in it, but it does not tell me {seek}.",
    "Not what I am after.",
    "Interesting, but it leaves {seek} open.",
    "The word is there, and still {seek} is not.",
    "I was hoping for {seek}; this is not it.",
)
EMPTY = (
    "The page does not use that word.",
    "The page does not use that word here.",
    "No such word. That does not mean that the page is silent about {seek}.",
    "Nothing found, so the sentence must use another word.",
    "That word leads nowhere; it can be said in other words.",
    "No result, but I should not give up after one word.",
    "The wrong word, I suppose.",
    "It may be put differently on this page.",
)
MISSING_LISTED = (
    "There is no page {asked}, but {page} is among the similar titles and fits. I search that.",
    "No page has that name, but {page} is among the similar ones and fits.",
    "Of the similar titles {page} is the one I mean.",
    "The list helps: {page} must be it.",
    "I see {page} in the list, and that is what I want.",
    "It goes under another title, probably {page}.",
    "Looking at the titles, {page} belongs to the question.",
    "That was not a title. {page} seems right, though I am not certain.",
)
MISSING = (
    "There is no page {asked}, and none of the similar titles is what I want.",
    "There is no page of that name, and none of the similar titles is what I want.",
    "That was no title.",
    "The search box does not know this.",
    "None of these titles fits.",
    "That search led nowhere.",
    "A title is a name, not a whole sentence.",
)
WRONG = (
    "{here} is {what}, so this is the wrong page.",
    "This page is about {here}, {what}. That does not help with {seek}.",
    "The first words say that {here} is {what}. I wanted something else.",
    "{here}: {what}. That has nothing to do with {seek}.",
    "I have landed on {here}, {what}. Not what I was looking for.",
    "So {here} is {what}; the question is about something else.",
)
WRONG_BARE = (
    "This is the page of {here}, and it does not help with {seek}.",
    "{here} is not the page I want.",
    "A wrong turn: {here} will not tell me {seek}.",
    "Here I only learn about {here}.",
)
READ = (
    "I have read what I wanted on the page of {here}.",
    "The page of {here} has told me its part already.",
    "{here} again? I know that page.",
    "There is nothing more for me on the page of {here}.",
)
LOOP = (
    "I did this before, and the same came back.",
    "That brings the same as last time, so something else has to be done.",
    "I am going round in circles.",
    "The same act, the same answer.",
    "Doing this once more will not help.",
    "I have seen exactly this already.",
)
NO_PAGE = (
    "No page is open yet, so there is nothing to look in.",
    "First a page has to be opened.",
    "One can only look a word up in a page, and none is open.",
)
INVALID = (
    "That was not an act that I can do here.",
    "I have to use one of the acts that there are.",
    "That did not count as an act.",
    "So that is not how it works.",
)
EMPTY_OPEN = (  # of a claim that nothing settles
    "No sentence of this page has that word.",
    "The page does not mention it anywhere.",
    "No result: the page leaves it open.",
    "Not mentioned here, neither for nor against.",
    "Nothing on this page about that.",
)
VAIN = (
    "The beginning does not mention it.",
    "So far nothing speaks for the claim or against it.",
    "The first sentences are about other things.",
    "Not a word of it up to here.",
    "The page does not begin with that.",
)
