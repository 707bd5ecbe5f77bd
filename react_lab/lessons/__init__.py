"""The lessons: one module a notebook, with its exercises and questions as data."""
