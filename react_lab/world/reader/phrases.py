"""What a reader means to do next, in many wordings.

{seek} is what is looked for, a noun or a question ("whom she married"), {rest} what comes after it;
{page} a name as it is searched; {word} a word to look up; {name} the page that is wanted. The first
wording of each is the plain one.
"""

from __future__ import annotations

__all__ = [
    "AGAIN", "ANSWER", "BACK", "CHECK", "COMPARE", "DOUBT", "FIRST", "HASTE", "LOOK", "NEXT", "NO",
    "NO_BARE", "OPENING", "OPENING_ONE", "SENSE", "TRY", "UNSETTLED", "UNTOLD", "VAIN_LOOK", "VAIN_NEXT",
    "YES",
]  # fmt: skip

OPENING = (  # a question that takes several facts
    "I need {seek}, and then {rest}.",
    "Before I can tell {rest}, I have to find out {seek}.",
    "The question turns on {seek}. Once I have that, I can look for {rest}.",
    "{page} is named in the question, so I begin there and look for {seek}.",
    "Let me take this apart: {seek} first, {rest} later.",
    "What is asked in the end is {rest}. The way there begins with {page}.",
    "A page about {page} will surely tell {seek}.",
    "In other words: find {seek}, and then {rest}.",
    "I could guess, but it is safer to read about {page}.",
    "Hm, {seek}? I would look at the page of {page} for that.",
    "Start with {page}: its page should tell {seek}.",
    "First {seek}. After that, {rest}.",
    "My memory is not to be trusted here, so I read about {page} before I say anything.",
    "Everything hangs on {seek}.",
    "Who or what is meant becomes clear from the page of {page}. Then comes {rest}.",
    "It takes two readings: one for {seek}, one for {rest}.",
    "The only name I can hold on to is {page}.",
    "Let me see what is written of {page}; it should give me {seek}.",
    "Someone who asks this wants {rest}, but nobody can tell that without {seek}.",
    "I need {seek} first, and then {rest}.",
    "Step one is {seek}.",
    "This goes by way of {page}.",
    "{page} comes first. From there I go on to {rest}.",
)
OPENING_ONE = (  # one fact, or several on one page
    "I need {seek}.",
    "The page of {page} should tell {seek}.",
    "I look up {page} and read what it says.",
    "That must stand on the page of {page}.",
    "In other words, I am asked for {seek}. Let me read about {page}.",
    "I do not know {seek} by heart, so I search {page}.",
    "A short question: {seek}. One page may do.",
    "Let me not guess {seek}, but read it.",
    "{page} is the page to read here.",
    "Plainly put: {seek}. I search {page}.",
    "I think I have heard of {page}, but the page will tell it better.",
    "What is known of {page}? Its page should tell {seek}.",
    "Common sense says that the page of {page} tells this.",
)
COMPARE = (
    "I need {seek}, and then {rest}.",
    "Two things are compared. I read about {page} first and then about the other.",
    "To compare them I find out {seek}, and then the same of the other.",
    "Each has a page of its own. {page} first.",
    "For a comparison I want {seek} and {rest}.",
    "Let me take them one by one, beginning with {page}.",
    "The two have to be set side by side: {seek}, and {rest}.",
    "I read both pages. The first is that of {page}.",
    "Which it is I cannot say before I have read {seek} and {rest}.",
    "One after the other: first {page}.",
    "I would only be guessing. {page} first, then the other one.",
)
CHECK = (  # a claim
    "I need {seek}, to compare it with the claim.",
    "The claim speaks of {page}. Whether it is right depends on {seek}.",
    "To check this I find out {seek}.",
    "It sounds possible, but I had better read about {page}.",
    "Is that so? The page of {page} should show it.",
    "What counts is {seek}.",
    "A claim is only as good as its source: let me read the page of {page}.",
    "I begin with {page} and compare what I read with the claim.",
    "I cannot tell from memory. {page} has to be looked at first.",
    "The first thing to settle is {seek}.",
    "If the claim is true, the page of {page} should bear it out.",
    "Someone says so; the page of {page} will tell more.",
    "Put otherwise, the claim is about {seek}.",
    "It may be right or wrong. {page} is where I look.",
    "Let me test this against the page of {page}.",
)
NEXT = (
    "Next I need {seek}.",
    "Next comes {page}: {seek}.",
    "So the next page is {page}, which should tell {seek}.",
    "Now {seek} is missing.",
    "What remains is {seek}.",
    "With this name I can go on to {page}.",
    "The page of {page} should tell {seek}.",
    "Now I want {seek}, and for that the page of {page}.",
    "On to {page}, to find {seek}.",
    "Half of it is done. {Seek} stands, I think, on the page of {page}.",
    "That leads me to {page}.",
    "Then I ask the page of {page} for {seek}.",
    "The other half is {seek}.",
    "I read about {page} next.",
    "Now for {seek}. {page} is the page to look at.",
    "One question is left: {seek}.",
)
FIRST = (  # on a search that is not the first act, with nothing known yet
    "I need {seek}.",
    "The place to begin is the page of {page}.",
    "What I want is {seek}, and that belongs to {page}.",
    "Better to search {page} itself.",
    "The task names {page}. That page should tell {seek}.",
    "I search {page}, and nothing more than that.",
    "Let me go for {page} and find {seek} there.",
    "A simple name is best: {page}.",
    "{page} is what this is about.",
)
TRY = (  # words that are no title
    "I do not know the title, so I search for {page} and see what comes.",
    "Perhaps a search for {page} brings the right title.",
    "What is it called? I try {page}.",
    "A search for {page} may show which page is meant.",
    "There will be no page called {page}, but the similar titles may help.",
    "I try {page}; the list of similar titles should tell more.",
)
BACK = (
    "I search {page} again, because {seek} must stand there.",
    "I was on the page of {page} before and left it too early.",
    "Back to {page}: there may be more on that page about {seek}.",
    "The page of {page} was the right one after all, so I open it again.",
    "I return to {page}, because {seek} must stand there.",
)
LOOK = (
    "I look up the word {word}.",
    "I look for the word {word}.",
    "A sentence that tells it would hold the word {word}.",
    "Perhaps {word} stands further down.",
    "I try the word {word}.",
    "What would such a sentence say? Perhaps {word}.",
    "The word {word} may lead there.",
    "Let me see where the page has {word}.",
    "If the page tells it, then near the word {word}.",
    "{word} is a word to look up here.",
    "One would write it with {word}.",
    "So I go through the rest of the page for {word}.",
    "Maybe it is where {word} is mentioned.",
)
AGAIN = (
    "I look up the word {word} again.",
    "There is another result for {word}, so I ask for it.",
    "The next result may be the right one.",
    "I look further with the same word.",
    "The word {word} comes once more on this page.",
    "Let me see the next sentence with {word}.",
    "I am not done with {word} yet.",
)
HASTE = (
    "Not everything is checked, but few steps are left.",
    "There is no time to read the rest.",
    "I cannot check every part of it any more.",
)
ANSWER = (
    "So the answer is {answer}.",
    "That answers the question: {answer}.",
    "The answer is {answer}.",
    "{answer} it is.",
    "With that I can answer: {answer}.",
    "Nothing is missing now, the answer is {answer}.",
    "This is what was asked: {answer}.",
    "I am fairly sure that {answer} is the answer.",
    "Asked for was this, so: {answer}.",
    "I can stop here. {answer}.",
    "Then {answer} is what the question wants.",
)
DOUBT = (
    "It fits the question well enough.",
    "That agrees with what I read before.",
    "I see no reason to doubt it.",
)
YES = (
    "That is what the claim says.",
    "The claim agrees with this.",
    "So the claim is true.",
    "The page bears the claim out.",
    "The claim says the same in other words.",
    "It fits, so the claim is supported.",
    "Then the claim is right.",
)
NO = (
    "The claim says {claimed}, so it is wrong.",
    "That is not {claimed}, so the claim is false.",
    "The claim has {claimed} instead, and that cannot be right.",
    "This speaks against the claim, which says {claimed}.",
    "{claimed}, as the claim has it, is not right.",
    "The claim does not fit with this: {claimed} is wrong.",
)
NO_BARE = (
    "The claim says otherwise, so it is false.",
    "That contradicts the claim.",
    "The claim does not agree with this, so it is wrong.",
    "So it was not as the claim has it.",
    "This speaks against the claim.",
)
UNSETTLED = (
    "Two pages have been read, and neither says it. There is not enough information.",
    "Both pages leave it open, so there is not enough information.",
    "It may be so or not: neither of the pages tells. Not enough information.",
    "I have looked in two places and found nothing for it or against it. There is not enough information.",
    "Neither page supports the claim or speaks against it, so there is not enough information.",
    "I looked where it ought to stand, on two pages. Nobody can tell from this.",
)
UNTOLD = (  # the last page was the right one, and does not tell it
    "I have looked for {seek}, and it is not there. There is not enough information.",
    "The first part of the claim holds, and the second stands nowhere. There is not enough information.",
    "The page that should tell {seek} does not, so there is not enough information.",
    "Nothing tells me {seek}. The claim may be right or wrong: not enough information.",
    "So the claim cannot be settled, because neither page tells {seek}. Not enough information.",
    "Without {seek} nobody can say whether the claim is true. There is not enough information.",
    "Who reads both pages still does not know {seek}. There is not enough information.",
)
VAIN_LOOK = (
    "I look up the word {word}.",
    "Let me see whether {word} is mentioned at all.",
    "I look for {word} in the rest of the page.",
    "If the claim is true, {word} may stand further down.",
    "Perhaps the page comes to {word} later.",
    "I go through the page for the word {word}.",
)
VAIN_NEXT = (
    "One page is not enough to say that nothing is known. {page} may tell it.",
    "This page is silent about it. I try the page of {page}.",
    "That settles nothing yet. Maybe the page of {page} has it.",
    "Before I give up, I look at {page} too.",
    "It may stand elsewhere, on the page of {page}.",
    "The other place where it could stand is {page}.",
)
SENSE = {  # what anyone knows of such pages
    "birth_year": "Pages about people tell the birth early.",
    "born_in": "Where somebody was born usually stands near the beginning.",
    "death_year": "The end of a life comes late on a page.",
    "died_in": "The death of a person is told towards the end.",
    "buried_in": "A grave comes at the end of a life, and of a page.",
    "author": "A page about a book names who wrote it.",
    "director": "A page about a film names its director.",
    "composer": "Music has a composer, and the page will name one.",
    "architect": "A building has an architect.",
    "founder": "Somebody must have founded it.",
    "discoverer": "Somebody saw it first, and the page will say who.",
    "discovered_by": "Somebody saw it first, and the page will say who.",
    "educated_at": "Schools stand in the early part of a life.",
    "spouse": "A marriage is told in the middle of a life.",
    "on_river": "A page about a town tells of its river.",
    "capital": "A page about a country names its capital.",
    "country": "In which country a thing is stands mostly in the first sentence.",
    "located_in": "Where a thing is stands mostly in the first sentence.",
    "named_after": "A name is explained somewhere on the page.",
    "painter": "A page about a picture names its painter.",
    "headquarters": "A company has a seat, and the page will name it.",
    "height_m": "A height is given in metres.",
    "length_km": "A length is given in kilometres.",
    "year": "A date mostly stands in the first sentences.",
}  # fmt: skip
