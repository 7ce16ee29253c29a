"""Many annotators at once, beside Label Studio."""
