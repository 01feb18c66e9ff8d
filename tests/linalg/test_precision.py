import numpy as np

from capacity.linalg.precision import balanced, rank_tolerance


def test_scaling_by_powers_of_two_is_exact():
    array = np.array([[3.0, 1e-300, 0.0], [-5.0, 1e-310, 0.0]])
    scaled = balanced(array)
    assert (np.abs(scaled).max(axis=0)[:2] >= 0.5).all()
    assert np.abs(scaled).max() < 1
    np.testing.assert_array_equal(scaled[0] * array[1], scaled[1] * array[0])
    assert np.abs(balanced(array, axis=None)).max() == 0.625


def test_the_tolerance_of_a_rank_is_the_rounding_error_of_the_least_precise_type():
    double, single, half = (np.ones((3, 7), dtype) for dtype in (np.float64, np.float32, np.float16))
    assert rank_tolerance(None, double) is None
    assert rank_tolerance(None, single[:, :2], double) == 7 * np.finfo(np.float32).eps
    assert rank_tolerance(None, [double, single], half[:1]) == 7 * np.finfo(np.float16).eps
    assert rank_tolerance(None, np.ones((3, 10**4), np.float16)) == 0.5
    assert rank_tolerance(1e-3, half) == 1e-3
