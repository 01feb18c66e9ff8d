import numpy as np
import pytest

from capacity.reports import holding_lags


def test_the_lags_that_hold_a_share_are_the_fewest_that_do():
    allocation = np.random.default_rng(0).random(40) ** 4
    for share in (0.01, 0.5, 0.9, 0.999):
        lags = holding_lags(allocation, share)
        assert allocation[40 - lags :].sum() >= share * allocation.sum() > allocation[41 - lags :].sum()


def test_all_of_an_even_spread_takes_all_lags():
    assert holding_lags(np.full(10, 0.1), 1.0) == 10
    assert holding_lags([0, 0, 0.1, 0.2], 1.0) == 2


@pytest.mark.parametrize("allocation", [[0.0, 0.0], [1.0, -0.5], []])
def test_what_is_no_allocation_is_refused(allocation):
    with pytest.raises(ValueError, match="allocation: expected"):
        holding_lags(allocation, 0.5)


def test_a_share_is_one_of_the_whole():
    with pytest.raises(ValueError, match="share: expected a number > 0 and <= 1"):
        holding_lags([1.0], 0)
