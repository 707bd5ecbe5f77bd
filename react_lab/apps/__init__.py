"""Programs of the terminal that are more than a line: Table 1, the doctor, the site."""
