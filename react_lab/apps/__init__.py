"""Programs of the terminal that are more than a line."""
