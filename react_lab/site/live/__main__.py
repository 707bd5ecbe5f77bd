"""The live tab alone, for trials: python -m react_lab.site.live FOLDER [Q5_1 or Q8_0]"""

import sys
from pathlib import Path

from . import write


def say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), say, *sys.argv[2:])
