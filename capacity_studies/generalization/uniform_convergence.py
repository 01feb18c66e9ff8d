r"""How far empirical risks stray from true ones, all at once: what the bounds say, and what is so where all is exact.

Thresholds on a line, with examples that all have the label 1: the risk of a threshold is the probability below it, so
that the largest deviation of empirical from true risks is the distance between an empirical distribution and its law,
the statistic of Kolmogorov and Smirnov, whatever the law of the examples.

In the linear example of Nagarajan and Kolter (2019, Section 3) an input is a signal and noise, x = (2 y u, z), with the
label y = -1 or 1, a fixed vector u of squared length 1/m and z Gaussian in D dimensions with variance 32/D per entry. A
linear classifier that starts at 0 and takes one gradient step on sum_i y_i h(x_i) learns w = (2 m u, sum_i y_i z_i). It
hence has y h(x) = 4 + y z . sum_i y_i z_i, where the noise that it has seen before adds about 32.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special, stats

__all__ = [
    "NoiseExample",
    "expected_deviation_bound",
    "sphere_sample",
    "swap_spheres",
    "threshold_deviation",
    "threshold_deviation_tail",
    "vc_bound",
]

_NODES = 1000  # of a midpoint rule over the quantiles of a chi-square number, on which the integrands depend smoothly


def vc_bound(epsilon, samples, shatter_coefficient):
    """Bound on the probability that some empirical risk is more than epsilon away (Vapnik and Chervonenkis 1971).

    8 S exp(-T epsilon^2 / 32) for T samples, S being the largest number of labelings of T points. Above 1 it says
    nothing.

    Examples
    --------
    >>> float(vc_bound(0.6, 1000, 1001).round(3))
    0.104
    """
    return 8 * np.asarray(shatter_coefficient) * np.exp(-samples * np.square(epsilon) / 32)


def expected_deviation_bound(samples, shatter_coefficient):
    """Bound 2 sqrt((log S + log 2) / T) on the expected largest deviation of empirical from true risks.

    With a second sample and random signs, the expectation is at most that of the largest of 2 S(F, 2 T) means of T
    numbers in {-1, 0, 1}, which is sqrt(2 log(2 S(F, 2 T)) / T); and S(F, 2 T) <= S(F, T)^2.

    Examples
    --------
    >>> round(expected_deviation_bound(1000, 1001), 3)
    0.174
    """
    return float(2 * np.sqrt((np.log(shatter_coefficient) + np.log(2)) / samples))


def threshold_deviation_tail(epsilon, samples):
    """Probability that the risk of some threshold on a line deviates by epsilon or more over T samples, exactly.

    Examples
    --------
    >>> float(threshold_deviation_tail(0.75, 1))  # max(U, 1 - U) for a uniform U
    0.5
    """
    return stats.kstwo.sf(epsilon, samples)


def threshold_deviation(samples):
    """Expected largest deviation of empirical from true risks over all thresholds on a line, exactly.

    The integral of `threshold_deviation_tail`; about 0.8687 / sqrt(T), which is sqrt(pi/2) log(2) / sqrt(T).

    Examples
    --------
    >>> round(threshold_deviation(1), 6), round(threshold_deviation(1000), 5)
    (0.75, 0.02731)
    """
    end = min(1.0, 6 / np.sqrt(samples))  # beyond, the probability is below 2 exp(-72)
    nodes = (np.arange(400) + 0.5) / 400 * end  # a midpoint rule: of four digits and more, since the tail is smooth
    return float(threshold_deviation_tail(nodes, samples).mean() * end)


@dataclass(frozen=True)
class NoiseExample:
    """The linear example of Nagarajan and Kolter (2019): a classifier that is right, and learns noise by heart.

    Of m training examples, whose noise has D entries.

    Examples
    --------
    >>> example = NoiseExample(20, 4000)
    >>> example.test_error < 0.05, example.bad_error > 0.999, example.train_error < 1e-9
    (True, True, True)
    """

    samples: int
    dimensions: int

    @property
    def test_error(self):
        """Expected error on new examples: E Phi(-4 / sqrt(32 r / D)), r the squared length of what was learned."""
        scale = 32 / self.dimensions
        return self._mean(lambda square: special.ndtr(-4 / np.sqrt(scale * self.samples * scale * square)))

    @property
    def train_error(self):
        """Expected error on the training examples: their own noise z adds its squared length, about 32."""
        return self._own(1)

    @property
    def bad_error(self):
        """Expected error on the training examples with their noise turned round, z -> -z, which has the same law."""
        return self._own(-1)

    def _own(self, sign):
        scale = 32 / self.dimensions
        if self.samples == 1:  # no others: y h(x) = 4 + sign |z|^2
            return float(stats.chi2.sf(4 / scale, self.dimensions)) if sign < 0 else 0.0
        others = scale * (self.samples - 1)  # variance of each entry of what the others taught
        return self._mean(lambda square: special.ndtr(-(4 + sign * scale * square) / np.sqrt(others * scale * square)))

    def _mean(self, function):
        """Mean over a chi-square number with D degrees of freedom, by quantiles."""
        levels = (np.arange(_NODES) + 0.5) / _NODES
        return float(function(stats.chi2.ppf(levels, self.dimensions)).mean())

    def simulate(self, runs, *, tests=1000, rng=None):
        """Errors of some classifiers that were trained on samples drawn at random, each tested on new examples.

        The shares of the training examples ('train'), of new ones ('test') and of the training examples with their
        noise turned round ('bad') that are classified wrongly, an array (runs,) each.
        """
        rng, m, D = np.random.default_rng(rng), self.samples, self.dimensions
        errors = {name: np.empty(runs) for name in ("train", "test", "bad")}
        signal = np.full(m, 1 / m)  # u, in as many dimensions as there are examples, say
        for run in range(runs):
            labels = rng.choice([-1.0, 1.0], m)
            noise = rng.standard_normal((m, D)) * np.sqrt(32 / D)
            inputs = 2 * labels[:, None] * signal
            by_signal, by_noise = labels @ inputs, labels @ noise
            new = rng.choice([-1.0, 1.0], tests)
            # The scalar product of fresh noise and a fixed vector is Gaussian: its D entries need not be drawn.
            fresh = rng.standard_normal(tests) * np.sqrt(32 / D) * np.linalg.norm(by_noise)
            heights = {
                "train": (labels, inputs @ by_signal + noise @ by_noise),
                "bad": (labels, inputs @ by_signal - noise @ by_noise),
                "test": (new, 2 * new * (signal @ by_signal) + fresh),
            }
            for name, (wanted, height) in heights.items():
                errors[name][run] = np.mean(wanted * height <= 0)
        return errors


def sphere_sample(samples, dimensions, *, radii=(1.0, 1.1), rng=None):
    """Points on two spheres about the origin, uniformly, with the sphere as the label (Nagarajan and Kolter 2019).

    Examples
    --------
    >>> inputs, labels = sphere_sample(3, 5, rng=0)
    >>> np.allclose(np.linalg.norm(inputs, axis=1), np.where(labels, 1.1, 1.0))
    True
    """
    rng = np.random.default_rng(rng)
    labels = rng.integers(2, size=samples)
    directions = rng.standard_normal((samples, dimensions))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return directions * np.take(radii, labels)[:, None], labels


def swap_spheres(inputs, labels, *, radii=(1.0, 1.1)):
    """The same directions on the other sphere, with its label: the data set S' that is to be misclassified.

    Examples
    --------
    >>> swap_spheres([[0.6, 0.8]], [0], radii=(1.0, 2.0))
    (array([[1.2, 1.6]]), array([1]))
    """
    radii, labels = np.asarray(radii), np.asarray(labels)
    return inputs * (radii[1 - labels] / radii[labels])[:, None], 1 - labels
