"""A LoRA adapter of peft -> a GGUF file that llama.cpp loads beside the weights, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["read_gguf", "write_gguf"]

NAMES = {  # peft's name of a matrix -> llama.cpp's
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def write_gguf(folder: Path, path: Path, weights: Path) -> Path:
    """A peft folder as a GGUF LoRA in 16 bits."""
    import gguf
    import numpy as np
    from safetensors.numpy import load_file

    heads = heads_of(gguf.GGUFReader(weights))
    config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    writer = gguf.GGUFWriter(part, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", float(config["lora_alpha"]))
    for name, tensor in load_file(folder / "adapter_model.safetensors").items():
        weight, matrix, half = named(name)
        rotates = half == "lora_b" and matrix in heads
        rows = permuted(tensor, heads[matrix]) if rotates else tensor
        writer.add_tensor(f"{weight}.{half}", np.ascontiguousarray(rows.astype(np.float16)))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)
    return path


def read_gguf(path: Path, weights: Path) -> dict[str, Any]:
    """The matrices of a GGUF LoRA under peft's names, to train it further."""
    import gguf
    import numpy as np

    heads, names = heads_of(gguf.GGUFReader(weights)), {v: k for k, v in NAMES.items()}
    found = {}
    for tensor in gguf.GGUFReader(path).tensors:
        _, layer, matrix, _, half = tensor.name.split(".")
        rows = np.array(tensor.data, dtype=np.float32)
        if half == "lora_b" and matrix in heads:
            rows = permuted_back(rows, heads[matrix])
        half = half.replace("_a", "_A").replace("_b", "_B")
        found[f"base_model.model.model.layers.{layer}.{names[matrix]}.{half}.weight"] = rows
    return found


def named(name: str) -> tuple[str, str, str]:
    """...layers.7.self_attn.q_proj.lora_B.weight -> blk.7.attn_q.weight, attn_q, lora_b."""
    parts = name.split(".")
    at = parts.index("layers")
    matrix = NAMES[".".join(parts[at + 2 : at + 4])]
    return f"blk.{parts[at + 1]}.{matrix}.weight", matrix, parts[at + 4].lower()


def heads_of(reader: Any) -> dict[str, int]:
    """How many heads the queries and the keys have."""
    fields = {
        "attn_q": "llama.attention.head_count",
        "attn_k": "llama.attention.head_count_kv",
    }
    return {matrix: int(reader.get_field(name).contents()) for matrix, name in fields.items()}


def permuted(tensor: Any, heads: int) -> Any:
    """RoPE turns neighbours in llama.cpp and halves in transformers: the rows change places."""
    halves = tensor.reshape(heads, 2, tensor.shape[0] // heads // 2, *tensor.shape[1:])
    return halves.swapaxes(1, 2).reshape(tensor.shape)


def permuted_back(tensor: Any, heads: int) -> Any:
    pairs = tensor.reshape(heads, tensor.shape[0] // heads // 2, 2, *tensor.shape[1:])
    return pairs.swapaxes(1, 2).reshape(tensor.shape)
