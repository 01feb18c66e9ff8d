"""What the edition is called, whose it is and how it is cited: one source, and the files that repeat it."""
