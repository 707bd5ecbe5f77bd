"""An episode as a chat, and acts as the calls of tools (after the paper)."""
