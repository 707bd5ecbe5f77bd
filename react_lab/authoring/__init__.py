"""How data/ was made. Nothing that a command, a lesson or a notebook needs at run time is here."""
