"""pandas and numpy, imported when they are first used, so that what only names them is light."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__all__ = ["np", "pd"]


class Late:
    def __init__(self, module: str) -> None:
        self.module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.module), name)


if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
else:
    np, pd = Late("numpy"), Late("pandas")
