import pytest

from capacity.models import FullyConnected


@pytest.mark.parametrize(
    ("make", "error", "expected"),
    [
        (lambda: FullyConnected(0), ValueError, "n_inputs: "),
        (lambda: FullyConnected(2.0), TypeError, "n_inputs: "),
        (lambda: FullyConnected(2).coefficients([1]), ValueError, "parameters: "),
        (lambda: FullyConnected(2).pullback([1, 2], [1]), ValueError, "cotangent: "),
    ],
)
def test_bad_arguments_are_named(make, error, expected):
    with pytest.raises(error, match=expected):
        make()
