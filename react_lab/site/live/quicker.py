"""The weights as a browser computes them fastest: the same numbers in another packing.

llama.cpp has quick WebAssembly code for Q5_1 and Q8_0 and none for Q4_1. Q5_1 holds every Q4_1
number exactly. Q8_0 rounds each once more: up to a third quicker, it acts otherwise now and then.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...types import EnvError

__all__ = ["KINDS", "repacked"]

KINDS = ("Q5_1", "Q8_0")
LACKS = "the live tab's weights are repacked with the package gguf: pip install -e '.[site]'"


def repacked(model: Path, out: Path, kind: str = KINDS[0]) -> Path:
    """Write a model's Q4_1 tensors as Q5_1, or as Q8_0; all else is copied."""
    try:
        import gguf
    except ImportError:
        raise EnvError(LACKS) from None
    if kind not in KINDS:
        raise ValueError(f"weights are repacked as {' or '.join(KINDS)}, not {kind!r}")
    reader = gguf.GGUFReader(model)
    writer = gguf.GGUFWriter(out, reader.fields["general.architecture"].contents())
    for field in reader.fields.values():
        if not field.name.startswith("GGUF.") and field.name != "general.architecture":
            types = field.types
            inner = types[-1] if len(types) > 1 else None
            writer.add_key_value(field.name, field.contents(), types[0], inner)
    for tensor in reader.tensors:
        numbers, packing = tensor.data, tensor.tensor_type
        if packing == gguf.GGMLQuantizationType.Q4_1:
            packing = gguf.GGMLQuantizationType[kind]
            numbers = widened(numbers) if kind == "Q5_1" else rounded(numbers)
        writer.add_tensor(tensor.name, numbers, raw_dtype=packing)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return out


def rounded(blocks: Any) -> Any:
    """Q4_1 as Q8_0."""
    from gguf import GGMLQuantizationType as Packing
    from gguf.quants import dequantize, quantize

    return quantize(dequantize(blocks, Packing.Q4_1), Packing.Q8_0)


def widened(blocks: Any) -> Any:
    """Q4_1 as Q5_1: a scale, a minimum, sixteen bytes of half bytes; the fifth bits are all 0."""
    import numpy as np

    each = blocks.reshape(-1, 20)
    fifth = np.zeros((len(each), 4), np.uint8)
    return np.hstack([each[:, :4], fifth, each[:, 4:]]).reshape(blocks.shape[0], -1)
