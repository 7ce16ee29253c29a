"""The machinery of runs: taking, reporting, ending, batches, queues, files, GPUs."""
