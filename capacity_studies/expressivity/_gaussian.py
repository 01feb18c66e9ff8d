"""Means over normal variables: on which two orders of a quadrature agree, and E|y|."""

import numpy as np
from scipy import special

__all__ = ["check_resolved", "folded_mean"]


def check_resolved(found, check, activation, variance, rtol):
    """Return means over normal variables, arrays or tuples of them, on which two orders of the quadrature agree."""
    if not np.allclose(found, check, rtol=rtol, atol=0):
        raise ValueError(
            f"variance: expected one at which the quadrature resolves {activation.name}, got {variance.max():g}; pass "
            "a smaller one"
        )
    return found


def folded_mean(mean, spread):
    """E|y| of y ~ N(mean, spread^2); the spread may be 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(spread > 0, np.abs(mean) / np.where(spread > 0, spread, 1.0), np.inf)
    return spread * np.sqrt(2 / np.pi) * np.exp(-(ratio**2) / 2) + np.abs(mean) * special.erf(ratio / np.sqrt(2))
