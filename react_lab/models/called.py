"""Tools that are called in a stream: each call comes in pieces, told apart by its index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["Calls"]

MOST = 64  # calls of one answer; a stream without end fills no memory


class Calls:
    """The calls of one streamed answer, as they would have come in one piece."""

    def __init__(self) -> None:
        self.parts: dict[int, dict[str, list[str]]] = {}
        self.last = 0

    def add(self, pieces: Iterable[Mapping[str, Any]]) -> None:
        for piece in pieces:
            index = piece.get("index")
            if type(index) is not int:  # some servers send whole calls, and no index
                index = len(self.parts) if piece.get("id") else self.last
            if index not in self.parts and len(self.parts) >= MOST:
                continue
            self.last = index
            told = piece.get("function")
            told = told if isinstance(told, Mapping) else {}
            call = self.parts.setdefault(index, {"id": [], "name": [], "arguments": []})
            for name, text in (("id", piece.get("id")), *told.items()):
                if name in call and isinstance(text, str):
                    call[name].append(text)

    def whole(self) -> list[dict[str, Any]] | None:
        """The calls in their order. An id or a name that is sent again and again is said once."""
        if not self.parts:
            return None
        calls = [self.parts[index] for index in sorted(self.parts)]
        return [
            {
                "id": once(call["id"]),
                "type": "function",
                "function": {
                    "name": once(call["name"]),
                    "arguments": "".join(call["arguments"]),
                },
            }
            for call in calls
        ]


def once(pieces: list[str]) -> str:
    return pieces[0] if len(set(pieces)) == 1 else "".join(pieces)
