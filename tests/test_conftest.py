"""A comparison is relative unless it names an absolute tolerance."""

import pytest


def test_zero_does_not_pass_for_a_tiny_number():
    assert pytest.approx(8e-140) != 0.0
    assert pytest.approx(1e-13, rel=0.5) != 0.0
    assert pytest.approx([1.0, 1e-13]) != [1.0, 0.0]
    assert pytest.approx(0.0, abs=1e-12) == 1e-13
