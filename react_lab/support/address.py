"""Which addresses are this machine: what is sent to them never goes through a proxy."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from urllib.parse import urlsplit


def is_local(url: str) -> bool:
    """Whether a server is on this machine, however its address is written. Asks no network."""
    host = (urlsplit(url).hostname or "").removesuffix(".")
    with contextlib.suppress(UnicodeError):  # no name, perhaps a number
        host = host.encode("idna").decode().removesuffix(".")  # as the resolver folds it
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(numbered(host))
    except ValueError:  # a name, not a number
        return False
    number = getattr(number, "ipv4_mapped", None) or number
    return number.is_loopback or number.is_unspecified


def numbered(host: str) -> str:
    """127.1, 0x7f000001 and 2130706433 as the C library reads them: 127.0.0.1."""
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except (OSError, ValueError):
        return host
