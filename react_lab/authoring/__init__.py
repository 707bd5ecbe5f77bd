"""How the bundled questions are made from the facts of the encyclopedia, and checked."""
