"""WebShop's site in plain Python: no Java, no web server, no spaCy.

To read it: products (and goals), reward (what a purchase earns), world (an episode, its pages, and
why an act was invalid), catalogue (the search); release reads WebShop's own files.
"""

from __future__ import annotations

from .catalogue import Catalogue, catalogue, read_products, store
from .products import Goal, Product, goal_of, price_bound, with_bound
from .reward import Reward, reward
from .world import Shop, ShopEnv

__all__ = [
    "Catalogue", "Goal", "Product", "Reward", "Shop", "ShopEnv", "catalogue", "goal_of",
    "price_bound", "read_products", "reward", "store", "with_bound",
]  # fmt: skip
