"""One LoRA adapter in training: its steps, its checkpoint, and how lines become tokens.

The base is the very GGUF file that will answer, unpacked and frozen.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
import random
import time
import timeit
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from .. import data, models, running, score, store, tasks
from ..models import weights as bundled
from ..stats import rate
from ..support import gguf, np, torch
from ..support.files import expand
from ..support.terminal import line
from ..support.text import check_number
from ..types import Trajectory
from .lines import Line, draw_gold, learnable, write_dataset, write_openai

WARM_UP = 30  # steps
ROUND = 32  # tokens: a line is padded to a multiple of this


@dataclass(frozen=True)
class Recipe:
    """How an adapter is trained: what its card says."""

    rank: int = 8
    alpha: int = 16
    rate: float = 1e-3
    epochs: float = 1.0
    seed: int = 0


class Example(NamedTuple):
    """A line in tokens; `learned` are the positions whose token the model must write."""

    tokens: tuple[int, ...]
    learned: tuple[int, ...]


class Trainer:
    """A training and its checkpoint: all that a second process needs to go on."""

    def __init__(self, lines: Sequence[Line], folder: Path, weights: Path, recipe: Recipe) -> None:
        torch.manual_seed(recipe.seed)
        self.folder, self.checkpoint, self.recipe = folder, folder / "checkpoint.pt", recipe
        self.step, self.seconds, self.losses = 0, 0.0, list[float]()
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model, tokenizer = load(weights, recipe, self.device)
        self.examples = [encode(line, tokenizer) for line in lines]
        self.order = order_of(len(lines), recipe)
        self.steps = len(self.order)
        known = [[e.tokens for e in self.examples], asdict(recipe)]
        # names this very training, so that no checkpoint of another one is taken up
        self.fingerprint = hashlib.sha256(json.dumps(known).encode()).hexdigest()
        self.learns = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.learns, lr=recipe.rate, weight_decay=0.0)
        self.resume()

    def advance(self) -> float:
        """One step over one line: many small steps teach far more than few large ones."""
        began = time.monotonic()
        self.model.train()
        tokens, learned = self.examples[self.order[self.step]]
        # warm-up, then linear decay to a twentieth
        warm = min(1.0, (self.step + 1) / min(WARM_UP, self.steps // 10 + 1))
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate * warm * max(0.05, 1 - self.step / self.steps)
        # few lengths, as kernels are made per length and used again; no token sees the padding
        padding = [tokens[-1]] * (-len(tokens) % ROUND)
        ids = torch.tensor([[*tokens, *padding]], device=self.device)
        places = torch.tensor(learned, device=self.device)
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=halves(self.device)):
            guesses = self.model(input_ids=ids, use_cache=False, logits_to_keep=places - 1).logits
        loss = torch.nn.functional.cross_entropy(guesses[0].float(), ids[0, places])
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        self.losses.append(round(float(loss.detach()), 4))
        self.seconds += time.monotonic() - began
        return self.losses[-1]

    def save(self) -> None:
        """The checkpoint, whole or not at all."""
        from peft import get_peft_model_state_dict

        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.checkpoint.with_suffix(".part")
        kept = {name: getattr(self, name) for name in ("fingerprint", "step", "losses", "seconds")}
        kept["adapter"] = get_peft_model_state_dict(self.model, save_embedding_layers=False)
        kept["optimizer"] = self.optimizer.state_dict()
        torch.save(kept, part)
        part.replace(self.checkpoint)

    def resume(self) -> None:
        """Go on from the checkpoint, if it is one of this very training."""
        from peft import set_peft_model_state_dict

        if not self.checkpoint.exists():
            return
        kept = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        if kept.get("fingerprint") != self.fingerprint:
            another = f"{self.folder} holds another training (other lines or another recipe)"
            raise ValueError(f"{another}: name another folder, or remove that one")
        set_peft_model_state_dict(self.model, kept["adapter"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.step, self.losses, self.seconds = kept["step"], kept["losses"], kept["seconds"]

    def finish(self) -> Path:
        """The last checkpoint, the peft folder, and what the card needs to know."""
        self.save()
        self.model.save_pretrained(self.folder, save_embedding_layers=False)
        last = self.losses[-20:]
        facts = {
            **asdict(self.recipe),
            "lines": len(self.examples),
            "tokens": sum(len(example.tokens) for example in self.examples),
            "steps": self.steps,
            "loss": round(sum(last) / max(len(last), 1), 4),
            "losses": self.losses,
            "seconds": round(self.seconds),
            "device": self.device,
        }
        (self.folder / "training.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
        return self.folder


def load(weights: Path, recipe: Recipe, device: str) -> tuple[Any, Any]:
    """The frozen base with a fresh adapter, and its tokenizer."""
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    where, name = str(weights.parent), weights.name
    tokenizer = AutoTokenizer.from_pretrained(where, gguf_file=name)
    # attention written out: on a CPU several times as fast as the fused one, at these lengths
    base = AutoModelForCausalLM.from_pretrained(
        where, gguf_file=name, dtype=torch.float32, attn_implementation="eager"
    )
    if halves(device):
        base = base.to(device, torch.bfloat16)  # type: ignore[arg-type]
    config = LoraConfig(
        r=recipe.rank, lora_alpha=recipe.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    with warnings.catch_warnings():  # peft asks transformers under a name that will go
        warnings.simplefilter("ignore", FutureWarning)
        warnings.filterwarnings("ignore", "fan_in_fan_out")  # it finds out by itself
        return get_peft_model(base, config), tokenizer


@functools.cache
def halves(device: str) -> bool:
    """Are numbers of 16 bits the faster ones here? A CPU's flags do not tell."""
    return device != "cpu" or 2 * took(torch.bfloat16) < took(torch.float32)


def took(dtype: Any) -> float:
    """Seconds of one thread for products such as a training makes; who else is busy counts not."""
    one, two = torch.ones(256, 1024, dtype=dtype), torch.ones(1024, 1024, dtype=dtype)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    times = timeit.repeat(
        lambda: (one @ two, one.T @ one), timer=time.thread_time, repeat=3, number=8
    )
    torch.set_num_threads(threads)
    return min(times)


def encode(line: Line, tokenizer: Any) -> Example:
    """Tokens of a line: what each turn writes, and that the turn then ends, is to be learned.

    The line begins with whatever the tokenizer puts first, as it does when the model is asked.
    """
    pieces = [p for t in line for p in ((t.shown, False), (t.written + t.mark, t.learned))]
    read = tokenizer("".join(text for text, _ in pieces), return_offsets_mapping=True)
    tokens, ends = list(read.input_ids), [*accumulate(len(text) for text, _ in pieces)]
    lasts = enumerate(last for _, last in read.offset_mapping)  # 0 of what stands for no text
    learned = [place for place, last in lasts if last and pieces[bisect_left(ends, last)][1]]
    if tokens[-1] == tokenizer.eos_token_id:  # some end every text themselves
        tokens.pop()
        learned = [place for place in learned if place < len(tokens)]
    if line[-1].learned:
        learned.append(len(tokens))
    return Example((*tokens, tokenizer.eos_token_id), tuple(learned))


def order_of(n: int, recipe: Recipe) -> list[int]:
    """Which line each step sees: every epoch in an order of its own."""
    wanted, order = round(n * recipe.epochs), list[int]()
    pick = random.Random(recipe.seed)
    while len(order) < wanted:
        order += pick.sample(range(n), n)
    return order[:wanted]


# ------------------------------------------------------------------ training

EVERY = 30.0  # seconds between checkpoints


@dataclass(frozen=True)
class Progress:
    """Where a training stands after a step."""

    step: int
    steps: int
    loss: float


OnStep = Callable[[Progress], None] | None


def needs() -> None:
    """Say plainly what to install when the extra is missing."""
    for name in ("gguf", "peft", "torch", "transformers"):
        if importlib.util.find_spec(name) is None:
            extra = "install the extra, pip install 'react_lab[finetune]'"
            raise ValueError(f"training needs {name}: {extra}")


def train_adapter(
    runs: Iterable[Trajectory],
    leg: str,
    folder: str | os.PathLike[str],
    recipe: Recipe | None = None,
    *,
    weights: str | os.PathLike[str] | None = None,
    on_step: OnStep = None,
) -> Path:
    """Correct runs -> an adapter for a leg: `rl.models.local(adapter=...)` takes what it returns.

    Called again, it goes on where it was stopped. folder: where checkpoints and the result are
    kept. weights: a .gguf file of any kind that transformers reads; None is the bundled model's.
    """
    lines = learnable(runs, leg)
    base = expand(weights).resolve() if weights else bundled.path()
    folder = data.resolve(folder)
    train(lines, folder, base, recipe or Recipe(), on_step)
    return write_gguf(folder, folder / f"{leg}-{len(lines)}.gguf", base)


def train(
    lines: Sequence[Line], folder: Path, weights: Path, recipe: Recipe, on_step: OnStep = None
) -> Path:
    """Lines -> a peft folder."""
    needs()
    trainer = Trainer(lines, folder, weights, recipe)
    saved = time.monotonic()
    while trainer.step < trainer.steps:
        loss = trainer.advance()
        if on_step:
            on_step(Progress(trainer.step, trainer.steps, loss))
        if time.monotonic() - saved > EVERY:
            trainer.save()
            saved = time.monotonic()
    return trainer.finish()


# ------------------------------------------------------------------ the adapter as a GGUF file


def architecture_of(weights: Path) -> tuple[str, Any, dict[str, int]]:
    """The kind of the model in a GGUF file, its matrices' names in llama.cpp by those in peft, and
    by how many heads the rows of some stand in another order there.
    """
    reader = gguf.GGUFReader(weights)

    def told(name: str) -> Any:
        field = reader.get_field(name)
        if field is None:
            raise ValueError(f"{weights} does not say its {name}: is it a whole .gguf of a model?")
        return field.contents()

    name = told("general.architecture")
    if name in REORDERED:
        mixed = "as their rows are mixed in llama.cpp: take others"
        raise ValueError(f"adapters for weights of the kind {name} cannot be made here, {mixed}")
    kind = next(kind for kind, known in gguf.MODEL_ARCH_NAMES.items() if known == name)
    names = gguf.get_tensor_name_map(kind, told(f"{name}.block_count"))
    turned = ROTATED if name == "llama" else {}
    return name, names, {matrix: int(told(f"{name}.{key}")) for matrix, key in turned.items()}


# in files of Llama's kind alone; what transformers reads of other kinds keeps the order of rows,
# but for these
ROTATED = {"attn_q": "attention.head_count", "attn_k": "attention.head_count_kv"}
REORDERED = ("bloom",)


def write_gguf(folder: Path, path: Path, weights: Path) -> Path:
    """A peft folder as a GGUF LoRA in 16 bits."""
    from safetensors.numpy import load_file

    kind, names, heads = architecture_of(weights)
    config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    writer = gguf.GGUFWriter(part, kind)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
    for name, tensor in load_file(folder / "adapter_model.safetensors").items():
        # ...layers.7.self_attn.q_proj.lora_B.weight -> blk.7.attn_q.weight.lora_b
        module, _, half = name.removesuffix(".weight").rpartition(".")
        place = names.get_name(module.removeprefix("base_model.model."))
        if not place:
            nameless = f"llama.cpp has no name for {module} in weights of the kind {kind}"
            raise ValueError(f"{nameless}: train an adapter for other weights")
        matrix = place.rpartition(".")[2]
        rotates = half == "lora_B" and matrix in heads
        rows = np.ascontiguousarray(permuted(tensor, heads[matrix]) if rotates else tensor)
        writer.add_tensor(f"{place}.weight.{half.lower()}", rows.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)
    return path


def permuted(tensor: Any, heads: int) -> Any:
    """RoPE turns neighbours in llama.cpp and halves in transformers: the rows change places."""
    parts = tensor.reshape(heads, 2, -1, *tensor.shape[1:])
    return parts.swapaxes(1, 2).reshape(tensor.shape)


# ------------------------------------------------------------------ the command finetune


def make(
    leg: str, n: int, paths: Sequence[str] | None, out: str | None, epochs: float = 1.0,
    gguf: str | None = None,
) -> Path:  # fmt: skip
    """Train an adapter; called again, it goes on where it was stopped."""
    needs()
    weights = f"-{Path(gguf).stem}" if gguf else ""
    folder = out or data.shared(f"runs/adapters/{leg}-{n}{weights}")
    runs, recipe = chosen(n, paths), Recipe(epochs=epochs)
    with line()(unit="", desc="training") as bar:

        def show(progress: Progress) -> None:
            bar.total = progress.steps
            bar.set_postfix(loss=f"{progress.loss:.2f}", refresh=False)
            bar.update(progress.step - bar.n)

        return train_adapter(runs, leg, folder, recipe, weights=gguf, on_step=show)


def chosen(n: int, paths: Sequence[str] | None) -> list[Trajectory]:
    """Gold trajectories, or the runs of your files."""
    if not paths:
        check_number("n", n, 1, 1)
        return draw_gold(n)
    return [run for path in paths for run in store.open(Path(path).resolve())]


def export(kind: str, leg: str, n: int, paths: Sequence[str] | None, out: str | None) -> Path:
    """Write the training lines for another trainer: a dataset folder, or a file for OpenAI."""
    lines = learnable(chosen(n, paths), leg)
    where = data.resolve(out) if out else data.shared(f"runs/adapters/{leg}-{n}-{kind}")
    if kind == "dataset":
        return write_dataset(lines, where, leg)
    return write_openai(lines, where.with_suffix(".jsonl"), leg)


def tried(adapter: Path, leg: str, n: int, gguf: str | None = None) -> str:
    """Its score on n questions of the dev split: no gold trajectory is over their pages."""
    model = models.local(gguf, adapter={leg: adapter})
    questions = tasks.load("multihop", "dev", n=n, by_type=True)
    bar = line()(iterable=questions, desc="dev questions", leave=False)
    right = sum(bool(score.correct(running.run(leg, task, model))) for task in bar)
    return f"dev questions right: {rate(right, n)}"
