"""The lowest floor: files, text, a terminal, addresses. Imports nothing of ours."""
