"""The Wikipedia world of section 3.1: Search, Lookup, Finish.

A bad act is an observation, never an exception; a broken network raises EnvError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..kinds import kind_of
from ..types import Action, Env, Seen, Task, split_act
from .pages import LONGEST, Pages, bundled

__all__ = ["Wiki", "WikiEnv", "sentences"]


class WikiEnv:
    """A reader of pages who can search for one, look a word up in it, and answer."""

    actions = (
        Action(
            "Search[entity]",
            "finds the page with this title and gives its first five sentences; if there is none, "
            "it gives up to five similar titles to search instead",
        ),
        Action(
            "Lookup[keyword]",
            "gives the next sentence of the page last found that contains the keyword",
        ),
        Action("Finish[answer]", "gives the answer and ends the task"),
    )
    replayable = True

    def __init__(self, pages: Pages, start: str = "Question: ", mode: str = "sentences"):
        self.pages, self.start, self.mode = pages, start, mode
        self.page: tuple[str, ...] = ()  # the sentences of the page last found
        self.keyword, self.results = "", list[str]()  # what is being looked up, what is left
        self.found = 0

    def reset(self, task: Task) -> str:
        self.page, self.keyword, self.results, self.found = (), "", [], 0
        return f"{self.start}{one_line(task.text)}"

    def step(self, action: str) -> Seen:
        """Do one act, whatever the case of its name."""
        act = split_act(action)
        usages = {a.usage.partition("[")[0].lower(): a.usage for a in self.actions}
        if act is None or act[0].lower() not in usages:
            return self.invalid(action, "not one of the acts")
        name, argument = act[0].lower(), one_line(act[1])
        if f"{name}[{argument.lower()}]" == usages[name].lower():
            return self.invalid(action, "the template itself, not filled in")
        if name == "finish":
            return Seen("", done=True, answer=argument)
        if not argument:
            return self.invalid(action, "empty")
        if len(argument) > LONGEST:
            return self.invalid(action, f"longer than {LONGEST} characters")
        return self.search(argument) if name == "search" else self.lookup(argument)

    def invalid(self, action: str, why: str) -> Seen:
        acts = ", ".join(a.usage for a in self.actions)
        return Seen(f"Invalid action: {one_line(action)[:200]}. Use one of {acts}.", why=why)

    def search(self, entity: str) -> Seen:
        """The first five sentences; a failed search leaves the page last found open."""
        text = self.pages.get(entity)
        if not text:
            similar = [one_line(title) for title in self.pages.search(entity, 5)][:5]
            return Seen(f"Could not find {entity}. Similar: {similar}.", why="no such page")
        self.page, self.keyword = sentences(text, self.mode), ""
        return Seen(" ".join(self.page[:5]))

    def lookup(self, keyword: str) -> Seen:
        """Each call gives the next sentence; a new page or a new keyword starts again."""
        if keyword.lower() != self.keyword:
            self.keyword = keyword.lower()
            self.results = [s for s in self.page if self.keyword in s.lower()]
            self.found = len(self.results)
        if not self.results:
            return Seen("No more results.", why=None if self.page else "no page is open")
        at = self.found - len(self.results) + 1
        return Seen(f"(Result {at} / {self.found}) {self.results.pop(0)}")


def sentences(text: str, mode: str = "sentences") -> tuple[str, ...]:
    """A page's sentences, each on one line. `mode="paper"` splits at '. ' as the authors did."""
    if mode == "paper":
        return tuple(one_line(s) + "." for s in text.replace("\n", " ").split(". ") if s.strip())
    from sentencex import segment

    found = (sentence for part in parts(text) for sentence in segment("en", part))
    return tuple(s for s in map(one_line, found) if s)


def parts(text: str, most: int = 4000) -> Iterator[str]:
    """A text in parts that `sentencex` is quick with: each ends with a paragraph, line or sentence.

    In one part its time grows with the square of the quotation marks. A lone surrogate is no text
    to it.
    """
    text, start = text.encode("utf-8", "replace").decode(), 0
    while len(text) - start > most:
        ends = (text.rfind(mark, start, start + most) for mark in ("\n\n", "\n", ". ", " "))
        end = next((end for end in ends if end > start), start + most - 1) + 1
        yield text[start:end]
        start = end
    yield text[start:]


def one_line(text: str) -> str:
    """White space folded, so that no page can forge a line of the transcript."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Wiki:
    """The world of pages: makes a WikiEnv per task. Pickles as settings if its pages do."""

    pages: Pages | None = None
    mode: str = "sentences"

    @property
    def actions(self) -> Sequence[Action]:
        return WikiEnv.actions

    def __call__(self, task: Task) -> Env:
        return WikiEnv(self.pages or bundled(), kind_of(task.kind).start, self.mode)

    @property
    def snapshot(self) -> str:
        pages = self.pages or bundled()
        return f"{getattr(pages, 'snapshot', type(pages).__name__)}, {self.mode}"
