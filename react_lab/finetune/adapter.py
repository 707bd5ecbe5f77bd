"""A LoRA adapter of peft -> a GGUF file that llama.cpp loads beside the weights, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Architecture:
    """What a GGUF file says of the model in it: llama.cpp's names, and where its rows change."""

    name: str
    names: Any  # peft's name of a matrix -> llama.cpp's
    heads: dict[str, int]  # of the matrices whose rows stand in another order in transformers

    def place(self, name: str) -> tuple[str, str, str]:
        """...layers.7.self_attn.q_proj.lora_B.weight -> blk.7.attn_q, attn_q, lora_b."""
        module, _, half = name.removesuffix(".weight").rpartition(".")
        found = self.names.get_name(module.removeprefix("base_model.model."))
        if not found:
            raise ValueError(
                f"llama.cpp has no name for {module} in weights of the kind {self.name}: train "
                "an adapter for other weights"
            )
        return found, found.rpartition(".")[2], half.lower()


def architecture_of(weights: Path) -> Architecture:
    import gguf

    reader = gguf.GGUFReader(weights)

    def told(name: str) -> Any:
        field = reader.get_field(name)
        if field is None:
            raise ValueError(f"{weights} does not say its {name}: is it a whole .gguf of a model?")
        return field.contents()

    name = told("general.architecture")
    if name in REORDERED:
        raise ValueError(
            f"adapters for weights of the kind {name} cannot be made here, as their rows are "
            "mixed in llama.cpp: take others"
        )
    kind = next(kind for kind, known in gguf.MODEL_ARCH_NAMES.items() if known == name)
    names = gguf.get_tensor_name_map(kind, told(f"{name}.block_count"))
    turned = ROTATED if name == "llama" else {}
    return Architecture(name, names, {m: int(told(f"{name}.{f}")) for m, f in turned.items()})


# in files of Llama's kind alone; what transformers reads of other kinds keeps the order of rows,
# but for these
ROTATED = {"attn_q": "attention.head_count", "attn_k": "attention.head_count_kv"}
REORDERED = ("bloom",)


def write_gguf(folder: Path, path: Path, weights: Path) -> Path:
    """A peft folder as a GGUF LoRA in 16 bits."""
    import gguf
    import numpy as np
    from safetensors.numpy import load_file

    model = architecture_of(weights)
    config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    writer = gguf.GGUFWriter(part, model.name)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
    for name, tensor in load_file(folder / "adapter_model.safetensors").items():
        place, matrix, half = model.place(name)
        rotates = half == "lora_b" and matrix in model.heads
        rows = permuted(tensor, model.heads[matrix]) if rotates else tensor
        writer.add_tensor(f"{place}.weight.{half}", np.ascontiguousarray(rows.astype(np.float16)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)
    return path


def read_gguf(path: Path, weights: Path, names: Iterable[str]) -> dict[str, Any]:
    """The matrices of a GGUF LoRA under peft's names, to train it further."""
    import gguf
    import numpy as np

    model, found = architecture_of(weights), {}
    kept = {
        t.name: gguf.quants.dequantize(t.data, t.tensor_type) for t in gguf.GGUFReader(path).tensors
    }
    for name in names:
        place, matrix, half = model.place(name)
        rows = np.array(kept[f"{place}.weight.{half}"], dtype=np.float32)
        rotates = half == "lora_b" and matrix in model.heads
        found[name] = permuted_back(rows, model.heads[matrix]) if rotates else rows
    return found


def permuted(tensor: Any, heads: int) -> Any:
    """RoPE turns neighbours in llama.cpp and halves in transformers: the rows change places."""
    halves = tensor.reshape(heads, 2, tensor.shape[0] // heads // 2, *tensor.shape[1:])
    return halves.swapaxes(1, 2).reshape(tensor.shape)


def permuted_back(tensor: Any, heads: int) -> Any:
    pairs = tensor.reshape(heads, tensor.shape[0] // heads // 2, 2, *tensor.shape[1:])
    return pairs.swapaxes(1, 2).reshape(tensor.shape)
