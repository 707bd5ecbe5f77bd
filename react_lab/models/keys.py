"""Where a server's key comes from, and how it is kept out of everything we write."""

from __future__ import annotations

import base64
import getpass
import os
import re
import sys
import warnings
from urllib.parse import quote, urlsplit

from ..types import ModelError

__all__ = ["NO_KEY", "address", "key_asked", "key_checked", "key_in", "redact"]

NO_KEY = "none"  # what a server on this machine is sent when there is no key


def address(url: str, key_env: str) -> str:
    """A base_url that may be written into every run: it must hold no key."""
    parts = urlsplit(url)
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "base_url must hold no user name, password or query, because it is written into every "
            f"run: give the address alone, and the key in the environment variable {key_env}"
        )
    try:
        plain = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
    except UnicodeError:
        plain = ""
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain:
        raise ValueError(f"base_url={url!r} is no address such as http://localhost:8000/v1")
    return url.replace(parts.netloc, plain, 1).rstrip("/")


def key_in(variable: str) -> str:
    """The key in an environment variable, or ""."""
    return key_checked(os.environ.get(variable, ""), f"in the environment variable {variable}")


def key_checked(key: str, where: str = "that was given") -> str:
    """A key without the spaces around it, or a sentence that does not show it."""
    key = key.strip()
    if all("!" <= letter <= "~" for letter in key):
        return key
    del key  # a traceback that shows local variables must not show it
    raise ModelError(
        f"the key {where} has a space, a line break or a letter no key has: copy it again"
    )


def key_asked(variable: str, url: str) -> str:
    """The key, typed by a person and not shown; used when the variable is not set."""
    if key := typed(f"Key for {url} (it will not be shown): "):
        return key
    raise ModelError(
        f"there is no key for {url} and nobody to ask for it: set the environment variable "
        f"{variable} before you start Python or Jupyter"
    )


def typed(question: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)  # never type a key in plain sight
        try:
            someone = "ipykernel" in sys.modules or (sys.stdin is not None and sys.stdin.isatty())
            return getpass.getpass(question).strip() if someone else ""
        except (EOFError, OSError, ValueError, NotImplementedError, getpass.GetPassWarning):
            return ""  # no input here: closed, or a Jupyter that runs without a person


def redact(text: str, key: str) -> str:
    """`text` without `key`, as it is or as %-encoding, base64 or repr would write it."""
    plain = base64.b64encode(key.encode()).decode().rstrip("=")
    forms = (key, quote(key, safe=""), plain, plain.translate({43: "-", 47: "_"}), repr(key)[1:-1])
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, "***")
    # OpenAI shows the first letters of a key and masks the rest
    return re.sub(re.escape(key[:8]) + r"\S*", "***", text) if len(key) > 8 else text
