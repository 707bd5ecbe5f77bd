"""A llama.cpp model in torch: its adapters trained, and asked many at a time, on a GPU.

    python data/build/gpu.py train act act-1 --lines 8000 [--start act-0] [--also own-act]
    python data/build/gpu.py play act=act-1 multihop/dev,claims/dev act dev-act
    python data/build/gpu.py own act own-act played-1 played-2      wrong runs -> lines (own_states.py)

It reads the GGUF file itself, so that what is trained is what llama.cpp answers with, rounded to 16
bits. Everything goes to runs/gpu, adapters as GGUF files; pack.py makes them small. The shipped
adapters of the 0.5B were made so in nine minutes of one H200. Without a GPU it runs too: two cores
that are quick at 16 bits learn 430 tokens of the 0.5B a second, and play 20 episodes a minute.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import claims
import gguf
import house.gold
import numpy as np
import shop.gold
import torch
from adapters import LEGS, demonstrations
from house.games import Generated, games, task_of
from own_states import own_states
from torch.nn import functional as F  # noqa: N812

import react_lab as rl
from react_lab import data, store, tasks
from react_lab.finetune import demonstration, training_line
from react_lab.finetune.trainer import encode, halves
from react_lab.models import weights
from react_lab.models.llama import Local
from react_lab.score import correct
from react_lab.types import Ask, ContextLimit, Reply, Trajectory

CUDA = torch.cuda.is_available()
DEVICE = "cuda" if CUDA else "cpu"
TYPE, NUMBERS = (torch.bfloat16, "bf16") if halves(DEVICE) else (torch.float32, "float32")
OUT = data.shared("runs/gpu")
LENGTHS = [*range(32, 129, 32), *range(192, 769, 64), 896, 1024, 1280, 1536, 1792, 2048]
Encoded = tuple[Any, Any]  # a line's tokens, and which of them are learned
Question = tuple[list[int], Sequence[str], int, float]  # tokens, stops, most tokens, temperature
Answer = tuple[str, str, int]  # text, why it ended, tokens


# ------------------------------------------------------------------ the model


class Model:
    """What a GGUF file of the kind qwen2 or llama says, and a LoRA beside it."""

    def __init__(self, file: Path) -> None:
        reader: Any = gguf.GGUFReader(file)
        self.kind = str(reader.get_field("general.architecture").contents())

        def told(name: str) -> Any:
            return reader.get_field(f"{self.kind}.{name}").contents()

        self.layers, self.width = told("block_count"), told("embedding_length")
        self.heads, self.pairs = told("attention.head_count"), told("attention.head_count_kv")
        self.size, self.eps = self.width // self.heads, told("attention.layer_norm_rms_epsilon")
        self.rows = {t.name: numbers(t).to(DEVICE, TYPE) for t in reader.tensors}
        self.head = self.rows.get("output.weight", self.rows["token_embd.weight"])
        turns = told("rope.freq_base") ** (-torch.arange(0, self.size, 2).double() / self.size)
        angles = torch.arange(10_240).double()[:, None] * turns
        self.cos, self.sin = angles.cos().float().to(DEVICE), angles.sin().float().to(DEVICE)
        self.lora: dict[str, tuple[Any, Any]] = {}
        self.rank, self.alpha = 0, 0.0

    @property
    def learns(self) -> list[Any]:
        return [half for both in self.lora.values() for half in both]

    def fresh(self, rank: int = 8, alpha: float = 16) -> None:
        """A LoRA that changes nothing yet, on every matrix of the blocks; begun as peft's are."""
        self.rank, self.alpha = rank, alpha
        dice = torch.Generator().manual_seed(0)
        for name, row in self.rows.items():
            if name.startswith("blk.") and name.endswith(".weight") and row.dim() == 2:
                high, wide = row.shape
                edge = 1 / math.sqrt(wide)
                down = torch.empty(rank, wide).uniform_(-edge, edge, generator=dice)
                self.lora[name] = trained(down), trained(torch.zeros(high, rank))

    def load(self, path: Path) -> None:
        reader: Any = gguf.GGUFReader(path)
        found = {t.name: trained(numbers(t)) for t in reader.tensors}
        names = sorted({name.rpartition(".")[0] for name in found})
        self.lora = {name: (found[f"{name}.lora_a"], found[f"{name}.lora_b"]) for name in names}
        self.rank = len(self.lora[names[0]][0])
        self.alpha = float(reader.get_field("adapter.lora.alpha").contents())

    def save(self, path: Path) -> None:
        writer: Any = gguf.GGUFWriter(path, self.kind)
        writer.add_type("adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", float(self.alpha))
        for name, both in self.lora.items():
            for end, half in zip(("lora_a", "lora_b"), both, strict=True):
                writer.add_tensor(f"{name}.{end}", half.detach().half().cpu().numpy())
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    @torch.no_grad()  # type: ignore[misc]
    def merge(self) -> None:
        """The LoRA into the matrices: quicker to ask."""
        for name, (down, up) in self.lora.items():
            added = self.alpha / self.rank * (up @ down)
            self.rows[name] = (self.rows[name].float() + added).to(TYPE)
        self.lora = {}

    def times(self, x: Any, name: str) -> Any:
        y = F.linear(x, self.rows[f"{name}.weight"], self.rows.get(f"{name}.bias"))
        if both := self.lora.get(f"{name}.weight"):
            down, up = both[0].to(x.dtype), both[1].to(x.dtype) * (self.alpha / self.rank)
            low = F.linear(x, down).flatten(0, -2)
            y = torch.addmm(y.flatten(0, -2), low, up.t()).view(y.shape)
        return y

    def norm(self, x: Any, name: str) -> Any:
        return F.rms_norm(x, (self.width,), self.rows[f"{name}.weight"], self.eps)

    def turned(self, x: Any, cos: Any, sin: Any) -> Any:
        """By its place: llama's rows lie as neighbours, qwen2's as halves."""
        near = self.kind == "llama"
        one, two = (x[..., 0::2], x[..., 1::2]) if near else x.chunk(2, -1)
        one, two = one.float(), two.float()
        both = one * cos - two * sin, two * cos + one * sin
        return (torch.stack(both, -1).flatten(-2) if near else torch.cat(both, -1)).to(x.dtype)

    def block(self, i: int, h: Any, cos: Any, sin: Any, attend: Callable[..., Any]) -> Any:
        b, shape = f"blk.{i}", h.shape[:-1]
        x = self.norm(h, f"{b}.attn_norm")
        q = self.times(x, f"{b}.attn_q").view(*shape, self.heads, self.size)
        k = self.times(x, f"{b}.attn_k").view(*shape, self.pairs, self.size)
        v = self.times(x, f"{b}.attn_v").view(*shape, self.pairs, self.size)
        seen = attend(i, self.turned(q, cos, sin), self.turned(k, cos, sin), v)
        h = h + self.times(seen.reshape(*shape, -1), f"{b}.attn_output")
        x = self.norm(h, f"{b}.ffn_norm")
        gate = F.silu(self.times(x, f"{b}.ffn_gate"))
        return h + self.times(gate * self.times(x, f"{b}.ffn_up"), f"{b}.ffn_down")

    def read(self, ids: Any, past: Any = None, keep: Callable[..., None] | None = None) -> Any:
        """Rows of tokens -> what is known after each. past: keys and values of what all begin with."""
        n, length = ids.shape
        before = past[0][0].shape[2] if past else 0
        places = slice(before, before + length)
        cos, sin = self.cos[places, None], self.sin[places, None]
        mask = None
        if before:
            whole = torch.ones(length, before + length, dtype=torch.bool, device=DEVICE)
            mask = whole.tril(before)

        def attend(i: int, *parts: Any) -> Any:
            q, k, v = (part.transpose(1, 2) for part in parts)
            if keep:
                keep(i, k, v)
            if before:
                k = torch.cat((past[i][0].expand(n, -1, -1, -1), k), 2)
                v = torch.cat((past[i][1].expand(n, -1, -1, -1), v), 2)
            shape = (-1, -1, self.heads // self.pairs, -1, -1)
            k, v = (
                t[:, :, None].expand(*shape).reshape(n, self.heads, -1, self.size) for t in (k, v)
            )
            if self.lora and not CUDA and torch.is_grad_enabled():
                return looked(q, k, v).transpose(1, 2)
            seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None)
            return seen.transpose(1, 2)

        h = F.embedding(ids, self.rows["token_embd.weight"])
        for i in range(self.layers):
            h = self.block(i, h, cos, sin, attend)
        return h

    def guesses(self, h: Any) -> Any:
        return F.linear(self.norm(h, "output_norm"), self.head)


def looked(q: Any, k: Any, v: Any) -> Any:
    """Causal attention of plain products: on a CPU its gradients come sooner than torch's own."""
    n, length = q.shape[1], q.shape[2]
    later = torch.full((length, length), -math.inf, dtype=q.dtype).triu(1)
    q, k, v = (t.reshape(-1, length, t.shape[-1]) for t in (q * q.shape[-1] ** -0.5, k, v))
    seen = torch.bmm(torch.baddbmm(later, q, k.transpose(1, 2)).softmax(-1), v)
    return seen.view(-1, n, length, seen.shape[-1])


def numbers(tensor: Any) -> Any:
    return torch.from_numpy(np.array(gguf.quants.dequantize(tensor.data, tensor.tensor_type)))


def trained(rows: Any) -> Any:
    return rows.float().to(DEVICE).requires_grad_()


# ------------------------------------------------------------------ training


class Shape:
    """One size of a step: its buffers and, on a GPU, all its work as one graph."""

    def __init__(self, model: Model, length: int, rows: int, learned: int, loss: Any) -> None:
        self.model, self.loss, self.graph = model, loss, None
        self.ids = torch.zeros(rows, length, dtype=torch.long, device=DEVICE)
        self.places = torch.zeros(learned, dtype=torch.long, device=DEVICE)
        self.wanted = torch.zeros_like(self.places)
        self.weights = torch.zeros(learned, device=DEVICE)
        self.used = rows, learned  # of a graph all, whatever is in it

    def fill(self, lines: Sequence[Encoded]) -> None:
        rows, length = self.ids.shape
        ids = np.zeros((rows, length), np.int64)
        places, wanted = [], []
        for row, (tokens, learned) in enumerate(lines):
            ids[row, : len(tokens)] = tokens
            places.append(row * length + learned - 1)
            wanted.append(tokens[learned])
        n = sum(map(len, places))
        spare = (0, len(self.places) - n)
        self.ids.copy_(torch.from_numpy(ids))
        self.places.copy_(torch.from_numpy(np.pad(np.concatenate(places), spare)))
        self.wanted.copy_(torch.from_numpy(np.pad(np.concatenate(wanted), spare)))
        self.weights.copy_(torch.from_numpy(np.pad(np.full(n, 1 / n, np.float32), spare)))
        if not CUDA:
            self.used = len(lines), n

    def work(self, learns: Sequence[Any]) -> None:
        torch._foreach_zero_([each.grad for each in learns])
        rows, n = self.used
        known = self.model.read(self.ids[:rows])
        known = known.reshape(-1, known.shape[-1]).index_select(0, self.places[:n])
        guesses = self.model.guesses(known).float()
        losses = F.cross_entropy(guesses, self.wanted[:n], reduction="none")
        loss = (losses * self.weights[:n]).sum()
        loss.backward()  # type: ignore[no-untyped-call]
        self.loss.copy_(loss.detach())

    def run(self, learns: Sequence[Any], pool: Any) -> None:
        if not CUDA:
            self.work(learns)
            return
        if self.graph is None:
            self.graph = graph_of(lambda: self.work(learns), pool)
        self.graph.replay()


def graph_of(work: Callable[[], None], pool: Any) -> Any:
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=pool):
        work()
    return graph


def steps_of(lines: Sequence[Encoded], most: int) -> Iterator[tuple[int, list[Encoded]]]:
    """Lines of about the same length, at most so many tokens together; and the length they get."""
    pick = random.Random(0)
    for start in range(0, len(lines), 256):
        groups, now = list[list[Encoded]](), list[Encoded]()
        for line in sorted(lines[start : start + 256], key=lambda line: len(line[0])):
            if now and (len(now) + 1) * padded(line) > most:
                groups.append(now)
                now = []
            now.append(line)
        groups.append(now)
        pick.shuffle(groups)
        yield from ((padded(group[-1]), group) for group in groups)


def padded(line: Encoded) -> int:
    return next(length for length in LENGTHS if length >= len(line[0]))


def train(
    model: Model, lines: Sequence[Encoded], most: int, rate: float, kept: Path
) -> dict[str, Any]:
    """Warm-up, then linear decay to a twentieth; gradients no longer than 1.

    kept: where it stands every five minutes, so that the same command goes on from there.
    """
    learns = model.learns
    for each in learns:
        each.grad = torch.zeros_like(each)
    optimizer = torch.optim.AdamW(learns, lr=rate, weight_decay=0.0, fused=CUDA)
    steps = list(steps_of(lines, most))
    need = dict[int, int]()
    for length, group in steps:
        need[length] = max(need.get(length, 0), sum(len(learned) for _, learned in group))
    loss, pool = torch.zeros((), device=DEVICE), torch.cuda.graph_pool_handle() if CUDA else None
    shapes, losses = dict[int, Shape](), torch.zeros(len(steps), device=DEVICE)
    began, warm_up, first = time.monotonic(), min(30, len(steps) // 10 + 1), 0
    if kept.exists():
        had = torch.load(kept)
        if len(had["losses"]) != len(steps):
            raise SystemExit(f"{kept} is of another training: delete it, or give another name.")
        first, began = had["step"], began - had["seconds"]
        for each, row in zip(learns, had["rows"], strict=True):
            each.data.copy_(row)
        optimizer.load_state_dict(had["optimizer"])
        losses.copy_(had["losses"])
    saved = time.monotonic()
    for step, (length, group) in enumerate(steps):
        if step < first:
            continue
        if length not in shapes:
            shapes[length] = Shape(model, length, max(1, most // length), need[length], loss)
        shapes[length].fill(group)
        shapes[length].run(learns, pool)
        torch.nn.utils.clip_grad_norm_(learns, 1.0)
        for knobs in optimizer.param_groups:
            knobs["lr"] = rate * min(1.0, (step + 1) / warm_up) * max(0.05, 1 - step / len(steps))
        optimizer.step()
        losses[step] = loss
        if time.monotonic() - saved > 300:
            rows = [each.detach() for each in learns]
            seconds, saved = time.monotonic() - began, time.monotonic()
            had = {"step": step + 1, "seconds": seconds, "rows": rows, "losses": losses}
            torch.save({**had, "optimizer": optimizer.state_dict()}, kept.with_suffix(".new"))
            kept.with_suffix(".new").replace(kept)
        if step % 100 == 99:
            last = losses[step - 99 : step + 1].mean().item()
            print(f"{step + 1} of {len(steps)}: loss {last:.4f}", flush=True)
    kept.unlink(missing_ok=True)
    told = losses.tolist()
    return {
        "rank": model.rank, "alpha": model.alpha, "rate": rate, "batch_tokens": most,
        "lines": len(lines), "steps": len(steps), "tokens": sum(len(line[0]) for line in lines),
        "loss": round(sum(told[-40:]) / len(told[-40:]), 4),
        "losses_of_20": [round(float(np.mean(told[k : k + 20])), 4) for k in range(0, len(told), 20)],
        "seconds": round(time.monotonic() - began),
        "device": torch.cuda.get_device_name() if CUDA else "cpu",
    }  # fmt: skip


# ------------------------------------------------------------------ asking


class Engine:
    """Prompts in lock-step: what all begin with is read once, then a token a step for every row."""

    def __init__(self, model: Model, tokenizer: Any, rows: int, room: int) -> None:
        self.model, self.tokenizer, self.rows, self.room = model, tokenizer, rows, room
        self.ends = {151643, 151645} if model.kind == "qwen2" else {0, 2}
        self.live = rows  # the first so many rows are asked
        self.graphs = dict[tuple[int, bool], Any]()
        self.pool = torch.cuda.graph_pool_handle() if CUDA else None
        shape = self.model.layers, rows, self.model.pairs, self.room, self.model.size
        self.keys = torch.zeros(shape, device=DEVICE, dtype=TYPE)
        self.values = torch.zeros_like(self.keys)
        self.now = torch.zeros(rows, dtype=torch.long, device=DEVICE)
        self.place, self.at = torch.zeros_like(self.now), torch.zeros_like(self.now)[:, None]
        self.written = torch.zeros(rows, 1024, dtype=torch.long, device=DEVICE)
        self.heat = torch.zeros(rows, device=DEVICE)
        self.noise = torch.ones(rows, 40, device=DEVICE)

    @torch.no_grad()  # type: ignore[misc]
    def __call__(self, asked: Sequence[Question]) -> list[Answer]:
        order = sorted(range(len(asked)), key=lambda i: len(asked[i][0]))
        found = self.answers([asked[i] for i in order])
        return [answer for _, answer in sorted(zip(order, found, strict=True))]

    def answers(self, asked: Sequence[Question]) -> list[Answer]:
        """Of questions in the order of their length."""
        n, lengths = len(asked), [len(ids) for ids, *_ in asked]
        known = torch.zeros(self.rows, self.model.width, device=DEVICE, dtype=TYPE)
        known[:n] = self.prompts([ids for ids, *_ in asked])
        self.place.zero_()[:n] = torch.tensor(lengths, device=DEVICE)
        self.heat.zero_()[:n] = torch.tensor([float(heat) for *_, heat in asked], device=DEVICE)
        self.at.zero_()
        draws = bool(self.heat.any())
        self.draw(draws)
        self.take(known, draws)
        found: list[Answer | None] = [None] * n
        steps = 1
        while None in found:
            for _ in range(8):
                self.advance(min(-(-(lengths[-1] + steps) // 256) * 256, self.room), draws)
                steps += 1
            for i, row in enumerate(self.written[:n, :steps].tolist()):
                found[i] = found[i] or self.ended(row, *asked[i][1:3])
        return [answer for answer in found if answer]

    def prompts(self, prompts: Sequence[list[int]]) -> Any:
        """What is known at the end of each; keys and values are kept."""
        start, past = common(prompts), None
        if start:
            kept = dict[int, tuple[Any, Any]]()
            first = torch.tensor([prompts[0][:start]], device=DEVICE)
            self.model.read(first, keep=lambda i, k, v: kept.update({i: (k, v)}))
            past = [kept[i] for i in range(self.model.layers)]
            for i, (k, v) in kept.items():
                self.keys[i, : len(prompts), :, :start] = k
                self.values[i, : len(prompts), :, :start] = v
        lasts, begin = [], 0
        most = 32_768 // (1 + start // 512)
        while begin < len(prompts):
            end = begin + 1
            while end < len(prompts) and (end + 1 - begin) * (len(prompts[end]) - start) <= most:
                end += 1
            length = len(prompts[end - 1]) - start
            part = [ids[start:] for ids in prompts[begin:end]]
            ids = torch.tensor([each + [0] * (length - len(each)) for each in part], device=DEVICE)
            where = slice(begin, end), slice(None), slice(start, start + length)

            def keep(i: int, k: Any, v: Any, where: Any = where) -> None:
                self.keys[(i, *where)], self.values[(i, *where)] = k, v

            known = self.model.read(ids, past, keep)
            ends = torch.tensor([len(each) - 1 for each in part], device=DEVICE)
            lasts.append(known[torch.arange(end - begin, device=DEVICE), ends])
            begin = end
        return torch.cat(lasts)

    def advance(self, seen: int, draws: bool) -> None:
        self.draw(draws)
        if (seen, draws) not in self.graphs:
            state = [each.clone() for each in (self.now, self.place, self.at)]
            self.graphs[seen, draws] = graph_of(lambda: self.step(seen, draws), self.pool)
            for each, was in zip((self.now, self.place, self.at), state, strict=True):
                each.copy_(was)
        self.graphs[seen, draws].replay()

    def step(self, seen: int, draws: bool) -> None:
        model, n, where = self.model, self.live, self.place[: self.live]
        cos, sin = model.cos[where][:, None], model.sin[where][:, None]
        known = (torch.arange(seen, device=DEVICE)[None] <= where[:, None])[:, None, None]
        every = torch.arange(n, device=DEVICE)

        def attend(i: int, q: Any, k: Any, v: Any) -> Any:
            self.keys[i][every, :, where], self.values[i][every, :, where] = k, v
            k, v = self.keys[i, :n, :, :seen], self.values[i, :n, :, :seen]
            q = q.view(n, model.pairs, -1, model.size)
            return F.scaled_dot_product_attention(q, k, v, attn_mask=known)

        h = F.embedding(self.now[:n], model.rows["token_embd.weight"])
        for i in range(model.layers):
            h = model.block(i, h, cos, sin, attend)
        self.take(h, draws)
        where.add_(1).clamp_max_(self.room - 1)

    def draw(self, draws: bool) -> None:
        if draws:
            self.noise.exponential_()

    def take(self, known: Any, draws: bool, rows: slice | None = None) -> None:
        """The next token of each row; with a temperature as llama.cpp draws: 40, 0.95, 0.05."""
        rows = rows or slice(self.live)
        guesses = self.model.guesses(known).float()
        token = guesses.argmax(-1)
        if draws:
            top, ids = guesses.topk(40, -1)
            p = top.softmax(-1)
            p = torch.where(p.cumsum(-1) - p < 0.95, p, 0.0)
            p = torch.where(p >= 0.05 * p[:, :1], p, 0.0) / p[:, :1]
            heat = self.heat[rows]
            drawn = (p.pow(1 / heat.clamp_min(1e-3)[:, None]) / self.noise[rows]).argmax(-1)
            token = torch.where(heat > 0, ids.gather(1, drawn[:, None])[:, 0], token)
        self.now[rows] = token
        self.written[rows].scatter_(1, self.at[rows], token[:, None])
        self.at[rows].add_(1).clamp_max_(1023)

    def ended(self, tokens: list[int], stops: Sequence[str], most: int) -> Answer | None:
        """What a row has written, if it is at its end."""
        end = next((k for k, token in enumerate(tokens) if token in self.ends), len(tokens))
        why = (
            "stop" if end < len(tokens) and end <= most else "length" if len(tokens) >= most else ""
        )
        text = self.tokenizer.decode(tokens[: min(end, most)], clean_up_tokenization_spaces=False)
        cut = min((k for stop in stops if (k := text.find(stop)) >= 0), default=-1)
        if cut >= 0:
            text, why = text[:cut], "stop"
        return (text, why, len(self.tokenizer.encode(text))) if why else None


class Steady(Engine):
    """On a CPU: who has an answer leaves and who asks comes in, between two tokens.

    Of each prompt keys and values are kept: the next one of its run begins with it.
    """

    def __init__(self, model: Model, tokenizer: Any, rows: int, room: int) -> None:
        super().__init__(model, tokenizer, rows, room)
        self.live, self.asked = 0, list[Question]()
        self.kept = list[tuple[Any, Any, Any]]()  # a prompt's tokens, its keys and values

    @torch.no_grad()  # type: ignore[misc]
    def enter(self, asked: Question) -> None:
        ids, row = np.array(asked[0]), self.live
        start, past = 0, None
        if self.kept:
            same, k, v = max(self.kept, key=lambda one: alike(one[0], ids))
            start = min(alike(same, ids), len(ids) - 1)
            k, v = k[:, :, :start], v[:, :, :start]
            past = [*zip(k[:, None], v[:, None], strict=True)] if start else None
            self.keys[:, row, :, :start], self.values[:, row, :, :start] = k, v
            self.kept = [one for one in self.kept if one[0] is not same or start < len(same)]

        def keep(i: int, k: Any, v: Any) -> None:
            self.keys[i, row, :, start : len(ids)] = k[0]
            self.values[i, row, :, start : len(ids)] = v[0]

        known = self.model.read(torch.from_numpy(ids[None, start:]), past, keep)[:, -1]
        both = (each[:, row, :, : len(ids)].clone() for each in (self.keys, self.values))
        self.kept = [*self.kept, (ids, *both)][-self.rows - 4 :]
        self.place[row], self.at[row], self.heat[row] = len(ids), 0, asked[3]
        self.live, self.asked = row + 1, [*self.asked, asked]
        self.draw(bool(asked[3]))
        self.take(known, bool(asked[3]), slice(row, row + 1))

    @torch.no_grad()  # type: ignore[misc]
    def go_on(self, steps: int = 4) -> list[tuple[int, Answer]]:
        """A few tokens more for all; the rows that left, from the last one on, with their answers."""
        draws = any(heat for *_, heat in self.asked)
        for _ in range(steps):
            self.draw(draws)
            seen = int(self.place[: self.live].max()) + 1
            self.step(min(-(-seen // 64) * 64, self.room), draws)
        left = list[tuple[int, Answer]]()
        for row in reversed(range(self.live)):
            written = self.written[row, : int(self.at[row, 0])].tolist()
            if answer := self.ended(written, *self.asked[row][1:3]):
                left.append((row, answer))
                self.leave(row)
        return left

    def leave(self, row: int) -> None:
        """The last row takes its place."""
        last = self.live = self.live - 1
        n = int(self.place[last])
        for each in (self.keys, self.values):
            each[:, row, :, :n] = each[:, last, :, :n]
        for each in (self.now, self.place, self.at, self.written, self.heat):
            each[row] = each[last]
        self.asked[row] = self.asked[last]
        self.asked.pop()


def alike(one: Any, other: Any) -> int:
    """How many tokens two begin with together."""
    n = min(len(one), len(other))
    differ = np.flatnonzero(one[:n] != other[:n])
    return int(differ[0]) if len(differ) else n


def common(prompts: Sequence[list[int]]) -> int:
    """How many tokens all begin with, if they are many."""
    if len(prompts) == 1:
        return 0
    same = 0
    for tokens in zip(*(ids[:-1] for ids in prompts), strict=False):
        if len({*tokens}) > 1:
            break
        same += 1
    return same if same >= 64 else 0


@dataclass
class Box:
    """A question that waits, and its answer."""

    asked: Question
    answer: Answer | Exception | None = None


class Gathered:
    """Many threads ask; what waits is answered together."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.waiting, self.bell = engine, list[Box](), threading.Condition()
        threading.Thread(target=self.serve, daemon=True).start()

    def ask(self, asked: Sequence[Question]) -> list[Answer]:
        boxes = [Box(each) for each in asked]
        with self.bell:
            self.waiting += boxes
            self.bell.notify_all()
            self.bell.wait_for(lambda: all(box.answer for box in boxes))
        if broken := next((box.answer for box in boxes if isinstance(box.answer, Exception)), None):
            raise broken
        return [box.answer for box in boxes if isinstance(box.answer, tuple)]

    def serve(self) -> None:
        if isinstance(self.engine, Steady):
            self.serve_steadily(self.engine)
        while True:
            with self.bell:
                self.bell.wait_for(lambda: self.waiting)
                n = 0
                while n < len(self.waiting) < self.engine.rows:  # as long as others come
                    n = len(self.waiting)
                    self.bell.wait(0.04)
                boxes, self.waiting = (
                    self.waiting[: self.engine.rows],
                    self.waiting[self.engine.rows :],
                )
            found: Sequence[Answer | Exception]
            try:
                found = self.engine([box.asked for box in boxes])
            except Exception as error:  # noqa: BLE001 - whoever asked is told
                found = [error] * len(boxes)
            with self.bell:
                for box, answer in zip(boxes, found, strict=True):
                    box.answer = answer
                self.bell.notify_all()

    def serve_steadily(self, engine: Steady) -> None:
        rows = list[Box]()
        while True:
            with self.bell:
                self.bell.wait_for(lambda: rows or self.waiting)
                free = engine.rows - len(rows)
                new, self.waiting = self.waiting[:free], self.waiting[free:]
            left = list[tuple[Box, Answer | Exception]]()
            for box in new:
                try:
                    engine.enter(box.asked)
                    rows.append(box)
                except Exception as error:  # noqa: BLE001 - whoever asked is told
                    left.append((box, error))
            for row, answer in engine.go_on() if rows else ():
                left.append((rows[row], answer))
                rows[row] = rows[-1]
                rows.pop()
            with self.bell:
                for box, found in left:
                    box.answer = found
                self.bell.notify_all()


class Played(Local):
    """The model and its adapters in torch, for `evaluate`; its name says so."""

    def __init__(self, size: str, adapters: Mapping[str, Path], workers: int, room: int) -> None:
        super().__init__(size, adapters or None)
        self.name += " in torch"
        self.workers, self.room, self.tokenizer = workers, room, tokenizer_of(size)
        self.engines, self.lock = dict[Path | None, Gathered](), threading.Lock()

    def engine(self, leg: str) -> Gathered:
        adapter = self.adapters.get(leg)
        with self.lock:
            if adapter not in self.engines:
                assert self.size
                model = Model(weights.path(self.size.name))
                if adapter:
                    model.load(adapter)
                    model.merge()
                engine = (Engine if CUDA else Steady)(
                    model, self.tokenizer, self.workers, self.room
                )
                self.engines[adapter] = Gathered(engine)
            return self.engines[adapter]

    def identity(self, leg: str) -> str:
        return super().identity(leg).replace(" in torch", f" in torch, {NUMBERS}", 1)

    def complete(self, ask: Ask, on_text: Any = None) -> dict[int, Reply]:
        assert isinstance(ask.prompt, str)
        ids = self.tokenizer.encode(ask.prompt)
        if len(ids) + ask.max_tokens + 16 > self.room:
            raise ContextLimit(f"{len(ids)} tokens are more than there is room for")
        question = ids, ask.stop, ask.max_tokens, ask.temperature
        found = self.engine(ask.leg).ask([question] * len(ask.samples))
        how = {"temperature": ask.temperature, "engine": f"torch, {NUMBERS}"}
        return {
            sample: Reply(text, why, len(ids), n, how)  # type: ignore[arg-type]
            for sample, (text, why, n) in zip(ask.samples, found, strict=True)
        }


# ------------------------------------------------------------------ from outside


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="0.5b", choices=weights.SIZES)
    does = parser.add_subparsers(dest="do", required=True)
    add = does.add_parser("train")
    add.add_argument("leg", choices=LEGS)
    add.add_argument("out")
    add.add_argument("--lines", type=int, default=1000)
    add.add_argument("--start", help="an adapter to go on from; or shipped")
    add.add_argument("--also", default="", help="more lines, by comma: what `own` wrote")
    add.add_argument("--right", default="", help="and, by comma, the right runs that `play` wrote")
    add.add_argument("--others", default="", help="and other methods' lines: act=100,cot=100")
    add.add_argument("--tasks", default="", help="all of a set, from a row on: claims/written:461")
    add.add_argument(
        "--twins", type=int, default=0, help="claims, each twice, claiming other values"
    )
    add.add_argument(
        "--limits", type=int, default=0, help="shop/react: first thoughts under other price limits"
    )
    add.add_argument("--most", type=int, default=4096, help="tokens of a step")
    add.add_argument("--rate", type=float, default=1e-3)
    add = does.add_parser("play")
    add.add_argument(
        "adapters", help="leg=name, by comma; name: one of runs/gpu, or shipped; or none"
    )
    add.add_argument(
        "sets", help="by comma, multihop/dev; games/3001 are generated, from a number on"
    )
    add.add_argument("methods")
    add.add_argument("out")
    add.add_argument("--decoding", default="greedy")
    add.add_argument("--n", type=int, help="so many tasks of each set, evenly by type")
    add.add_argument("--unseen", help="leave out what this training has seen")
    add.add_argument("--workers", type=int, default=256)
    add.add_argument("--room", type=int, default=2304, help="tokens of a prompt and its reply")
    add = does.add_parser("own")
    add.add_argument("leg", choices=LEGS)
    add.add_argument("out")
    add.add_argument("runs", nargs="+")
    asked = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    keep_memory()
    {"train": do_train, "play": do_play, "own": do_own}[asked.do](asked)


def keep_memory() -> None:
    """Memory that was used once is used again, not given back after every product (Linux)."""
    try:
        for name in (-3, -1):  # glibc's M_MMAP_THRESHOLD, M_TRIM_THRESHOLD
            ctypes.CDLL(None).mallopt(name, 1 << 30)
    except (OSError, AttributeError):
        pass  # another system: slower, not wrong


def do_train(asked: argparse.Namespace) -> None:
    runs = list(islice((run for run in demonstrations(asked.leg) if correct(run)), asked.lines))
    for name, _, first in (each.partition(":") for each in filter(None, asked.tasks.split(","))):
        runs += map(demonstration, tasks.load(*name.split("/"))[int(first or 0) :])
    runs += map(demonstration, claims.twins(asked.twins))
    seen = [run.task.id for run in runs]
    (OUT / f"{asked.out}.seen.json").write_text(json.dumps(seen), encoding="utf-8")
    runs += [
        run
        for name in filter(None, asked.right.split(","))
        for run in store.open(OUT / f"{name}.jsonl")
        if correct(run)
    ]
    lines = encoded(runs, asked.leg, asked.size)
    for leg, _, n in (each.partition("=") for each in filter(None, asked.others.split(","))):
        after = islice(demonstrations(leg), asked.lines, asked.lines + int(n))  # of other tasks
        lines += encoded([*after], leg, asked.size)
    if asked.limits:
        lines += encoded([*shop.gold.first_thoughts(asked.limits)], "shop/react", asked.size, True)
    for name in filter(None, asked.also.split(",")):
        lines += [
            (np.array(t), np.array(k)) for t, k in json.loads((OUT / f"{name}.lines").read_text())
        ]
    random.Random(0).shuffle(lines)
    model = Model(weights.path(asked.size))
    shipped = data.folder("adapters", asked.size, f"{asked.leg}.gguf")
    start = shipped if asked.start == "shipped" else OUT / f"{asked.start}.gguf"
    model.load(start) if asked.start else model.fresh()
    told = train(model, lines, asked.most, asked.rate, OUT / f"{asked.out}.part")
    model.save(OUT / f"{asked.out}.gguf")
    (OUT / f"{asked.out}.json").write_text(json.dumps(told), encoding="utf-8")
    print(f"{asked.out}: loss {told['loss']}, {told['seconds']} s")


def do_play(asked: argparse.Namespace) -> None:
    pairs = [] if asked.adapters == "none" else [p.split("=") for p in asked.adapters.split(",")]
    shipped = data.folder("adapters", asked.size)
    adapters = {
        leg: shipped / f"{leg}.gguf" if name == "shipped" else OUT / f"{name}.gguf"
        for leg, name in pairs
    }
    todo, world = list[Any](), None
    for kind, split in (name.split("/") for name in asked.sets.split(",")):
        if kind == "games":
            world = Generated()
            todo += [task_of(row) for row in games("train", asked.n, int(split))]
        else:
            n = None if asked.unseen else asked.n
            todo += tasks.load(kind, split, n=n, by_type=bool(n))
    if asked.unseen:
        seen = set(json.loads((OUT / f"{asked.unseen}.seen.json").read_text(encoding="utf-8")))
        todo = [task for task in todo if task.id not in seen]
        random.Random(11).shuffle(todo)
        todo = todo[: asked.n]
    model = Played(asked.size, adapters, asked.workers, asked.room)
    path, methods = OUT / f"{asked.out}.jsonl", asked.methods.split(",")
    how: Any = {"world": world, "workers": asked.workers, "decoding": asked.decoding}
    runs = rl.evaluate(methods, todo, model, path, **how)
    for method in methods:
        right = [bool(correct(run)) for run in runs if run.method == method]
        print(f"{method}: {sum(right)} of {len(right)}")


def do_own(asked: argparse.Namespace) -> None:
    runs = [run for name in asked.runs for run in store.open(OUT / f"{name}.jsonl")]
    wrong = [run for run in runs if not correct(run)]
    kind, _, leg = asked.leg.rpartition("/")
    if kind:
        gold: Any = house.gold if kind == "household" else shop.gold
        pick = random.Random(5)
        taken = (
            gold.taken_over(run, pick.randint(2, max(2, len(run.steps))), leg) for run in wrong
        )
        whole = [run for run in taken if correct(run)]
    else:
        splits = (
            "multihop/train",
            "multihop/written",
            "multihop/natural",
            "claims/train",
            "claims/written",
        )
        files = [data.folder("tasks", f"{name}.jsonl") for name in splits]
        rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
        whole = list(own_states(wrong, {row["id"]: row for row in rows}))
    lines = [(t.tolist(), k.tolist()) for t, k in encoded(whole, asked.leg, asked.size)]
    (OUT / f"{asked.out}.lines").write_text(json.dumps(lines), encoding="utf-8")
    print(f"{asked.out}: {len(lines)} lines of {len(wrong)} wrong runs, {len(runs)} in all")


def encoded(runs: Sequence[Trajectory], leg: str, size: str, cut: bool = False) -> list[Encoded]:
    """The lines of the right runs; cut: of all, as they end before they can be right."""
    kind, _, name = leg.rpartition("/")
    world = Generated() if kind == "household" else None
    read = tokenizer_of(size)
    lines = [training_line(each, name, world) for each in runs if cut or correct(each)]
    found = (encode(line, read) for line in lines)
    return [(np.array(each.tokens), np.array(each.learned)) for each in found]


def tokenizer_of(size: str) -> Any:
    from transformers import AutoTokenizer

    file = weights.path(size)
    return AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)


if __name__ == "__main__":
    main()
