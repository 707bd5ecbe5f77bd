"""The paper's Table 1 with a model of your own: a price first, then the runs, then what differed.

python -m react_lab table1 --model NAME --n 500
"""

from __future__ import annotations

import contextlib
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

import react_lab as rl

from ..analysis import paper
from ..analysis.preview import Preview, Price, cut, preview_of
from ..evaluation import places
from ..evaluation.limits import is_amount
from ..evaluation.runners import plan_of
from ..plots.picture import Picture
from ..plots.rates import name_of, task_word
from ..records import parsed
from ..support import pd
from ..support.text import inline
from ..tasks import Seed
from ..tasks.published import OF
from ..types import FAULTS, Model, Task, Trajectory, World

METHODS = ("standard", "cot", "cot-sc", "act", "react")  # both combinations follow from these
OTHERS = ("react-chat", "react-tools", "act-tools")  # that --methods may name, too
PREVIEWED = 10  # episodes of each method on each set, before the question
MOST_CUT = 0.2  # of the replies: above it the rest is not asked for
ENOUGH = 4096  # tokens of a reply, for most models that think in private
FORMS = ("png", "pdf", "svg", "csv", "tex")  # and Markdown, which says what differs, too
P = "p (exact McNemar, Holm over all pairs)"
SUMS = {
    "runs": "runs", "calls": "calls", "tokens_in": "tokens read", "tokens_out": "written",
    "cost": "cost", "seconds": "seconds", "retries": "retries",
}  # fmt: skip
SERVERS = ("base_url", "api", "max_tokens", "extra", "timeout")  # for them alone


@dataclass(frozen=True)
class Job:
    """All that is needed to run, to go on, and to say what was done."""

    wanted: Namespace  # the options of the command, as `apps` lists them
    methods: tuple[str, ...]
    model: Model
    sets: tuple[list[Task], ...]  # of questions, of claims
    world: World | None
    folder: Path
    seed: Seed
    price: Price | None

    def tasks(self, of_each: int | None = None) -> list[Task]:
        """A question, a claim, a question ...: what a spent budget leaves undone lacks of both."""
        pairs = zip_longest(*(each[:of_each] for each in self.sets))
        return [task for pair in pairs for task in pair if task is not None]

    @property
    def path(self) -> Path:
        return self.folder / "runs.jsonl"

    @property
    def options(self) -> dict[str, Any]:
        return {"world": self.world, "prompts": self.wanted.prompts, "n": self.wanted.samples}

    def run(self, chosen: list[Task]) -> list[Trajectory]:
        """Go on with these tasks: what the folder has is not asked for again."""
        budget, spent = self.wanted.budget, self.preview().spent
        return list(rl.evaluate(
            self.methods, chosen, self.model, self.path, workers=self.wanted.workers,
            budget=None if budget is None else {"cost": max(0.0, budget - spent)},
            prices={self.model.name: self.price} if self.price else None, **self.options,
        ))  # fmt: skip

    def preview(self) -> Preview:
        """From all episodes that are stored and no fault ended."""
        plan = plan_of(self.methods, self.tasks(), self.model, 1, self.options)
        found = rl.store.open(self.path) if self.path.exists() else ()
        runs = [run for run in found if run.id in plan and run.end not in FAULTS]
        sizes = {each[0].kind: len(each) for each in self.sets}
        at_a_time = places(self.wanted.workers, self.model)[1]
        return preview_of(runs, sizes, self.methods, self.price, at_a_time)


def prepare_job(wanted: Namespace) -> Job:
    """Everything that may be wrong with the options is said here, before any call."""
    if wanted.n < 1:
        raise ValueError(f"n={wanted.n}: at least one task of each set is wanted")
    if wanted.tasks not in ("paper", "bundled"):
        raise ValueError(f"tasks={wanted.tasks!r} is neither 'paper' nor 'bundled'")
    methods = tuple(dict.fromkeys(wanted.methods or METHODS))
    if unknown := {*methods} - {*METHODS, *OTHERS}:
        named, known = ", ".join(sorted(unknown)), ", ".join((*METHODS, *OTHERS))
        raise ValueError(f"methods: {named}; there are {known}")
    if not all(is_amount(each) for each in (wanted.budget or 0.0, *(wanted.price or ()))):
        raise ValueError("a price and a budget are numbers, 0 or more")
    if wanted.budget is not None and not wanted.price:
        raise ValueError("a budget needs --price READ WRITTEN: what a million tokens of each cost")
    model = model_of(wanted)
    name = re.sub(r"[^\w.-]+", "-", model.name).strip("-.")[:60] or "model"
    folder = rl.data.resolve(wanted.out) if wanted.out else rl.data.shared(f"runs/table1-{name}")
    files = {"hotpotqa": wanted.hotpotqa, "fever": wanted.fever}  # of yours one will do
    if wanted.tasks == "bundled":
        files = {"multihop": None, "claims": None}
    given = [name for name, path in files.items() if path] or files
    there = [rl.tasks.load(name, "dev", path=files[name]) for name in given]
    whole = wanted.tasks == "paper" and min(map(len, there)) >= OF
    seed: Seed = wanted.seed if wanted.seed is not None else "authors" if whole else 0
    sets = tuple(
        rl.tasks.draw(each, wanted.n if whole else min(wanted.n, len(each)), seed) for each in there
    )
    price = (wanted.price[0], wanted.price[1]) if wanted.price else None
    return Job(wanted, methods, model, sets, world_of(wanted, folder), folder, seed, price)


def model_of(wanted: Namespace) -> Model:
    """A server's, or the bundled one: prompted, as Table 1 is about prompting."""
    given = {name: value for name in SERVERS if (value := getattr(wanted, name)) is not None}
    if not wanted.model:
        if given:
            option = next(iter(given)).replace("_", "-")
            raise ValueError(f"--{option} is for a server's model: name it, --model NAME")
        return rl.models.local(adapter=None)
    if wanted.max_tokens is not None and wanted.max_tokens < 1:
        raise ValueError(f"max-tokens={wanted.max_tokens}: a reply has at least one")
    extra, text = None, given.pop("extra", "{}")
    with contextlib.suppress(ValueError):
        extra = parsed(text)
    if not isinstance(extra, dict):
        raise ValueError(f"--extra takes a JSON object, such as '{{\"top_p\": 0.9}}', not {text!r}")
    return rl.models.openai(wanted.model, **given, extra=extra or None)


def world_of(wanted: Namespace, folder: Path) -> World | None:
    """Live pages, those of a file or folder, or the bundled ones."""
    if wanted.pages is None and wanted.tasks == "bundled":
        return None
    if wanted.pages not in (None, "live"):
        zim = Path(wanted.pages).suffix.lower().startswith(".zim")
        return rl.envs.Wiki((rl.envs.zim if zim else rl.envs.read_pages)(wanted.pages))
    if not wanted.contact:
        raise ValueError(
            "live pages need --contact, your e-mail address or web page (Wikipedia blocks clients "
            "that it cannot write to); or give pages of yours, --pages FILE.zim, or --tasks bundled"
        )
    return rl.envs.Wiki(rl.envs.LiveWikipedia(wanted.contact, cache=folder / "pages.jsonl"))


# ------------------------------------------------------------------ report


def write_table(runs: Sequence[Trajectory], job: Job) -> tuple[Picture, list[str]]:
    """Draw the table, and write it into the job's folder, in every form."""
    df = rl.score.frame(runs, prices={job.model.name: job.price} if job.price else None)
    picture, told = rl.plots.table1(df), [*list_differences(runs, job)]
    tables = {"By method": picture.table, "Pairs": paired(df), "Cost": took(df)}
    picture = replace(picture, tables=tables)
    for ending in FORMS:
        picture.save(job.folder / f"table1.{ending}", dpi=120)
    lines = [picture.markdown(), "", "What differs from the paper:", ""]
    lines += [f"* {line}" for line in told] + [""] + [f"* {note}" for note in picture.notes]
    rl.data.write(job.folder / "table1.md", "\n".join(lines) + "\n")
    return picture, told


def paired(df: pd.DataFrame) -> pd.DataFrame:
    found = rl.stats.pairs(rl.plots.combined(df), within="kind")
    named = {side: found[side].map(name_of) for side in "ab"}
    found = found.assign(**named, p=found["p"].map("{:.3g}".format))
    return found.assign(kind=found["kind"].map(task_word)).rename(columns={"p": P})


def took(df: pd.DataFrame) -> pd.DataFrame:
    """What the runs of each method cost in all; what nobody counted is unknown."""
    df = df.assign(runs=1).astype(dict.fromkeys(SUMS, float))
    parts = df.groupby(["kind", "method"], sort=False)[[*SUMS]]
    rows = [
        {"kind": task_word(str(kind)), "method": name_of(str(method)), **part.sum(skipna=False)}
        for (kind, method), part in parts
    ]
    sums = pd.DataFrame(rows).round({"seconds": 1})
    sums["cost"] = sums["cost"].map("{:.4g}".format, na_action="ignore")
    whole = SUMS.keys() - {"cost", "seconds"}
    return sums.astype(dict.fromkeys(whole, "Int64")).rename(columns=SUMS)


def list_differences(runs: Sequence[Trajectory], job: Job) -> Iterator[str]:
    """What a reader of the table has to know before the numbers are put beside the paper's."""
    pages = sorted({str(run.settings.get("world")) for run in runs})
    yield f"Model: {model_name(runs, job)}; the paper's is {paper.settings()['model']}."
    yield f"API: {api(runs)} The paper's model went on with a text."
    yield f"Date: finished on {datetime.now(UTC):%Y-%m-%d}; the paper's runs are of 2022."
    yield from (f"Sample: {sample(tasks, job)}" for tasks in job.sets)
    yield f"Pages: {inline(', '.join(pages))}; the paper's agents searched the Wikipedia of 2022."
    ours = job.wanted.prompts == "ours"
    said = f"{'exemplars in our own words' if ours else job.wanted.prompts}, not the authors'"
    if job.wanted.prompts.startswith("authors"):
        said = "the exemplars are the authors' own, from their repository"
    yield f"Prompts: {said}; the sentence that explains the acts is ours."
    if job.wanted.extra:
        yield f"Requests: each says {inline(job.wanted.extra)}, whatever a method asks for."
    if votes := [run for run in runs if run.method == "cot-sc"]:
        drawn = " or ".join(sorted({str(len(run.samples)) for run in votes}))
        heat = " or ".join(sorted({str(run.settings.get("temperature_used")) for run in votes}))
        yield f"CoT-SC: {drawn} samples at temperature {heat}; the paper's are 21 at 0.7."
    if {"cot-sc", "react"} <= {*job.methods}:
        yield "The combinations are computed from the runs of ReAct and CoT-SC."
    if lost := sum(map(cut, runs)):
        most, of = job.wanted.max_tokens or "those of each method", f"{len(runs):,} runs"
        where = f"in {sum('cut' in run.flags for run in runs):,} of {of}; tokens at most: {most}"
        replies = sum(run.calls for run in runs)
        yield f"Cut: {lost:,} of {replies:,} replies ended in the middle ({where})."
    wanted = len(job.methods) * len(job.tasks())
    if len(runs) < wanted:
        yield f"Only {len(runs):,} of {wanted:,} runs are there: the same command goes on."
    if faults := sum(run.end in FAULTS for run in runs):
        yield f"{faults:,} runs ended in a fault and count as wrong: the same command repeats them."


def model_name(runs: Iterable[Trajectory], job: Job) -> str:
    """The name that was asked for, and what the server says it was."""
    said = {str(effect(run).get("model") or "") for run in runs} - {"", job.model.name}
    also = f" (the server says {', '.join(sorted(map(inline, said)))})" if said else ""
    where = getattr(job.model, "base_url", "")
    return f"{inline(job.model.name)}{also}" + (f" at {where}" if where else "")


def effect(run: Trajectory) -> dict[str, object]:
    found = run.settings.get("effect")
    return found if isinstance(found, dict) else {}


def api(runs: Iterable[Trajectory]) -> str:
    kinds = {str(effect(run).get("api") or "the model's own") for run in runs if run.calls}
    lists = (effect(run).get("refused") for run in runs)
    refused = {str(part) for each in lists if isinstance(each, list) for part in each}
    words = {
        "chat": "chat messages, in which a model is told to go on with the text",
        "completions": "completions, where a model goes on with the text as it is",
    }
    said = " and ".join(words.get(kind, inline(kind)) for kind in sorted(kinds)) or "not asked"
    return said + (f" (it refused {', '.join(sorted(refused))})." if refused else ".")


def sample(tasks: Sequence[Task], job: Job) -> str:
    """How many of which set, and how they were drawn."""
    kind, source = tasks[0].kind, inline(tasks[0].extra.get("source") or "of our own")
    what = f"{len(tasks):,} {rl.kinds.kind_of(kind).noun} of"
    benchmark, drawn = paper.settings()[kind]["benchmark"], f"drawn with seed {job.seed}"
    if job.wanted.tasks == "bundled":
        return f"{what} ours, {drawn}, in place of {benchmark}."
    if job.seed == "authors":
        return f"{what} {benchmark} ({source}), the first that the authors' notebooks ask."
    if job.wanted.hotpotqa or job.wanted.fever:
        return f"{what} your file {source}, {drawn}; the paper's: {benchmark}."
    return f"{what} {benchmark} ({source}), {drawn}."


# ------------------------------------------------------------------ terminal

Say = Callable[[str], object]


def table1(wanted: Namespace, say: Say = print) -> int:
    """Run Table 1, or go on with it; the exit status: 0 when it was done, or declined."""
    job = prepare_job(wanted)
    sizes = " and ".join(f"{len(each):,}" for each in job.sets)
    few = min(PREVIEWED, max(map(len, job.sets)))
    say(
        f"Table 1 with {inline(job.model.name)}: {len(job.methods)} methods on {sizes} tasks, "
        f"kept in {inline(job.folder)}.\n"
        f"First {few} episodes of each method on each set; they count."
    )
    first, every = job.tasks(PREVIEWED), job.tasks()
    if wrong := faults(job.run(first), len(job.methods) * len(first)):
        raise ValueError(wrong)
    known = job.preview()
    say(f"{known.table().to_string(index=False)}\n{known.words()}")
    replies, lost = known.replies
    if known.left and job.wanted.model and lost > MOST_CUT * replies:
        enough = f"give --max-tokens {max(ENOUGH, 4 * (job.wanted.max_tokens or 0))}"
        raise ValueError(f"{lost:,} of {replies:,} replies ended in the middle: {enough}")
    if known.left and not (wanted.yes or ask_to_go_on(say)):
        say(f"Nothing more is asked. What there is stays in {inline(job.folder)}, and counts.")
        return 0
    runs = job.run(every)
    picture, told = write_table(runs, job)
    say(picture.table.to_string(index=False, na_rep="–"))
    say("\n".join(["What differs from the paper:", *(f"* {line}" for line in told)]))
    say(f"Written: {inline(job.folder)}, with runs.jsonl and table1 as {', '.join(FORMS)}, md")
    return int(bool(faults(runs, len(job.methods) * len(every))))


def faults(runs: Sequence[Trajectory], wanted: int) -> str:
    """Why these runs are not what was wanted; "" if they are."""
    failed = [run for run in runs if run.end in FAULTS]
    again = "the same command goes on"
    if failed:
        first = inline(failed[0].error or failed[0].end)
        return f"{len(failed)} of {len(runs)} runs ended in a fault ({first}): mend that; {again}"
    if len(runs) < wanted:
        return f"only {len(runs)} of {wanted} runs are there, the budget is spent: {again}"
    return ""


def ask_to_go_on(say: Say) -> bool:
    """Ask; who cannot be asked has not agreed."""
    say("Go on? [y/N] ")
    answer = sys.stdin.readline() if sys.stdin else ""
    if not answer:
        raise ValueError("nobody answered: the same command with --yes goes on without a question")
    return answer.strip().lower() in ("y", "yes")
