"""Tests of properties try the same examples each time."""

from hypothesis import settings

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("reproducible")
