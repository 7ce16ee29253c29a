"""One annotator's work: claims, drafts, offers, submissions, progress."""
