"""Execution of the chapters: in parallel, only those that changed, resumed where it was ended."""
