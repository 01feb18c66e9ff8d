r"""How often a unit changes sign, or linear piece, along a curve: counted, and its exact mean over random weights.

Given the activities z(t) below, the weighted sum h(t) = w.z(t) + b of a random unit is a Gaussian process in t, of
variance q(t); its derivative has a variance v(t) and, with h, the correlation rho(t) of `sum_moments`. The mean number
of t at which h takes the value c is (Rice)

    E = int p(c; q) E[|h'| given h = c] dt ,    h' given h = c ~ N(rho sqrt(v/q) c, v (1 - rho^2)) ,

p being the density of N(0, q). For c = 0 this is int sqrt(v (1 - rho^2)/q) dt/pi, the length of gamma/||gamma|| over pi
with gamma = (sigma_w z/sqrt(k), sigma_b), as Edelman and Kostlan (1995) found: h vanishes where this curve on the
sphere meets a random great circle, which meets an arc as often, on average, as the arc is long.
"""

import numpy as np

from capacity_studies.expressivity._gaussian import folded_mean
from capacity_studies.expressivity.length_growth import sum_moments

__all__ = ["count_transitions", "expected_transitions", "piece_numbers"]


def piece_numbers(sums, kinks=(0.0,)):
    """On which piece of its activation each weighted sum lies: how many of the increasing kinks are below it, uint8.

    The default tells positive from other sums; (-1, 1) are the kinks of hard tanh. 0 is below the first kink and at it.
    """
    return np.sum([np.greater(sums, kink) for kink in kinks], axis=0, dtype=np.uint8)


def count_transitions(sums, kinks=(0.0,)):
    """How often each unit goes to another piece of its activation along a curve (survey, Section 2.1).

    `sums` is a Curve of the weighted sums of a layer, as from `sum_curves`. The default counts changes of sign, as Fig.
    3 of the survey; the kinks of an activation are its `kinks`. Two passages of one kink between neighbouring points
    are not seen. Round a closed curve the last and the first are neighbours.

    Examples
    --------
    >>> from capacity_studies.expressivity import arc
    >>> circle = arc([2.0, 0.0], [0.0, 1.0], 100, angle=2 * np.pi)
    >>> count_transitions(circle), count_transitions(circle, (-1.5, 1.5))
    (array([2, 2]), array([4, 0]))
    """
    numbers = piece_numbers(sums.points, kinks).astype(np.int16)
    following = np.roll(numbers, -1, axis=-2) - numbers
    return np.abs(following if sums.closed else following[..., :-1, :]).sum(axis=-2, dtype=np.int64)


def expected_transitions(curve, width, *, sigma_w, sigma_b=0.0, kinks=(0.0,)):
    """The mean number of transitions of a unit along a curve, over its random weights, given the activities below.

    The curve is that of the activities below the layer: the input, or an image from `image_curves`. Weights have the
    variance sigma_w^2/width, biases sigma_b^2. Edelman and Kostlan (1995) for changes of sign, Rice's formula for other
    kinks; for one unit, and times the width, for a layer.

    Examples
    --------
    >>> from capacity_studies.expressivity import arc
    >>> float(expected_transitions(arc([1.0, 0.0], [0.0, 1.0], 10), 100, sigma_w=2.0))
    0.5
    """
    variance, correlation = sum_moments(curve, width, sigma_w=sigma_w, sigma_b=sigma_b)
    speed = sigma_w / np.sqrt(width) * np.linalg.norm(curve.tangents, axis=-1)
    spread = speed * np.sqrt(1 - correlation**2)
    rates = 0.0
    for kink in kinks:
        u = kink / np.sqrt(variance)
        density = np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi * variance)
        rates = rates + density * folded_mean(speed * correlation * u, spread)
    return rates @ curve.steps
