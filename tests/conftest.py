"""Tests of properties try the same examples each time; comparisons are relative unless they say otherwise."""

import pytest
from hypothesis import settings

settings.register_profile("reproducible", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("reproducible")

# With pytest's own default of 1e-12, `approx(8e-140, rel=1e-14)` would be met by 0. Where 0 is expected, name `abs`.
type(pytest.approx(0.0)).DEFAULT_ABSOLUTE_TOLERANCE = 0.0
