"""Table 1 with the paper's rows, and all that was not as in the paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .. import data
from ..analysis import paper
from ..kinds import kind_of
from ..plots import table1
from ..plots.picture import Picture
from ..support.text import inline
from ..types import FAULTS, Task, Trajectory
from .job import METHODS, Job

__all__ = ["differences", "written"]


def written(runs: Sequence[Trajectory], job: Job) -> tuple[Picture, list[str]]:
    """Draw the table, and write it down: table1.md and table1.png in the job's folder."""
    picture, told = table1(runs), differences(runs, job)
    lines = [picture.markdown(), "", "What differs from the paper:", ""]
    lines += [f"* {line}" for line in told] + [""] + [f"* {note}" for note in picture.notes]
    data.write(job.folder / "table1.md", "\n".join(lines) + "\n")
    picture.save(job.folder / "table1.png", dpi=120)
    return picture, told


def differences(runs: Sequence[Trajectory], job: Job) -> list[str]:
    """What a reader of the table has to know before the numbers are put beside the paper's."""
    theirs = paper.settings()
    lines = [
        f"Model: {served(runs, job)}; the paper's is {theirs['model']}.",
        f"API: {api(runs)} The paper's model went on with a text.",
        f"Date: {when(job)}; the paper's runs are of 2022.",
        *(f"Sample: {sample(tasks, job)}" for tasks in job.sets),
        f"Pages: {inline(pages(runs))}; the paper's agents searched Wikipedia as it was in 2022.",
        f"Prompts: {prompts(job)}",
        f"CoT-SC: {voting(runs)}",
        "The combinations are computed from the runs of ReAct and CoT-SC.",
    ]
    return lines + list(unfinished(runs, job))


def served(runs: Iterable[Trajectory], job: Job) -> str:
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
    refused = {str(part) for run in runs for part in refused_in(run)}
    words = {
        "chat": "chat messages, in which a model is told to go on with the text",
        "completions": "completions, where a model goes on with the text as it is",
    }
    said = " and ".join(words.get(kind, inline(kind)) for kind in sorted(kinds)) or "not asked"
    return said + (f" (it refused {', '.join(sorted(refused))})." if refused else ".")


def refused_in(run: Trajectory) -> list[object]:
    found = effect(run).get("refused")
    return found if isinstance(found, list) else []


def when(job: Job) -> str:
    began, ended = job.days()
    return f"made on {began}" if began == ended else f"made from {began} to {ended}"


def sample(tasks: Sequence[Task], job: Job) -> str:
    """How many of which set, and how they were drawn."""
    kind, source = tasks[0].kind, inline(tasks[0].extra.get("source") or "of our own")
    what = f"{len(tasks):,} {kind_of(kind).noun}"
    benchmark = paper.settings()[kind]["benchmark"]
    if job.wanted.tasks == "bundled":
        return f"{what} of ours, drawn with seed {job.seed}, in place of {benchmark}."
    if job.seed == "authors":
        return f"{what} of {benchmark} ({source}), the first that the authors' notebooks ask."
    return f"{what} of {benchmark} ({source}), drawn with seed {job.seed}."


def pages(runs: Iterable[Trajectory]) -> str:
    return ", ".join(sorted({str(run.settings.get("world")) for run in runs}))


def prompts(job: Job) -> str:
    ours = "exemplars in our own words" if job.wanted.prompts == "ours" else job.wanted.prompts
    theirs = "the exemplars are the authors' own, from their repository"
    said = theirs if job.wanted.prompts.startswith("authors") else f"{ours}, not the authors'"
    return f"{said}; the sentence that explains the acts is ours."


def voting(runs: Iterable[Trajectory]) -> str:
    """How many samples were drawn, and whether at the paper's temperature."""
    votes = [run for run in runs if run.method == "cot-sc"]
    n = {len(run.samples) for run in votes}
    paper_like = all(run.settings.get("paper_setting") for run in votes)
    used = sorted({str(run.settings.get("temperature_used")) for run in votes})
    said = f"{' or '.join(map(str, sorted(n)))} samples at temperature {' or '.join(used)}"
    return f"{said}, as in the paper." if paper_like else f"{said}; the paper's are 21 at 0.7."


def unfinished(runs: Sequence[Trajectory], job: Job) -> Iterator[str]:
    wanted = len(METHODS) * len(job.all())
    if len(runs) < wanted:
        yield f"Only {len(runs):,} of {wanted:,} runs are there: the same command goes on."
    if faults := sum(run.end in FAULTS for run in runs):
        yield f"{faults:,} runs ended in a fault and count as wrong: the same command repeats them."
