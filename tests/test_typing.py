"""Type annotations: the shared types mean what they say."""

import pytest

from capacity import GaussianProcess
from capacity._typing import Operator


def test_what_counts_as_an_operator_has_a_shape_and_a_product():
    operator: Operator = GaussianProcess().operator(3)
    assert operator.shape == (3, 3)
    assert operator @ [1.0, 0.0, 0.0] == pytest.approx(operator.dense()[0])
