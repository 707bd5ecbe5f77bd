"""Programs of the terminal that are more than a line; and, in tab, what runs in the live tab."""
