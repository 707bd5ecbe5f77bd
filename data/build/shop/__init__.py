"""Goods, goals and an oracle of the web shop."""
