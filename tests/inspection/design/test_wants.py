"""What is wanted: shortfalls by hand, and wants that cannot be meant."""

import numpy as np
import pytest

from capacity_inspection.design import Want, unmet

ALLOCATION = np.array([1.0, 0.5, 0.25, 0.25])  # the most recent lag first


def test_a_share_falls_short_by_what_the_lags_lack_of_the_total():
    assert Want((3, None), share=0.5).shortfall(ALLOCATION) == 0.25
    assert Want((2, 3), share=0.5).shortfall(ALLOCATION) == 0.125
    assert Want((1, 2), share=0.5).shortfall(ALLOCATION) == 0


def test_full_lags_fall_short_by_what_each_lacks_on_average_of_one():
    assert Want((1, 2), full=1.0).shortfall(ALLOCATION) == 0.25
    assert Want((1, 2), full=0.7).shortfall(ALLOCATION) == 0
    assert Want((4, 7), full=1.0).shortfall(ALLOCATION) == 1 - 0.25 / 4  # lags beyond the receptive field have none


def test_unmet_is_the_sum_of_all_for_each_of_several_allocations():
    wants = [Want((3, None), share=0.5), Want((1, 2), full=1.0)]
    assert unmet(wants, np.stack([ALLOCATION, np.ones(4)])).tolist() == [0.5, 0.0]
    assert unmet(wants[0], ALLOCATION) == 0.25


def test_a_model_without_capacity_misses_every_share():
    assert Want((1, None), share=0.5).shortfall(np.zeros(4)) == 0.5


def test_wants_that_differ_are_called_differently():
    assert str(Want((1, 8), share=0.501)) == "50.1% of the capacity at lags 1 to 8"
    assert str(Want((1, 2), full=0.996)) == "99.6% full at lags 1 to 2"


def test_no_allocation_of_a_total_falls_short_by_less_than_the_least():
    rng, most = np.random.default_rng(0), np.array([1.0, 0.6, 0.0, 0.9, 0.3])
    for want in (Want((2, 3), share=0.5), Want((4, None), share=0.9), Want((1, 4), full=0.9), Want((4, 9), full=0.2)):
        found = []
        for _ in range(2000):  # the lags filled up one after the other, in any order
            allocation, left = np.zeros(5), 1.5
            for lag in rng.permutation(5):
                allocation[lag] = min(most[lag], left)
                left -= allocation[lag]
            found.append(float(want.shortfall(allocation)))
        assert want.least(most, 1.5) == pytest.approx(min(found), rel=1e-12, abs=1e-12)


def test_what_is_more_than_wanted_is_missing_less_than_nothing():
    assert Want((1, 2), share=0.5).missing(ALLOCATION) == -0.25
    assert Want((1, 2), full=0.5).missing(ALLOCATION) == -0.25
