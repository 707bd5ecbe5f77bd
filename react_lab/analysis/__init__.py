"""What the runs of a kind of task show: baselines without a model."""
