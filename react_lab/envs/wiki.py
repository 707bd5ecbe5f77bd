"""The Wikipedia world of section 3.1: Search, Lookup, Finish.

A bad act is an observation, never an exception; a broken network raises EnvError.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..kinds import kind_of
from ..languages import ENGLISH, Language, language_named
from ..types import Action, Env, Seen, Task, split_act
from .pages import LONGEST, Pages, bundled


class WikiEnv:
    """A reader of pages who can search for one, look a word up in it, and answer."""

    actions: Sequence[Action] = ENGLISH.acts
    replayable = True

    def __init__(
        self,
        pages: Pages,
        start: str = "Question: ",
        mode: str = "sentences",
        language: Language = ENGLISH,
    ):
        self.pages, self.start, self.mode = pages, start, mode
        self.language = language
        if language != ENGLISH:
            self.actions = language.acts
        self.page: tuple[str, ...] = ()  # the sentences of the page last found
        self.title = ""  # as it was searched for
        self.keyword, self.results = "", list[str]()  # what is being looked up, what is left
        self.found = 0

    def reset(self, task: Task) -> str:
        self.page, self.title, self.keyword, self.results, self.found = (), "", "", [], 0
        return f"{self.start}{one_line(task.text)}"

    def step(self, action: str) -> Seen:
        act = split_act(self.language.act(action))
        usages, (search, _, finish) = self.usages(self.actions), self.usages(self.language.acts)
        if act is None or act[0].lower() not in dict(usages):
            return self.invalid(action, "not one of the acts")
        name, argument = act[0].lower(), one_line(act[1])
        if (name, argument.lower()) in usages:
            return self.invalid(action, "the template itself, not filled in")
        if name == finish[0]:
            return Seen("", done=True, answer=argument)
        if not argument:
            return self.invalid(action, "empty")
        if len(argument) > LONGEST:
            return self.invalid(action, f"longer than {LONGEST} characters")
        return self.search(argument) if name == search[0] else self.lookup(argument)

    def usages(self, actions: Sequence[Action]) -> list[tuple[str, str]]:
        """Each act's name, and the template of its argument."""
        parts = (split_act(self.language.act(a.usage.lower())) for a in actions)
        return [part for part in parts if part]

    def invalid(self, action: str, why: str) -> Seen:
        words = self.language
        acts = words.comma.join(a.usage for a in self.actions)
        return Seen(words.invalid.format(act=one_line(action)[:200], acts=acts), why=why)

    def search(self, entity: str) -> Seen:
        """The first five sentences; a failed search leaves the page last found open."""
        text = self.pages.get(entity)
        page = edition(entity) if (edition := getattr(self.pages, "edition", None)) else None
        if not text:
            similar = [one_line(title) for title in self.pages.search(entity, 5)][:5]
            missing = self.language.missing.format(entity=entity, similar=similar)
            return Seen(missing, why="no such page", page=page)
        self.page, self.title, self.keyword = sentences(text, self.mode, self.language), entity, ""
        return Seen(self.language.space.join(self.page[:5]), page=page)

    def lookup(self, keyword: str) -> Seen:
        """As Ctrl+F in a browser: the next sentence; a new page or keyword begins at the top."""
        words, folded = self.language, self.language.fold(keyword)
        if folded != self.keyword:
            self.keyword = folded
            self.results = [s for s in self.page if folded in words.fold(s)]
            self.found = len(self.results)
        if not self.results:
            return Seen(words.nothing, why=None if self.page else "no page is open")
        at = self.found - len(self.results) + 1
        sentence = self.results.pop(0)
        return Seen(words.result.format(at=at, found=self.found, sentence=sentence))

    def view(self) -> dict[str, Any]:
        """The page that is open, and where its reader is: plain lists, dicts and strings.

        holding: the sentences that hold the word looked up; read: how many of them were given.
        """
        fold, word = self.language.fold, self.keyword
        hits = [i for i, s in enumerate(self.page) if word and word in fold(s)]
        read = self.found - len(self.results) if hits else 0
        page = {"title": self.title, "sentences": [*self.page]}
        return {**page, "keyword": word, "holding": hits, "read": read}


def sentences(text: str, mode: str = "sentences", language: Language = ENGLISH) -> tuple[str, ...]:
    """A page's sentences, each on one line. `mode="paper"` splits at '. ' as the authors did."""
    if mode == "paper":
        return tuple(one_line(s) + "." for s in text.replace("\n", " ").split(". ") if s.strip())
    found = (sentence for part in parts(text) for sentence in language.sentences(part))
    return tuple(s for s in map(one_line, found) if s)


def parts(text: str, most: int = 4000) -> Iterator[str]:
    """A text in parts that `sentencex` is quick with: each ends with a paragraph, line or sentence.

    In one part its time grows with the square of the quotation marks. A lone surrogate is no text
    to it.
    """
    text, start = text.encode("utf-8", "replace").decode(), 0
    while len(text) - start > most:
        ends = (text.rfind(mark, start, start + most) for mark in ("\n\n", "\n", ". ", "。", " "))
        end = next((end for end in ends if end > start), start + most - 1) + 1
        yield text[start:end]
        start = end
    yield text[start:]


def one_line(text: str) -> str:
    """White space folded, so that no page can forge a line of the transcript."""
    return " ".join(text.split())


@dataclass(frozen=True)
class Wiki:
    """The world of pages: makes a WikiEnv per task. Pickles as settings if its pages do.

    lang: the language of the acts, and of the bundled pages: "en", or "zh" for Chinese.
    """

    pages: Pages | None = None
    mode: str = "sentences"
    lang: str = "en"

    @property
    def actions(self) -> Sequence[Action]:
        return language_named(self.lang).acts

    def __call__(self, task: Task) -> Env:
        start, language = kind_of(task.kind).start, language_named(self.lang)
        return WikiEnv(self.pages or bundled(self.lang), start, self.mode, language)

    @property
    def snapshot(self) -> str:
        pages = self.pages or bundled(self.lang)
        named = f"{getattr(pages, 'snapshot', type(pages).__name__)}, {self.mode}"
        return named if self.lang == ENGLISH.code else f"{named}, {self.lang}"


def ChineseWiki() -> Wiki:  # noqa: N802 (a maker of worlds, as `Wiki` is)
    """The bundled pages in Chinese."""
    return Wiki(lang="zh")
