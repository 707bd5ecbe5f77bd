"""Records on lines of JSON: each is read strictly into its dataclass, or refused in a sentence.

What would be refused is not written. All that comes from outside (files of runs, labels, tasks,
pages and replies) passes here.
"""

from __future__ import annotations

import codecs
import csv
import json
import math
import re
import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import StringIO
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from .support.files import checked
from .support.text import described
from .types import SCHEMA, Ask, EnvError, Halt, ModelError, Reply, Seen, Task, Trajectory, World

T = TypeVar("T")
Faults = type[Exception] | tuple[type[Exception], ...]
MOST = 64 << 20  # bytes of one line
DEEPEST = 32  # lists and objects inside each other, in the parts whose form is free
LONGEST_ID = 500  # characters
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
MISFIT = re.compile(r"Expected `(.*?)`, got `(.*?)`(?: - at `\$?\.?(.*?)`)?")

ODD = re.compile(r"Invalid enum value .* - at `\$?\.?(.*?)`$", re.S)


class Record(Generic[T]):
    """One kind of record: the dataclass it is, and what must hold beyond the types.

    check: what is wrong with a record, in words; "" if nothing is.
    """

    def __init__(self, of: type[T], check: Callable[[T], str], most: int = MOST) -> None:
        self.of, self.check, self.most = of, check, most
        self.decoder = msgspec.json.Decoder(of)

    def read(self, line: bytes) -> T:
        """The record on a line, or a ValueError that says what is wrong with it."""
        if len(line) > self.most:
            raise ValueError(f"{len(line)} bytes are more than the {self.most} that it may have")
        try:
            return self.checked(self.decoder.decode(line.removeprefix(codecs.BOM_UTF8)))
        except (ValueError, RecursionError) as error:
            raise ValueError(sentence(error)) from None

    def lines(self, lines: Iterable[bytes], path: Path, what: str, key: str) -> Iterator[T]:
        """The records on lines. Of one that is none, or has the key of another, a ValueError."""
        seen = set[str]()
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            with blame(f"{path}, line {number}, is no {what}"):
                record = self.read(line.strip())
            if (name := getattr(record, key)) in seen:
                raise ValueError(f"{path}, line {number}: there are two {what}s {name!r}")
            seen.add(name)
            yield record

    def of_row(self, row: Any) -> T:
        """The record that a parsed row holds, or a ValueError."""
        try:
            found = self.checked(msgspec.convert(row, self.of))
            encode(found)
            if not finite(row):
                raise ValueError("a number in it is not finite")
        except (ValueError, RecursionError) as error:
            raise ValueError(sentence(error)) from None
        return found

    def write(self, record: T | Mapping[str, Any]) -> bytes:
        """The line that holds a record, without its end: `read` takes it, else a ValueError."""
        line = encode(record)
        self.read(line)
        return line

    def checked(self, record: T) -> T:
        if wrong := self.check(record):
            raise ValueError(wrong)
        return record


def encode(record: Any) -> bytes:
    """JSON of dataclasses, mappings and the like; a lone surrogate becomes a question mark."""
    try:
        with suppress(UnicodeEncodeError):
            return encoder.encode(record)
        return encoder.encode(all_whole(msgspec.to_builtins(record, enc_hook=simple)))
    except Exception as error:  # noqa: BLE001 - a value of a class of its own raises anything
        raise ValueError(f"it holds what JSON cannot: {described(error)}") from None


def simple(value: Any) -> Any:
    """A str, an int or a float of a class of its own (numpy's, an enum's) is one of Python's."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral | Real):
        return int(value) if isinstance(value, Integral) else float(value)
    raise TypeError(f"a value of type {type(value).__name__}")


encoder = msgspec.json.Encoder(enc_hook=simple)


def all_whole(value: Any) -> Any:
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def finite(value: Any) -> bool:
    """JSON knows no infinite numbers; msgspec would write null."""
    if isinstance(value, dict | list | tuple):
        return all(map(finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


def shallow(value: Any, deepest: int = DEEPEST) -> bool:
    """Are lists and objects nested no deeper than a person would?"""
    if isinstance(value, dict):
        return deepest > 0 and all(shallow(inner, deepest - 1) for inner in value.values())
    if isinstance(value, list | tuple):
        return deepest > 0 and all(shallow(inner, deepest - 1) for inner in value)
    return True


def trouble_with_id(id: str) -> str:
    if not id:
        return "its id is empty"
    return f"its id has more than {LONGEST_ID} characters" if len(id) > LONGEST_ID else ""


@contextmanager
def blame(
    what: str, faults: Faults = ValueError, kind: type[Exception] = ValueError
) -> Iterator[None]:
    """A fault in what is done meanwhile is raised as one of a kind that says of what it is."""
    try:
        yield
    except faults as error:
        raise kind(f"{what}: {error}") from None


def parsed(line: bytes | str) -> Any:
    """Any JSON, or a ValueError in plain words."""
    try:
        return msgspec.json.decode(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(sentence(error)) from None


def sentence(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "lists inside lists, too many to follow"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if misfit := MISFIT.match(str(error)):
        wanted, got, where = misfit.groups()
        wanted = wanted.replace(" | ", " or ")
        return f"{where or 'it'} must be {wanted}, not {got}"
    if odd := ODD.match(str(error)):
        return f"{odd[1]} is none of the values that it may have"
    if isinstance(error, msgspec.ValidationError):
        return str(error).replace("Object missing required field", "it lacks").replace("$.", "")
    if isinstance(error, msgspec.DecodeError):
        return "it is not whole, clean JSON"
    return str(error)


# ---------------------------------------------------------------------- tasks and runs


def wrong_task(task: Task) -> str:
    if not shallow(task.extra):
        return "its extra is nested too deep"
    return trouble_with_id(task.id)


def wrong_run(run: Trajectory) -> str:
    """What no run of ours can hold, though its types are right."""
    counts = (run.calls, run.tokens_in or 0, run.tokens_out or 0, run.seconds)
    if not 1 <= run.schema <= SCHEMA:
        return f"this run says schema {run.schema}; this react_lab reads 1 to {SCHEMA}"
    if min(counts) < 0:
        return "its calls, tokens or seconds are negative"
    if not shallow(run.settings):
        return "its settings are nested too deep"
    return trouble_with_id(run.id) or wrong_task(run.task)


def wrong_reply(reply: Reply | None) -> str:
    if reply and min(reply.tokens_in or 0, reply.tokens_out or 0) < 0:
        return "its tokens are negative"
    return "" if reply is None or shallow(reply.settings) else "its settings are nested too deep"


SEEN = Record(Seen, lambda seen: "")
TASK = Record(Task, wrong_task)
RUN = Record(Trajectory, wrong_run)
REPLY = Record(Reply, wrong_reply, MOST - (4 << 10))  # beside it on a line stands whose it is


# ---------------------------------------------------------------------- models and worlds


def replies_to(ask: Ask, replies: Any) -> Mapping[int, Reply]:
    """What a model's `complete` brought, once it is sure that it answers the ask."""
    if not isinstance(replies, Mapping) or not replies or not replies.keys() <= set(ask.samples):
        raise ModelError(
            "complete() must return {sample: Reply} with at least one of the samples asked for "
            f"({', '.join(map(str, ask.samples))}); it returned {described(replies, 60)}"
        )
    try:
        return {sample: sound(reply) for sample, reply in replies.items()}
    except ModelError as error:
        error.paid = bill([one for one in replies.values() if isinstance(one, Reply)])
        raise


def sound(reply: Any) -> Reply:
    """A reply as it can be kept: plain values; half characters (lone surrogates) question marks."""
    try:
        if not isinstance(reply, Reply):
            raise ValueError(f"it is {described(reply, 60)}")
        return REPLY.read(encode(reply))
    except ValueError as error:
        told = f"complete() must return a Reply; it returned a reply that cannot be kept: {error}"
        raise ModelError(told) from None


def bill(replies: list[Reply]) -> Reply | None:
    """What an answer has cost, where that can be read of its replies."""
    ins, outs = (
        [n for one in replies if type(n := getattr(one, name)) is int and n >= 0]
        for name in ("tokens_in", "tokens_out")
    )
    if not ins and not outs:
        return None
    return Reply("", "stop", sum(ins) if ins else None, sum(outs) if outs else None)


def seen_in(world: Any) -> Seen:
    """What a world's `step` returned, once it is sure that it can be read and kept."""
    with blame("step() must return a Seen that can be kept", kind=EnvError):
        if not isinstance(world, Seen):
            raise ValueError(f"it returned {described(world, 60)}")
        if not finite(world.reward):
            raise ValueError("its reward is not finite")
        return SEEN.read(encode(replace(world, done=bool(world.done))))


@contextmanager
def faults_of_the_world() -> Iterator[None]:
    """Whatever goes wrong in a world is an `EnvError`: it ends this run and no other."""
    try:
        yield
    except (Halt, KeyboardInterrupt):
        raise
    except BaseException as error:  # also what asyncio cancels, and a library of Rust that panics
        where = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__}: {described(error)}"
        raise EnvError(f"{told} ({Path(where.filename).name}, line {where.lineno})") from error


class GuardedEnv:
    """An Env whose faults are all of the one kind that ends a run."""

    def __init__(self, world: World, task: Task) -> None:
        with faults_of_the_world():
            self.env = world(task)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.env, name)

    def reset(self, task: Task) -> str:
        with faults_of_the_world():
            if not isinstance(begins := self.env.reset(task), str):
                raise EnvError(f"reset() must return a str; it returned {described(begins, 60)}")
            return begins

    def step(self, action: str) -> Seen:
        with faults_of_the_world():
            return seen_in(self.env.step(action))


def whole(text: str) -> str:
    """A text without half characters (lone surrogates), which no file can hold."""
    return text.encode("utf-8", "replace").decode()


# ---------------------------------------------------------------------- files that people bring


def text(path: Path) -> str:
    """The text of a file, or a ValueError that says why it is none."""
    content = checked(path).read_bytes()
    if content.startswith(UTF16):
        raise ValueError(f"{path} is UTF-16 text: save it as UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = f"byte {error.start}"
        raise ValueError(f"{path} is not UTF-8 text ({at}): save it as UTF-8") from None


def objects(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a JSON-lines file, each with the words for where it stands."""
    for number, line in enumerate(text(path).split("\n"), 1):
        where = f"{path}, line {number}"
        if line.strip():
            with blame(f"{where}, cannot be read"):
                row = parsed(line)
            if not isinstance(row, dict):
                raise ValueError(f"{where}, is not a JSON object")
            yield where, row


# ------------------------------------------------------------------ tables

TABLES = {".csv": ",;\t", ".tsv": "\t"}


def in_table(path: Path, needs: Collection[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table, each with the words for where it stands; its first line names the
    columns, and those of `needs` among them.
    """
    if path.suffix.lower() not in TABLES:
        raise ValueError(f"{path} is no table: save it as .csv or .tsv")
    content = text(path)
    heading, marks = content.partition("\n")[0], TABLES[path.suffix.lower()]
    csv.field_size_limit(max(csv.field_size_limit(), len(content)))  # a page may stand in a cell
    reader = csv.reader(
        StringIO(content, newline=""), delimiter=max(marks, key=heading.count), strict=True
    )
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        if not set(needs) <= set(names):
            has = ", ".join(map(repr, names[:9])) or "nothing"
            wanted = f"column{'s' * (len(needs) > 1)} {' and '.join(needs)}"
            raise ValueError(f"{path}, line 1, must name the {wanted}; it has: {has}")
        if twice := [name for name in needs if names.count(name) > 1]:
            raise ValueError(f"{path}, line 1, names the column {twice[0]} twice: which one is it?")
        while True:
            where = f"{path}, line {reader.line_num + 1}"
            if (cells := next(reader, None)) is None:
                return
            if not "".join(cells).strip():
                continue  # a blank row, as spreadsheets leave them
            if len(cells) != len(names):
                quote = "a text with such a mark in it stands in quotation marks"
                raise ValueError(f"{where}, has {len(cells)} cells, not {len(names)}: {quote}")
            yield where, dict(zip(names, cells, strict=True))
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}, is no row of a table: {error}") from None
