"""One annotator's work: claims, drafts, offers, submissions, and how they are doing."""
