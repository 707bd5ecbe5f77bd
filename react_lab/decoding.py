"""How a step is decoded: greedily, as in the paper, or otherwise.

A footnote of section 3.3 suspects greedy decoding where a run repeats itself. So a step can be
drawn at a temperature; or a second time, when it is stuck (it does what the run has done before) or
when its act is not well-formed or not admissible. A second draw takes the place of the first one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from .prompts import CHAT
from .repairs import LONGEST_ACT
from .transcript import Greedy, accept
from .types import Action, Ask, Env, Reply, Step, World, split_act

AGAIN, CONSTRAINED = "drawn again", "constrained"  # what is noted on such a step
MOST_DRAWS, HOTTEST = 100, 2.0


@dataclass(frozen=True)
class Decoding:
    """How steps are decoded. The default is the paper's: of each token the likeliest."""

    temperature: float = 0.0  # of every step
    stuck: Literal["", "best", "new"] = ""  # draws again what the run has done before: of n draws
    # the act that most of them give, or the first one that is new
    acts: Literal["", "formed", "admissible"] = ""  # draws again an act that is none: by a grammar
    # of the world's acts, or of those that do something now
    n: int = 5  # draws of a stuck step, at most
    heat: float = 0.7  # their temperature

    def __post_init__(self) -> None:
        heats = (self.temperature, self.heat)
        numbers = all(isinstance(x, int | float) and 0 <= x <= HOTTEST for x in heats)
        if not numbers or type(self.n) is not int or not 1 <= self.n <= MOST_DRAWS:
            raise ValueError(
                f"temperature={self.temperature!r}, heat={self.heat!r}, n={self.n!r}: a "
                f"temperature is 0 to {HOTTEST:g}, and n 1 to {MOST_DRAWS}"
            )
        known = {"stuck": ("", "best", "new"), "acts": ("", "formed", "admissible")}
        for name, values in known.items():
            if getattr(self, name) not in values:
                listed = ", ".join(map(repr, values))
                raise ValueError(f"{name}={getattr(self, name)!r}: it is one of {listed}")

    def check(self, legs: Iterable[str], model: object) -> None:
        """Say plainly what cannot be decoded so, before anything is asked."""
        chats = [leg for leg in legs if leg in CHAT]
        tools = [leg for leg in chats if leg.endswith("-tools")]
        if (self.acts and chats) or (self.stuck and tools):
            raise ValueError(
                f"{', '.join(chats)} cannot be decoded so: a grammar is for acts that are written "
                "as text (act, react, react-im), and a call of a tool is not drawn again"
            )
        asked = getattr(model, "model", model)  # of a cache the one it asks; a replay asks none
        if self.acts and asked is not None and not getattr(asked, "grammars", False):
            raise ValueError(
                f"acts={self.acts!r} needs a model that writes by a grammar, and "
                f"{getattr(model, 'name', 'this one')} does not: the bundled one does, "
                "rl.models.local()"
            )

    def decoder(self, plain: Greedy, world: World, seed: int, repeat: int) -> Decoder:
        actions = getattr(world, "actions", ())
        return Decoder(plain.model, plain.transcript, self, actions, seed, repeat)

    @property
    def settings(self) -> dict[str, Any]:
        return {} if self == GREEDY else {"decoding": asdict(self)}


GREEDY = Decoding()
DECODINGS: dict[str, Decoding] = {
    "greedy": GREEDY,
    "sampled": Decoding(temperature=0.7),
    "best-of-n": Decoding(stuck="best"),
    "resample": Decoding(stuck="new"),
    "formed": Decoding(acts="formed"),
    "admissible": Decoding(acts="admissible"),
}


def decoding_named(given: str | Decoding | Mapping[str, Any]) -> Decoding:
    """A way of decoding by its name; one of your own as it is; or as a run's settings tell it."""
    if isinstance(given, Decoding):
        return given
    if isinstance(given, str) and given in DECODINGS:
        return DECODINGS[given]
    if isinstance(given, Mapping) and given.keys() <= {field.name for field in fields(Decoding)}:
        return Decoding(**given)
    raise ValueError(
        f"no decoding {given!r:.200}; there are: {', '.join(DECODINGS)}, and rl.decoding.Decoding"
    )


def decoding_in(settings: Mapping[str, Any]) -> str:
    """What a run's settings call its decoding: "" is greedy.

    >>> decoding_in({"seed": 0}), decoding_in(DECODINGS["resample"].settings)
    ('', 'resample')
    """
    told = settings.get("decoding")
    ours = (name for name, decoding in DECODINGS.items() if asdict(decoding) == told)
    return next(ours, "decoding of your own") if told else ""


def stuck(step: Step, done: Sequence[Step]) -> bool:
    """Has the run made this act before? What the world would say to it now, nobody knows yet.

    >>> once = Step(action="Search[Ulm]")
    >>> stuck(once, [once]), stuck(Step(action="Search[Bern]"), [once])
    (True, False)
    """
    return step.action is not None and step.action in {each.action for each in done}


@dataclass
class Decoder(Greedy):
    """Decodes the steps of one episode in another way."""

    decoding: Decoding = GREEDY
    actions: Sequence[Action] = ()  # those of the world
    seed: int = 0
    repeat: int = 0  # another time round draws otherwise

    def redraw(self, i: int, step: Step, done: Sequence[Step], env: Env) -> Step:
        """The step, or what is drawn in its place. A person's thought stays."""
        if self.decoding.stuck and not step.human and stuck(step, done):
            step = self.again(i, step, done)
        if self.decoding.acts and step.action and not self.fits(step.action, env):
            step = self.constrained(i, step, env)
        return step

    def read(self, ask: Ask, i: int, step: Step | None = None) -> Step:
        heat = 0.0 if ask.temperature else self.decoding.temperature
        return super().read(self.hot(ask, heat, (0,)) if heat else ask, i, step)

    def hot(self, ask: Ask, heat: float, samples: Iterable[int]) -> Ask:
        drawn = tuple(self.repeat * MOST_DRAWS + k for k in samples)
        return replace(ask, temperature=heat, seed=self.seed, samples=drawn)

    # ------------------------------------------------------------------ a step that is stuck

    def again(self, i: int, step: Step, done: Sequence[Step]) -> Step:
        """One of n draws; the step itself where none will do."""
        ask, n, heat = self.transcript.ask(i), self.decoding.n, self.decoding.heat
        found: Step | None
        if self.decoding.stuck == "new":  # the first that does or thinks what is new
            known = {parts(each) for each in done}
            draws = (self.read(self.hot(ask, heat, [k]), i) for k in range(n))
            new = (step for step in draws if self.counts(step) and parts(step) not in known)
            found = next(new, None)
        else:  # the one whose act most of them give; of equals the first
            asked, replies = self.hot(ask, heat, range(n)), dict[int, Reply]()
            while missing := tuple(k for k in asked.samples if k not in replies):
                replies.update(self.model.complete(replace(asked, samples=missing)))
            drawn = [self.transcript.read(accept(replies[k]), i) for k in asked.samples]
            drawn = [step for step in drawn if self.counts(step)]
            votes = Counter(map(parts, drawn))
            found = max(drawn, key=lambda step: votes[parts(step)], default=None)
        if found is None or found == step:
            return step
        return replace(found, repairs=(*found.repairs, AGAIN))

    def counts(self, step: Step) -> bool:
        """Is it a step as it stands, without another call?"""
        return step.action is not None or bool(self.transcript.sparse and step.thought)

    # ------------------------------------------------------------------ an act that is none

    def fits(self, action: str, env: Env) -> bool:
        known, forms = self.allowed(env)
        if not (known or forms) or action.strip().lower() in {act.lower() for act in known}:
            return True
        if len(action) > LONGEST_ACT:
            return False
        return any(pattern_of(form).fullmatch(action.strip()) for form in forms)

    def allowed(self, env: Env) -> tuple[list[str], list[str]]:
        """Acts that do something now, and the forms of those that no world can list."""
        forms = [action.usage.translate(HALF) for action in self.actions]
        listing: Callable[[], list[str]] | None = getattr(env, "admissible", None)
        if self.decoding.acts == "formed" or listing is None:
            return [], forms
        acts = [act for act in listing() if act.isprintable()]
        names = {name_of(act) for act in acts}
        # a shop lists its buttons; what may be searched for there has a form and no list
        open_ended = [form for form in forms if split_act(form) and name_of(form) not in names]
        return acts, open_ended

    def constrained(self, i: int, step: Step, env: Env) -> Step:
        """The step with another act, written by a grammar after the same thought."""
        thought = replace(step, action=None)
        ask = self.transcript.ask_act(i, thought)
        grammar = grammar_of(*self.allowed(env))
        fresh = replace(ask or self.transcript.ask(i), grammar=grammar)
        found = self.read(fresh, i, thought if ask else None)
        return replace(found, repairs=(*found.repairs, CONSTRAINED))


def parts(step: Step) -> tuple[str | None, str | None]:
    """What a step does; a thought that stands alone is what it does."""
    return (None, step.action) if step.action else (step.thought, None)


def name_of(act: str) -> str:
    return re.split(r"[\[\s]", act.strip(), maxsplit=1)[0].lower()


# ---------------------------------------------------------------------- acts as a grammar

HALF = str.maketrans("［］", "[]")  # a step keeps its act with half-width brackets
SLOT = re.compile(r"\b[A-Z]\b")  # `put X in/on Y`
WORDS = r"(?:[^\[\]\n]|\[[^\[\]\n]*\])+"  # an argument, with brackets of its own or without
THING = r"[^\[\]\n/]+"  # what a slot stands for: no slash, else `in/to` would be a part of it
RULES = r"""words ::= ([^\[\]\x00-\x1f] | "[" [^\[\]\x00-\x1f]* "]")+
thing ::= [^\[\]/\x00-\x1f]+"""


def pieces(form: str) -> tuple[list[str], bool]:
    """The texts of a form between its arguments, and if these stand in brackets:
    `Search[entity]` -> `Search[`, `]`.
    """
    act = split_act(form)
    return ([f"{act[0]}[", "]"], True) if act else (SLOT.split(form), False)


def pattern_of(form: str) -> re.Pattern[str]:
    texts, brackets = pieces(form)
    return re.compile((WORDS if brackets else THING).join(map(re.escape, texts)), re.I)


def grammar_of(acts: Iterable[str], forms: Iterable[str]) -> str:
    """A grammar of llama.cpp's (GBNF): one of these acts, or one of these forms, on a line.

    >>> print(grammar_of(["look"], ["Search[entity]", "go to X"]).splitlines()[0])
    root ::= " "? ("look" | "Search[" words "]" | "go to " thing) "\\n"
    """
    each = [json.dumps(act, ensure_ascii=False) for act in acts]
    for form in forms:
        texts, brackets = pieces(form)
        quoted = (json.dumps(text, ensure_ascii=False) if text else "" for text in texts)
        each.append((" words " if brackets else " thing ").join(quoted).strip())
    return f'root ::= " "? ({" | ".join(each)}) "\\n"\n{RULES}'
