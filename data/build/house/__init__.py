"""Household games made by rule, and an oracle that wins them."""
