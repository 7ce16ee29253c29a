"""Problems: near-duplicates, those held out, those on benchmarks."""
