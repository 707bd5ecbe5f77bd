"""The live tab alone, for trials: python -m react_lab.site.live FOLDER"""

import sys
from pathlib import Path

from . import write

write(Path(sys.argv[1]), lambda line: sys.stderr.write(f"{line}\n"))
