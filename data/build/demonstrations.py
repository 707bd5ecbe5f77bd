"""The notes of a task -> a demonstration: thoughts and acts that the world has answered.

Notes say what to ask of which page, which of its sentences answers, and what follows:

    plan  what is needed, before any page is read: "the designer of the bridge, then his birthplace"
    hops  [{"ask": a whole question, "page", "s": which sentence answers (1 is the first),
            "found": its answer, "key": a word to look up, "search": what to type for the page}]
    so    what follows from what was read: "1889 is after 1883, so the Brooklyn Bridge is older."
    not_told  {"ask", "page", "keys": [two words]}: what no page says, in place of a last hop

Everything is played against the pages: notes that the acts do not bear out are refused.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from react_lab.envs.pages import Encyclopedia, fold
from react_lab.envs.wiki import WikiEnv, sentences

Row = Mapping[str, Any]
SLOTS: dict[str, list[str]] = json.loads(
    (Path(__file__).parent / "thoughts.json").read_text(encoding="utf-8")
)
ASTRAY = "astray"  # marks an act that leads nowhere: shown in training, never learned
MOST_HITS = 3  # how often one looks up the same word
LONG = 16  # words: a longer sentence is quoted in part
NOT_TOLD = "NOT ENOUGH INFO"
LABELS = ("SUPPORTS", "REFUTES", NOT_TOLD)
BARREN = (0.6, 0.7)  # how often a word that is not on the page is looked up first, and a second
SHORT = 0.75  # how often a page is searched under a part of its title, if the question has no more of it
STRAY = 0.3  # of the trajectories go wrong once, where there is a wrong turn to take
OTHERWISE = {  # what else one would look up for a word of the question
    "born": "birth birthplace", "die": "death", "died": "death", "buried": "grave tomb burial",
    "wrote": "author writer", "write": "author", "written": "author", "composed": "composer music",
    "painted": "painter", "built": "builder construction", "designed": "architect designer",
    "directed": "director", "discovered": "discovery discoverer", "married": "wife husband marriage",
    "founded": "founder foundation", "named": "name", "invented": "inventor invention",
    "long": "length", "high": "height tall", "tall": "height", "large": "size area", "old": "age",
    "launched": "launch", "opened": "opening", "climbed": "summit ascent", "finished": "completed",
    "published": "publication publisher", "killed": "death", "won": "prize winner",
    "studied": "student university", "taught": "teacher", "played": "role actor", "made": "maker",
    "worked": "job profession", "led": "leader", "live": "home house", "lived": "home house",
    "come": "appeared", "out": "release", "year": "date", "where": "place", "country": "land",
}  # fmt: skip
SMALL = frozenset(
    """
a about after all also an and any are as at be been before between both but by can could did do
does during each ever first for from had has have he her his how i in into is it its last many
more most much name named no not of off on one or other out over said she so some than that the
their them then there these they this to two under until up used was were what when where which
while who whom whose why with would year years
    """.split()
)


class Refused(ValueError):
    """The pages do not bear the notes out."""


class Episode:
    """One demonstration in the making."""

    def __init__(self, row: Row, book: Encyclopedia) -> None:
        self.row, self.book = row, book
        self.pick = random.Random(f"demonstration {row['id']}")
        self.env = WikiEnv(book)
        self.steps: list[list[str]] = []
        self.seen = ""  # what the last act showed
        self.read = row["text"]  # all that has been seen
        self.open = ""  # the page that is open
        self.pending = ""  # a thought that has no act yet

    def word(self, slot: str, **parts: str) -> str:
        return self.pick.choice(SLOTS[slot]).format(**parts)

    def act(self, thought: str, act: str, astray: bool = False) -> str:
        self.steps.append([one_space(thought), act, *([ASTRAY] if astray else [])])
        self.seen = self.env.step(act).text
        self.read += " " + self.seen
        return self.seen

    # ------------------------------------------------------------------ the way

    def play(self) -> list[list[str]]:
        hops, last = self.row["hops"], self.row.get("not_told")
        stray = self.pick.random() < STRAY
        thought = self.word("plan", plan=self.row["plan"].rstrip("."))
        for hop, after in zip(hops, [*hops[1:], last][: len(hops)], strict=True):
            stray = self.reach(thought, hop, stray)
            stray = stray and not self.misread(hop, after)
            thought = self.look(hop, stray)
            if after:
                thought += " " + self.word("next", ask=after["ask"])
        if last:
            return self.in_vain(thought, last)
        return self.finish(thought, self.row["gold"])

    def reach(self, thought: str, hop: Row, stray: bool) -> bool:
        """Open the page of a hop; says whether a wrong turn may still come."""
        title = hop["page"]
        if title not in self.book.rows:
            raise Refused(f"no page {title!r}")
        if self.open == title:
            self.pending = thought
            return stray
        self.pending = ""
        if wrong := hop.get("wrong"):
            self.search(thought, wrong["page"], wrong.get("search", wrong["page"]), True)
            self.search(self.word("wrong", why=sentence(wrong["why"]), title=title), title, title)
            return False
        name = hop.get("search") or self.name_of(title)
        if stray and (rival := self.rival(title)) and self.pick.random() < 0.5:
            self.search(thought, rival, rival, True)
            kinds = {"other": kind_of(rival), "kind": kind_of(title), "title": title}
            self.search(self.word("rival", **kinds), title, title)
            return False
        if stray and self.book.row(name).get("title") == title and self.pick.random() < 0.35:
            astray = self.pick.choice([f"{name} {self.pick.choice(ASKED_TOO)}", *self.slips(name)])
            if not self.book.row(astray) and title in self.book.search(astray, 5):
                self.search(thought, title, astray, True)
                return False
        self.search(thought, title, name)
        return stray

    def search(self, thought: str, title: str, name: str, astray: bool = False) -> None:
        """Search under a name; take the right one of the similar titles where no page has it."""
        there = self.book.row(name).get("title") == title and "text" in self.book.row(name)
        seen = self.act(thought, f"Search[{name}]", astray)
        if not there:
            if repr(title) not in seen:
                raise Refused(f"Search[{name}] brings neither {title} nor its title: {seen[:200]}")
            kind = kind_of(title)
            reason = f", which is the {kind}" if kind else ""
            slot = "instead" if alike(name, title) else "told_of"
            self.act(self.word(slot, name=name, title=title, reason=reason), f"Search[{title}]")
        self.open = title

    def name_of(self, title: str) -> str:
        """How one would type a page that one has just read of."""
        known = fold(self.read)
        if fold(title) in known:
            return title
        row = self.book.rows[title]
        for name in (bare(title), *row.get("aliases", ())):
            there = self.book.row(name).get("title")
            if fold(name) in known and (there == title or title in self.book.search(name, 5)):
                return name
        short = self.short_name(title)
        return short if short and self.pick.random() < SHORT else title

    def slips(self, name: str) -> list[str]:
        """The name with one letter doubled, left out or changed with its neighbour, once each."""
        i = self.pick.randrange(len(name))
        if not name[i].isalpha() or not name[i + 1 : i + 2].isalpha():
            return []
        a, b, before, after = name[i], name[i + 1], name[:i], name[i + 2 :]
        swapped = b + a if a.islower() else a
        return [before + part + after for part in (a + a.lower() + b, a, swapped)]

    def short_name(self, title: str) -> str:
        """The part of a title that the question has, if the title is similar to that: Nelson."""
        known, text = f" {plain(self.read)} ", self.book.rows[title]["text"]
        words = bare(title).split()
        for n in range(len(words) - 1, 0, -1):
            for i in range(len(words) - n, -1, -1):
                name = " ".join(words[i : i + n]).rstrip(",")
                a_name = len(name) > 3 and name[0].isupper() and "." not in name
                if not a_name or f" {plain(name)} " not in known or f" {name.lower()}" in text:
                    continue
                if "text" not in self.book.row(name) and title in self.book.search(name, 5):
                    return name
        return ""

    def rival(self, title: str) -> str | None:
        """Another page with the same name: the novel of the film."""
        if not kind_of(title):
            return None
        same = [
            other
            for other, row in self.book.rows.items()
            if other != title and bare(other) == bare(title) and "text" in row and kind_of(other)
            and row["split"] in (self.book.rows[title]["split"], "hub")
        ]  # fmt: skip
        return self.pick.choice(same) if same else None

    # ------------------------------------------------------------------ reading

    def misread(self, hop: Row, after: Row | None) -> bool:
        """Take another name on the page for the answer; no page has it, so read that page again."""
        found, title = hop["found"], hop["page"]
        if self.pending or not after or found not in after["ask"] or self.pick.random() > 0.6:
            return False
        names = [
            (sentence, name)
            for sentence in sentences(self.seen)
            for name in re.findall(r"(?<=[a-z,] )[A-Z][\w-]+(?: [A-Z][\w-]+)*", sentence)
            if fold(name) not in fold(f"{found} {title} {self.row['text']}")
            and "title" not in self.book.row(name)
        ]
        if not names:
            return False
        proof, name = self.pick.choice(names)
        thought = self.word("read", ask=hop["ask"], quote=quote(proof, name), found=name)
        ask = after["ask"].replace(found, name)
        self.act(f"{thought} {self.word('next', ask=ask)}", f"Search[{name}]", True)
        self.act(self.word("misread", name=name, title=title, ask=hop["ask"]), f"Search[{title}]")
        return True

    def look(self, hop: Row, stray: bool) -> str:
        """See the sentence that answers; the thought that says so."""
        text = sentences(self.book.rows[hop["page"]]["text"])
        if not 1 <= hop["s"] <= len(text):
            raise Refused(f"{hop['page']} has {len(text)} sentences, not {hop['s']}")
        proof = text[hop["s"] - 1]
        shown_before = self.pending
        if proof not in (self.read if self.open == hop["page"] else self.seen):
            key, times = self.key(hop, text, proof)
            if shown_before:
                thought = shown_before + " " + self.word("same_page", key=key)
            else:
                thought = self.word("deeper", ask=hop["ask"], key=key)
            words = self.barren(hop, text)
            for barren, following in zip(words, [*words, key][1:], strict=True):
                self.act(thought.replace(f'"{key}"', f'"{barren}"'), f"Lookup[{barren}]", True)
                thought = self.word("empty", barren=barren, key=following)
            for _ in range(times):
                self.act(thought, f"Lookup[{key}]")
                thought = self.word("again", ask=hop["ask"], key=key)
            if proof not in self.seen:
                raise Refused(f"Lookup[{key}] does not bring sentence {hop['s']} of {hop['page']}")
            shown_before = ""
        said = self.word(
            "read", ask=hop["ask"], quote=quote(proof, hop["found"]), found=hop["found"]
        )
        if shown_before.endswith(hop["ask"]):
            said = said.removeprefix(hop["ask"]).strip()
        return f"{shown_before} {said}".strip()

    def key(self, hop: Row, text: Sequence[str], proof: str) -> tuple[str, int]:
        """A word that leads to the sentence, and how often it is looked up."""
        found = []
        asked = re.findall(r"[^\W\d_]{4,}", hop["ask"])
        for rank, key in enumerate(
            [hop.get("key") or "", *(w for w in asked if fold(w) not in SMALL)]
        ):
            hits = [s for s in text if key and fold(key) in fold(s)]
            if (
                proof in hits
                and hits.index(proof) < MOST_HITS
                and fold(key) not in fold(hop["found"])
            ):
                found.append((hits.index(proof) + 1, rank, key))
        if hop.get("key") and not any(rank == 0 for _, rank, _ in found):
            raise Refused(
                f"key {hop['key']!r} does not bring sentence {hop['s']} of {hop['page']} within "
                f"{MOST_HITS} lookups, or it is the answer itself"
            )
        if not found:
            raise Refused(
                f"give a key: no word of {hop['ask']!r} brings {hop['s']} of {hop['page']}"
            )
        own = [each for each in found if each[1] == 0]
        times, _, key = (own or sorted(found))[0]
        return key, times

    def barren(self, hop: Row, text: Sequence[str]) -> list[str]:
        """Words of the question that do not stand on the page: none, one or two are tried first."""
        page = fold(" ".join(text))
        asked = re.findall(r"\b[a-z]{3,}", hop["ask"].lower())
        own = [word for word in re.findall(r"\b[a-z]{4,}", hop["ask"]) if word not in SMALL]
        other = [word for each in asked for word in OTHERWISE.get(each, "").split()]
        found = [word for word in dict.fromkeys(own + other) if fold(word) not in page]
        many = sum(self.pick.random() < chance for chance in BARREN[: len(found)])
        return self.pick.sample(found, many)

    # ------------------------------------------------------------------ the end

    def in_vain(self, thought: str, last: Row) -> list[list[str]]:
        """Two different tries for what no page tells, and then it is said."""
        title, keys = last["page"], last["keys"]
        if title in self.book.rows and title != self.open:
            self.search(thought, title, last.get("search") or self.name_of(title))
            thought = ""
        elif title not in self.book.rows:  # no page at all: another name for it, then the end
            for name in keys:
                self.act(thought, f"Search[{name}]")
                thought = self.word("no_page", name=name, ask=last["ask"])
            return self.finish(
                thought + " " + self.word("unknown", ask=last["ask"]), NOT_TOLD, False
            )
        deeper = self.word("deeper", ask=last["ask"], key=keys[0])
        if thought.endswith(last["ask"]):
            deeper = deeper.removeprefix(last["ask"])
        thought = f"{thought} {deeper}"
        for key, other in zip(keys, (*keys[1:], ""), strict=True):
            seen = self.act(thought, f"Lookup[{key}]")
            slot = "empty" if seen.startswith("No more") else "beside"
            thought = self.word(slot, barren=key, key=other) if other else ""
        slot = "tried" if self.row.get("so") else "unknown"
        return self.finish(self.word(slot, ask=last["ask"]), NOT_TOLD, False)

    def finish(self, thought: str, answer: str, told: bool = True) -> list[list[str]]:
        so = self.row.get("so", "")
        if so:
            thought = f"{thought} {self.recap()} {sentence(so)}"
        if told and answer not in LABELS and (not so or fold(answer) not in fold(so)):
            thought += " " + self.word("done", answer=answer)
        self.act(thought, f"Finish[{answer}]")
        return self.steps

    def recap(self) -> str:
        """Numbers side by side, each with its thing, before anything follows from them."""
        found = {bare(hop["page"]): hop["found"] for hop in self.row["hops"]}
        asked = fold(self.row["text"])
        if len(found) < max(2, len(self.row["hops"])):
            return ""
        if not all(re.search(r"\d", said) and fold(it) in asked for it, said in found.items()):
            return ""
        return " ".join(f"{it}: {said.rstrip('.')}." for it, said in found.items())


ASKED_TOO = ("history", "facts", "biography", "page", "information")


def demonstrate(row: Row, book: Encyclopedia, most_steps: int = 7) -> list[list[str]]:
    """Thoughts and acts for a task with notes; Refused says which note is wrong."""
    steps = Episode(row, book).play()
    if len(steps) > most_steps:
        plain = Episode(row, book)
        plain.pick.random = lambda: 1.0  # type: ignore[method-assign]  # the same, without a wrong turn
        steps = plain.play()
    if len(steps) > most_steps:
        raise Refused(f"{len(steps)} steps are needed, and {most_steps} are allowed")
    return steps


def rationale(row: Row) -> str:
    """What chain of thought writes: the sub-questions and what is known of each, no page read."""
    pick = random.Random(f"rationale {row['id']}")
    known = " ".join(
        pick.choice(SLOTS["know"]).format(ask=hop["ask"], found=hop["found"]) for hop in row["hops"]
    )
    if last := row.get("not_told"):
        return f"{known} {pick.choice(SLOTS['not_known']).format(ask=last['ask'])}".strip()
    so = sentence(row["so"]) if row.get("so") else ""
    if row["gold"] not in LABELS and (not so or fold(row["gold"]) not in fold(so)):
        so = f"{so} {pick.choice(SLOTS['done']).format(answer=row['gold'])}"
    return one_space(f"{known} {so}")


def alike(name: str, title: str) -> bool:
    """Has the title a word of the name, so that it may be another form of it?"""
    words = set(re.findall(r"\w{3,}", fold(title)))
    return any(word in words for word in re.findall(r"\w{3,}", fold(name)))


def bare(title: str) -> str:
    return re.sub(r"\s*\([^()]*\)$", "", title)


def plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


def kind_of(title: str) -> str:
    """What stands in the brackets of a title: `Jaws (novel)` -> `novel`; not of a name or a year."""
    inside = re.search(r"\(([^()]*)\)$", title)
    return inside[1] if inside and inside[1][:1].islower() else ""


def sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?" else ".")


def one_space(text: str) -> str:
    """Single spaces, and one full stop where a name has brought a second."""
    return re.sub(r"(?<!\.)\.\.(?!\.)", ".", " ".join(text.split()))


def quote(proof: str, found: str) -> str:
    """The sentence, or of a long one the clause in which the answer stands."""
    if len(proof.split()) <= LONG:
        return proof
    low = proof.lower().find(found.lower())
    if low < 0:
        number = re.search(r"\d[\d,.]*", found)
        low = proof.find(number[0]) if number else -1
        found = number[0] if number and low >= 0 else found
    if low < 0:
        return proof
    cuts = [
        0,
        *(
            m.end()
            for m in re.finditer(r"[,;:] |(?<=\w) (?:and|but|while|where|which|who) ", proof)
        ),
        len(proof),
    ]
    first = max(i for i, cut in enumerate(cuts) if cut <= low)
    last = min(i for i, cut in enumerate(cuts) if cut >= low + len(found))
    while len(proof[cuts[first] : cuts[last]].split()) < 7 and (first > 0 or last < len(cuts) - 1):
        first, last = (first - 1, last) if first > 0 else (first, last + 1)
    part = proof[cuts[first] : cuts[last]].strip().rstrip(",;:")
    part = re.sub(r"\s(?:and|but|while|where|which|who)$", "", part)
    return part if len(part.split()) < len(proof.split()) - 3 else proof


def faults(row: Row, book: Encyclopedia, most_steps: int = 7) -> Iterator[str]:
    """Every fault of a task with notes, each a sentence."""
    try:
        steps = demonstrate(row, book, most_steps)
    except (Refused, KeyError, IndexError, TypeError) as fault:
        yield f"{type(fault).__name__}: {fault}" if not isinstance(fault, Refused) else str(fault)
        return
    pages = [hop["page"] for hop in row["hops"]]
    if last := row.get("not_told"):
        pages += [last["page"]] if last["page"] in book.rows else []
        if len(last["keys"]) < 2:
            yield "what is not told has two keys"
    elif row["gold"] not in LABELS and fold(row["gold"]) not in fold(
        f"{row.get('so', '')} {row['hops'][-1]['found']}"
    ):
        yield f"the answer {row['gold']!r} stands neither in so nor in the last found"
    for hop in row["hops"]:
        if not hop["ask"].endswith("?") or len(hop["ask"].split()) > 16:
            yield f"an ask is a short question with its mark: {hop['ask']}"
    if len(steps) < 2:
        yield "its solution has one step"
