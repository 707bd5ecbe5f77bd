"""pip install, with a line that says what it does and how far it is.

It runs before anything of ours is installed, so it needs Python alone.
"""

import re
import subprocess
import sys
import time

LINES = {  # what pip says, and what we make of it
    "found": re.compile(r"\s*(?:Collecting|Obtaining) "),
    "fetched": re.compile(r"\s*(?:Downloading|Using cached) (?!.*\.metadata)"),
    "all": re.compile(r"Installing collected packages: (.*)"),
}


def told(line: str, counts: dict[str, int]) -> str:
    """How far it is after this line of pip's; "" where nothing is new."""
    for name in ("found", "fetched"):
        if LINES[name].match(line):
            counts[name] += 1
            return f"{counts['found']} packages found, {counts['fetched']} fetched"
    if match := LINES["all"].match(line):
        return f"installing {len(match[1].split(', '))} packages: one to five minutes without news"
    return ""


def show(said: str, counts: dict[str, int]) -> None:
    """On a terminal one line that changes; in a log every twentieth of them."""
    if sys.stdout.isatty():
        print(f"\r    {said:60}", end="", flush=True)
    elif said.startswith("installing") or sum(counts.values()) % 20 == 1:
        print(f"    {said}", flush=True)


def main() -> int:
    begun, counts = time.monotonic(), {"found": 0, "fetched": 0}
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    with subprocess.Popen(
        [*command, "--progress-bar", "off", *sys.argv[1:]],
        stdout=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
    ) as pip:  # fmt: skip
        for line in pip.stdout or ():
            if said := told(line, counts):
                show(said, counts)
    seconds = time.monotonic() - begun
    print(
        f"\n    {'done' if pip.returncode == 0 else 'pip failed'} after {seconds:.0f} s", flush=True
    )
    return pip.returncode


if __name__ == "__main__":
    sys.exit(main())
