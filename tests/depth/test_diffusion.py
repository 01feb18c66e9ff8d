import numpy as np
import pytest
from scipy import stats
from stencils import WIDE

from capacity.depth import (
    diffuse,
    drift_and_diffusion,
    gaussian_kernel,
    stencil_of_diffusion,
)


def test_stencil_and_equation_correspond():
    assert drift_and_diffusion(stencil_of_diffusion(0.3, 0.7, 0.25), 0.25) == pytest.approx((0.3, 0.7))
    for drift in np.linspace(0.1, 3, 30):  # at the largest spacing nothing hops against the drift
        assert stencil_of_diffusion(drift, 0.7, 2 * 0.7 / drift)[0] >= 0
    assert drift_and_diffusion(WIDE) == pytest.approx((0.3, (4 * 0.5 + 1.5) / 2))


@pytest.mark.parametrize(("time", "drift", "diffusion"), [(0.5, -0.7, 1.3), (3.0, 0.4, 0.1)])
def test_kernel_is_the_normal_density_of_what_drifted_and_spread(time, drift, diffusion):
    x = np.linspace(-4, 4, 17)
    expected = stats.norm.pdf(x, drift * time, np.sqrt(2 * diffusion * time))
    np.testing.assert_allclose(gaussian_kernel(x, time, drift, diffusion), expected, rtol=1e-12)


def test_profiles_diffuse_as_the_convolution_with_the_kernel():
    x = np.arange(-200, 200) * 0.1
    start = gaussian_kernel(x, 1.0, 0.0, 0.4)
    np.testing.assert_allclose(diffuse(start, 0.1, 2.0, 0.5, 0.4), gaussian_kernel(x - 1.0, 3.0, 0.0, 0.4), atol=1e-12)
