"""What stands behind the bundled tasks: relations in words, an oracle, gold trajectories, checks."""
