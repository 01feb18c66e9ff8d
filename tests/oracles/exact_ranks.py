"""Exact ranks: how many effective parameters a stack of dilated convolutions has at almost all weights.

Paper 1, Section 5.1.2 (Figure 4, footnote 6) and Appendix C: the total capacity kappa, for any dilations.

Each coefficient is affine in each single weight, so that raising one weight by 1 changes the coefficients by exactly
the derivative. The weights are random integers modulo a prime, where nothing is rounded. All stacks with one weight
raised run side by side, and elimination counts how many of their changes are independent. By the lemma of Schwartz and
Zippel the count falls short of the generic rank with a probability below (weights x layers)/prime.
"""

import numpy as np

PRIME = 2**31 - 1


def coefficients(weights, shapes, dilations):
    """Coefficients by lag, modulo the prime, for each row of weights; a layer's shape is (outputs, taps, inputs)."""
    (runs, _), begin = weights.shape, 0
    response = np.broadcast_to(np.eye(shapes[0][2], dtype=np.int64)[:, :, None], (runs, *shapes[0][2:] * 2, 1))
    for (outputs, taps, inputs), dilation in zip(shapes, dilations):
        layer = weights[:, begin : begin + outputs * taps * inputs].reshape(runs, outputs, taps, inputs)
        begin += outputs * taps * inputs
        longer = np.zeros((runs, outputs, response.shape[2], response.shape[3] + (taps - 1) * dilation), dtype=np.int64)
        for tap in range(taps):
            later = longer[..., tap * dilation :][..., : response.shape[3]]
            for channel in range(inputs):
                later += layer[:, :, tap, channel, None, None] * response[:, channel, None] % PRIME
                later %= PRIME
        response = longer
    return response.reshape(runs, -1)


def rank(rows):
    """Rank modulo the prime, by Gaussian elimination."""
    rows, found = rows.copy(), 0
    for column in range(rows.shape[1]):
        usable = found + np.flatnonzero(rows[found:, column])
        if usable.size:
            rows[[found, usable[0]]] = rows[[usable[0], found]]
            rows[found] = rows[found] * pow(int(rows[found, column]), -1, PRIME) % PRIME
            rows[found + 1 :] = (rows[found + 1 :] - rows[found + 1 :, [column]] * rows[found]) % PRIME
            found += 1
    return found


def total_capacity(dilations, channels, taps, free=None, seed=0):
    """Rank of the changes by the weights of the layers `free`, counted from 0; of all layers by default."""
    shapes = [(b, t, a) for a, b, t in zip(channels, channels[1:], taps)]
    sizes = [a * b * c for a, b, c in shapes]
    weights = np.random.default_rng(seed).integers(1, PRIME - 1, sum(sizes))
    raised = np.flatnonzero(np.repeat([free is None or layer in free for layer in range(len(sizes))], sizes))
    runs = weights + np.vstack([np.zeros_like(weights), np.eye(sum(sizes), dtype=np.int64)[raised]])
    found = coefficients(runs, shapes, dilations)
    return rank((found[1:] - found[0]) % PRIME)


if __name__ == "__main__":
    for c in (1, 2, 4, 8):
        print(c, "channels:", total_capacity([2**k for k in range(6)], [1, *[c] * 5, 1], [2] * 6))
