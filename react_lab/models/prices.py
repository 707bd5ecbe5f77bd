"""What a server's list of models says of prices: some gateways write them beside the names."""

from __future__ import annotations

import contextlib
import math

from ..records import parsed

__all__ = ["price_in"]

MILLION = 1_000_000


def price_in(content: bytes, name: str) -> tuple[float, float] | None:
    """The price of a million tokens, read and written, in a list of models as OpenRouter writes it.

    >>> one = b'{"id": "m", "pricing": {"prompt": "0.000001", "completion": "0.000002"}}'
    >>> price_in(b'{"data": [%b]}' % one, "m")
    (1.0, 2.0)
    """
    with contextlib.suppress(ValueError):
        match parsed(content):
            case {"data": list(models)}:
                for model in models:
                    match model:
                        case {"id": str(id), "pricing": {"prompt": read, "completion": written}}:
                            if id == name:
                                return million(read), million(written)
    return None


def million(price: object) -> float:
    """The price of a million tokens, from that of one, which may be written as a text."""
    one = float(price) if isinstance(price, str | int | float) else -1.0
    if not 0 <= one < math.inf:
        raise ValueError("no price")
    return round(one * MILLION, 9)
