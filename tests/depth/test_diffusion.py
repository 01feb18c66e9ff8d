import numpy as np
import pytest
from stencils import SYMMETRIC, WIDE

from capacity.depth import (
    diffuse,
    drift_and_diffusion,
    gaussian_kernel,
    generator,
    kolmogorov_forward,
    layer_step,
    stencil_of_diffusion,
)


def test_stencil_and_equation_correspond():
    assert drift_and_diffusion(stencil_of_diffusion(0.3, 0.7, 0.25), 0.25) == pytest.approx((0.3, 0.7))
    for drift in np.linspace(0.1, 3, 30):  # at the largest spacing nothing hops against the drift
        assert stencil_of_diffusion(drift, 0.7, 2 * 0.7 / drift)[0] >= 0
    assert drift_and_diffusion(WIDE) == pytest.approx((0.3, (4 * 0.5 + 1.5) / 2))


def test_profiles_diffuse_as_the_convolution_with_the_kernel():
    x = np.arange(-200, 200) * 0.1
    start = gaussian_kernel(x, 1.0, 0.0, 0.4)
    np.testing.assert_allclose(diffuse(start, 0.1, 2.0, 0.5, 0.4), gaussian_kernel(x - 1.0, 3.0, 0.0, 0.4), atol=1e-12)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="eps"):
        layer_step(generator(SYMMETRIC, 5), 0.6)
    with pytest.raises(ValueError, match="spacing"):
        stencil_of_diffusion(1.0, 0.1, 0.5)
    with pytest.raises(ValueError, match="size"):
        generator(WIDE, 4)
    with pytest.raises(ValueError, match="times"):
        kolmogorov_forward(generator(SYMMETRIC, 5), np.ones(5), [1.0, 0.5])


def test_a_phase_beyond_the_range_of_a_double_is_refused():
    with pytest.raises(ValueError, match="drift"):
        diffuse(np.ones(4), 1.0, 1.0, 1e308, 0.0)
