"""The paper's Table 1 with a model of your own: a price first, then the runs, then what differed.

python -m react_lab table1 --model NAME --n 500
"""

from __future__ import annotations

from .job import Wanted
from .terminal import table1

__all__ = ["Wanted", "table1"]
