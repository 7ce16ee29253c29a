"""Problems: which are alike, which are held out, and which are on benchmarks."""
