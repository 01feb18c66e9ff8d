"""Execution of the chapters: one and all of them, in parallel; what each depends on, the cache."""
