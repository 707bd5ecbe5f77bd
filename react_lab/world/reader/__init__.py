"""An oracle of the encyclopedia that answers from any state of a question or a claim."""
