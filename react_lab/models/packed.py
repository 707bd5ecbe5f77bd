"""Compressed answers: none is asked for, but some gateways send one all the same."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

from .faults import Fault
from .limits import Failed, Limits

__all__ = ["readable", "unpacked"]

PACKED = {"gzip", "x-gzip", "deflate"}
COMPRESSED = re.compile("gzip|deflate|compress|br|zstd", re.I)
PIECE = 65536
ANY, BARE = 47, -15  # zlib's names: a head of gzip or zlib, or none


def readable(coding: str) -> bool:
    return coding.strip().lower() in PACKED or not COMPRESSED.search(coding)


def unpacked(pieces: Iterable[bytes], coding: str, limits: Limits) -> Iterator[bytes]:
    """The pieces as they were before they were compressed; these count for the limits too."""
    if coding.strip().lower() not in PACKED:
        yield from pieces
        return
    inflate = None
    for piece in pieces:
        # some servers leave out the head that `deflate` has
        inflate = inflate or zlib.decompressobj(ANY if has_head(piece) else BARE)
        left, found = piece, None
        while not inflate.eof and (found is None or left or len(found) == PIECE):
            try:
                found = inflate.decompress(left, PIECE)
            except zlib.error:
                raise Failed(Fault(200, message="a damaged compressed answer")) from None
            left = inflate.unconsumed_tail
            limits.read(len(found))
            if found:
                yield found


def has_head(data: bytes) -> bool:
    return data[:1] == b"\x1f" or data[0] & 15 == zlib.DEFLATED
