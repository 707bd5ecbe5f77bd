"""Matrix products in whole numbers of 8 bits, on a CPU twice as fast as a training in float32.

The frozen matrices of the base are rounded once, a scale a row; what comes in, and the gradient that
goes back, are rounded row by row. The adapter itself stays in float32. On lines of ours the
gradient's direction is that of float32 within cos 0.97.
"""

from __future__ import annotations

import ctypes
import time
from typing import Any

import torch

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # names of glibc's


def quicken(model: Any) -> None:
    """Let a peft model in training count in 8 bits, if that is faster here."""
    if torch.cuda.is_available() or not faster():
        return
    keep_memory()
    for module in model.modules():
        if isinstance(getattr(module, "base_layer", None), torch.nn.Linear):
            module.forward = EightBits(module.base_layer, module).forward
    inside = model.base_model.model
    inside.lm_head.forward = EightBits(inside.lm_head).forward


def faster() -> bool:
    """Is a product of 8 bits at least twice as fast as one of float32? The best of three tells."""
    whole, real = torch.ones(256, 1024, dtype=torch.int8), torch.ones(256, 1024)
    other = torch.ones(1024, 1024, dtype=torch.int8)
    return 2 * took(torch._int_mm, whole, other) < took(torch.mm, real, other.float())


def took(product: Any, one: Any, two: Any) -> float:
    times = []
    for _ in range(3):
        began = time.perf_counter()
        for _ in range(8):
            product(one, two)
        times.append(time.perf_counter() - began)
    return min(times)


def keep_memory() -> None:
    """Memory that was used once is used again, not given back after every product (Linux)."""
    try:
        for name in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
            ctypes.CDLL(None).mallopt(name, 1 << 30)
    except (OSError, AttributeError):
        pass  # another system: slower, not wrong


class EightBits:
    """A frozen matrix in 8 bits, with the adapter's two beside it."""

    def __init__(self, base: Any, lora: Any = None) -> None:
        self.rows, scale = rounded(base.weight.data)
        self.scale, self.bias, self.lora = scale[:, 0].contiguous(), base.bias, lora

    def forward(self, x: Any) -> Any:
        down = up = None
        times = 1.0
        if lora := self.lora:
            down, up = lora.lora_A["default"].weight, lora.lora_B["default"].weight
            times = lora.scaling["default"]
        flat = x.reshape(-1, x.shape[-1])
        found = Product.apply(flat, self.rows, self.scale, self.bias, down, up, times)
        return found.view(*x.shape[:-1], -1)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, rows: Any, scale: Any, bias: Any, down: Any, up: Any, times: float) -> Any:  # fmt: skip
        found = product(x, rows.T).mul_(scale)
        if bias is not None:
            found += bias
        low = None
        if down is not None:
            low = (x @ down.T).mul_(times)
            found.addmm_(low, up.T)
        ctx.save_for_backward(x if down is not None else None, rows, scale, down, up, low)
        ctx.times = times
        return found

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        x, rows, scale, down, up, low = ctx.saved_tensors
        back = product(grad * scale, rows)
        if down is None:
            return back, *[None] * 6
        grad_low = (grad @ up).mul_(ctx.times)
        back.addmm_(grad_low, down)
        return back, None, None, None, grad_low.T @ x, grad.T @ low, None


def product(x: Any, matrix: Any) -> Any:
    rows, scale = rounded(x)
    return torch._int_mm(rows, matrix).float().mul_(scale)  # product of two types: half as fast


def rounded(x: Any) -> tuple[Any, Any]:
    """Rows of whole numbers from -127 to 127, and what each row was divided by."""
    high, low = x.amax(-1, keepdim=True), x.amin(-1, keepdim=True)
    scale = torch.maximum(high, low.neg_()).clamp_min_(1e-12).div_(127)
    return x.mul(1 / scale).round_().to(torch.int8), scale
