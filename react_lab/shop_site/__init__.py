"""The shop as a web site on this machine: people shop for the goals that agents shop for.

To read it: players (who plays which goal, and the runs that come of it), views (pages as HTML),
routes (what a request does), server (what a request may be).
"""

from __future__ import annotations

from .players import METHOD, Players
from .server import Site, open_site

__all__ = ["METHOD", "Players", "Site", "open_site"]
