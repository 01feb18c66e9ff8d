r"""Capacity by token in networks with attention, whose weights of attention, normalisation and gains are held.

A layer adds to each token t of a stream the sum over heads of beta sum_s A_ts N(x_s) W, where N divides by the standard
deviation of the token, and then, perhaps, the output of a small network per token. Held at a sample, A, 1/std and the
gains of the units are numbers, and the output of a token is linear in the inputs. Let G hold the coefficients of one
output, a row for each token. Value matrices that are independent, of mean 0 and variance 1/width, give M = E[G G^T] /
width a recursion from the top down, from pairs of tokens to pairs of tokens, which the three steps below make. Its
diagonal, over its trace, is the capacity of each token (paper 2, Section 3.1, with gains on the links between tokens).
"""

from dataclasses import dataclass

import numpy as np

__all__ = [
    "Attend",
    "Rescale",
    "Transformer",
    "Units",
    "attention_steps",
    "cesaro_power",
    "probed_capacity",
    "rollout",
    "squared_attention",
    "squared_gradients",
    "token_capacity",
    "uniform_attention",
    "window_capacity",
]


@dataclass(frozen=True)
class Attend:
    """Step M + beta^2 sum over heads of B^T M B.

    Each head has a value matrix of its own, so that the squares of its paths add to those of the others, while tokens
    that one head reads share its matrix, and add as amplitudes.

    Attributes
    ----------
    links : ndarray, shape (heads, tokens, tokens)
        B: the weight of token s in token t, with the 1/std of s where tokens are normalised before.
    scale : float
        beta.
    """

    links: np.ndarray
    scale: float

    def pairs(self, m):
        """Carry a matrix over pairs of tokens from above the layer to below it.

        By blocks of columns, each with the rows in which it is not zero: a mask saves most of the work, symmetry half.
        """
        below, bands = m.copy(), self._bands()
        for number, (columns, rows) in enumerate(bands):
            read = m[:, rows] @ self.links[:, rows, columns]
            for others, meet in bands[number:]:
                block = self.scale**2 * np.tensordot(self.links[:, meet, others], read[:, meet], ([0, 1], [0, 1]))
                below[others, columns] += block
                if others != columns:
                    below[columns, others] += block.T
        return below

    def _bands(self, size=256):
        """Return slices of columns, and of the rows that read any of them, from the first to the last."""
        bands = []
        for start in range(0, self.links.shape[-1], size):
            columns = slice(start, start + size)
            rows = np.flatnonzero(self.links[:, :, columns].any(axis=(0, 2)))
            if rows.size:
                bands.append((columns, slice(rows[0], rows[-1] + 1)))
        return bands

    def probe(self, g, rng):
        """Carry vectors whose mean of g g^T is the matrix: permutations of a group, with signs, take the place of W."""
        below = g.copy()
        for links in self.links:
            read = (g.reshape(-1, g.shape[-1]).astype(links.dtype, copy=False) @ links).reshape(g.shape)
            signs = rng.choice([-self.scale, self.scale], size=(*g.shape[:2], 1))
            below += signs * np.array([rng.permutation(group) for group in read])
        return below


@dataclass(frozen=True)
class Units:
    """Step M + beta^2 M o C, for a network of one hidden layer that each token passes by itself.

    C_st is the mean over units of the product of their gains at the tokens s and t, their *coupling*: one token is
    coupled to itself by the mean square of a gain, and to others by less.

    Attributes
    ----------
    gains : ndarray, shape (tokens, units)
        Times the 1/std of the token where tokens are normalised before.
    scale : float
        beta.
    """

    gains: np.ndarray
    scale: float

    def pairs(self, m):
        """Carry a matrix over pairs of tokens from above the layer to below it."""
        return m * (1 + self.scale**2 * (self.gains @ self.gains.T) / self.gains.shape[1])

    def probe(self, g, rng):
        """Carry vectors whose mean of g g^T is the matrix: each meets one random unit with a random sign."""
        chosen = np.moveaxis(self.gains[:, rng.integers(self.gains.shape[1], size=g.shape[:2])], 0, -1)
        return g * (1 + rng.choice([-self.scale, self.scale], size=(*g.shape[:2], 1)) * chosen)


@dataclass(frozen=True)
class Rescale:
    """Step D M D, for a normalisation of the stream itself; D has the 1/std of the tokens."""

    factors: np.ndarray

    def pairs(self, m):
        """Carry a matrix over pairs of tokens from above the normalisation to below it."""
        return m * self.factors * self.factors[:, None]

    def probe(self, g, rng):
        """Carry vectors whose mean of g g^T is the matrix."""
        return g * self.factors


def token_capacity(steps, tokens, *, token=-1):
    """Share of one output token's capacity that each input token receives, exactly; they sum to 1.

    `steps` are given from the bottom up. The matrix over pairs takes tokens^2 numbers, and each head 4 tokens^3
    operations. It is scaled in each step, so that deep networks do not overflow.

    Examples
    --------
    Two layers in which every token reads itself and what came before it with equal weights:

    >>> layer = Attend(uniform_attention(3)[None], 1.0)
    >>> token_capacity([layer, layer], 3) * 690
    array([193.,  97., 400.])
    """
    m = np.zeros((tokens, tokens))
    m[token, token] = 1.0
    for step in reversed(steps):
        m = step.pairs(m)
        m /= np.trace(m)
    return np.diag(m).copy()


def probed_capacity(steps, tokens, *, token=-1, groups=8, width=50, rng=None):
    """As `token_capacity`, by random vectors in place of the matrix: estimates and their standard errors.

    `steps` may be any iterable from the **top down**, so that one layer at a time need be in memory. A group of vectors
    is a random network of that width, whose value matrices are permutations with random signs: its squared coefficients
    have the right mean, and fluctuate less the wider it is (those of signs alone grow exponentially with depth). The
    error is that of a ratio, from the spread of the groups.
    """
    rng = np.random.default_rng(rng)
    g = np.zeros((groups, width, tokens))
    g[..., token] = 1.0
    for step in steps:
        g = step.probe(g, rng)
        g /= np.linalg.norm(g) / np.sqrt(groups)
    squares = np.sum(g**2, axis=1)
    capacity = squares.mean(axis=0)
    residuals = squares - squares.sum(axis=1, keepdims=True) * capacity
    return capacity, np.sqrt(np.sum(residuals**2, axis=0) / (groups * (groups - 1)))


def uniform_attention(tokens, *, causal=True, window=None):
    """Attention with equal weights on all tokens, on those up to the token's own, or on the last `window` of these.

    Examples
    --------
    >>> uniform_attention(3, window=2)
    array([[1. , 0. , 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0.5, 0.5]])
    """
    lags = np.subtract.outer(np.arange(tokens), np.arange(tokens))
    seen = (lags >= 0 if causal else lags == lags) & (lags < (window or tokens))
    return seen / seen.sum(axis=1, keepdims=True)


def attention_steps(attention, scale, *, norm="none", start=None):
    """Held steps of layers without units, whose attention is given: the scales of normalisation follow from it.

    With independent inputs the covariance of the tokens starts as the identity, `start` by default, and grows upwards
    by the rule that carries M downwards, S + beta^2 sum over heads of B S B^T. In wide networks the variance of token t
    is S_tt.

    Parameters
    ----------
    attention : iterable of ndarray, shape (heads, tokens, tokens)
        One for each layer, the lowest first.
    scale : float
        beta. Heads have value matrices of variance 1/(width heads), so that beta does not depend on their number.
    norm : {"none", "pre", "post"}
        No normalisation, or of what a branch reads, or of the stream after each sum.
    """
    steps, covariance = [], start
    for weights in attention:
        heads, tokens, _ = weights.shape
        covariance = np.eye(tokens) if covariance is None else covariance
        links = weights / np.sqrt(np.diag(covariance)) if norm == "pre" else weights
        steps.append(Attend(links, scale / np.sqrt(heads)))
        if norm != "none":
            added = np.tensordot(links @ covariance, links, ([0, 2], [0, 2]))
            covariance = covariance + scale**2 / heads * added
        if norm == "post":
            factors = 1 / np.sqrt(np.diag(covariance))
            steps.append(Rescale(factors))
            covariance = covariance * factors * factors[:, None]
    return steps


def rollout(attention, scale, *, token=-1):
    """Attention rollout: paths add as amplitudes everywhere, as if all value matrices were one (Abnar, Zuidema 2020).

    Their stream is (I + A)/2; here it is I + beta times the mean over heads of A, and the row is scaled to sum 1.
    """
    row = np.eye(attention[0].shape[-1])[token]
    for weights in reversed(attention):
        row = row + scale * row @ weights.mean(axis=0)
    return row / row.sum()


def squared_attention(attention, scale, *, token=-1):
    """The other end: each path by itself in its square, as if each pair of tokens had a value matrix of its own."""
    row = np.eye(attention[0].shape[-1])[token]
    for weights in reversed(attention):
        row = row + scale**2 * row @ np.square(weights).mean(axis=0)
    return row / row.sum()


def cesaro_power(tokens, largest):
    """Last rows of the powers 0, ..., `largest` of uniform causal attention.

    Entry s of power k is (1/T) h_(k-1)(1/s, ..., 1/T), where the complete symmetric polynomial h sums over all
    positions T >= t_1 >= ... >= s that a path of k hops can rest on; T is the number of tokens, counted from 1. For
    T >> k it is (1/T) ln(T/s)^(k-1) / (k-1)!.

    Examples
    --------
    >>> cesaro_power(3, 2)[2] * 18
    array([11.,  5.,  2.])
    """
    inverse = 1 / np.arange(1, tokens + 1)
    symmetric, rows = np.ones(tokens), [np.eye(tokens)[-1]]
    for _ in range(largest):
        rows.append(symmetric / tokens)
        symmetric = np.cumsum((symmetric * inverse)[::-1])[::-1]  # h_k(1/s..) = sum over t >= s of h_(k-1)(1/t..)/t
    return np.array(rows)


def window_capacity(window, layers, scale):
    """Capacity by distance, 0 to layers (window - 1), if each layer reads the last `window` tokens with equal weights.

    All tokens but the first are alike, so that their normalisation is part of `scale`, a number or one per layer. A
    path of k hops has the k-fold convolution of the window as its amplitude, and each set of k layers adds its square.
    """
    squares = np.broadcast_to(np.square(scale), layers)
    weights = np.array([1.0])  # elementary symmetric polynomials of the squared scales
    for square in squares:
        weights = np.convolve(weights, [1.0, square])
    lags = layers * (window - 1) + 1
    share, kernel = np.zeros(lags), np.ones(1)
    for k, weight in enumerate(weights):
        share[: kernel.size] += weight * kernel**2
        if k < layers:
            total, size = np.concatenate([[0.0], np.cumsum(kernel)]), kernel.size + window - 1
            upper = np.minimum(np.arange(1, (size + 1) // 2 + 1), kernel.size)
            lower = np.maximum(np.arange(1, (size + 1) // 2 + 1) - window, 0)
            rising = (total[upper] - total[lower]) / window  # the falling half mirrors it
            kernel = np.concatenate([rising, rising[: size // 2][::-1]])
    return share / share.sum()


@dataclass(frozen=True)
class Transformer:
    """A random network of attention and, perhaps, units per token, at which the rules can be tested.

    Attributes
    ----------
    queries, keys, values : ndarray, shape (layers, heads, width, width)
        Entries of variance 1/width. `values` holds the product of value and output matrices.
    lower, upper : ndarray, shapes (layers, width, units) and (layers, units, width)
        Of the rectifiers; none where there are no units. Variances 2/width and 1/units.
    scale : float
        beta of both branches.
    sharpness : float
        Factor of the logits, which have variance 1 for normalised tokens.
    norm : {"none", "pre", "post"}
    seen : ndarray of bool, shape (tokens, tokens)
        Which token reads which.
    """

    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    scale: float
    sharpness: float
    norm: str
    seen: np.ndarray

    @classmethod
    def draw(cls, seen, *, layers=4, width=64, heads=1, units=0, scale=1.0, sharpness=1.0, norm="pre", rng=None):
        """Draw the weights of a network."""
        rng = np.random.default_rng(rng)
        matrices = rng.standard_normal((3, layers, heads, width, width)) / np.sqrt(width)
        lower = rng.standard_normal((layers, width, units)) * np.sqrt(2 / width)
        upper = rng.standard_normal((layers, units, width)) / np.sqrt(max(units, 1))
        return cls(*matrices, lower, upper, scale, sharpness, norm, np.asarray(seen))

    def __call__(self, stream, held=None):
        """Return the outputs and the gains, which are those of `held` where they are given.

        `stream` has the shape (..., tokens, width); it may be complex. The gains are a list, in their order: weights of
        attention, 1/std and gains of units.
        """
        gains, given = [], iter(held or [])

        def gain(function, x):
            gains.append(function(x) if held is None else next(given))
            return gains[-1]

        def normalised(x):
            x = x - x.mean(axis=-1, keepdims=True)
            return x * gain(_inverse_deviation, x)

        for layer in range(len(self.values)):
            read = normalised(stream) if self.norm == "pre" else stream
            weights = gain(lambda x, layer=layer: self._attention(layer, x), read)
            mixed = weights @ (read[..., None, :, :] @ self.values[layer])
            stream = stream + self.scale * mixed.sum(axis=-3) / np.sqrt(self.values.shape[1])
            stream = normalised(stream) if self.norm == "post" else stream
            if self.lower.shape[-1]:
                read = normalised(stream) if self.norm == "pre" else stream
                argument = read @ self.lower[layer]
                stream = stream + self.scale * (argument * gain(_is_positive, argument)) @ self.upper[layer]
                stream = normalised(stream) if self.norm == "post" else stream
        return stream, gains

    def _attention(self, layer, read):
        queries, keys = (read[..., None, :, :] @ matrix[layer] for matrix in (self.queries, self.keys))
        logits = self.sharpness * queries @ np.swapaxes(keys, -1, -2) / np.sqrt(read.shape[-1])
        logits = np.where(self.seen, logits, -np.inf)
        powers = np.exp(logits - logits.real.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def steps(self, gains):
        """Return the steps of the recursion, from the bottom up, at gains that the network had at one sample.

        A hop is a white vector, of which the next normalisation below takes the mean, 1/width of its squares; the
        stream is centred there already. Pre-norm centres in each branch, post-norm below all branches but the lowest.
        Units have weights of variance 2, as their gains have the mean square 1/2.
        """
        heads, width = self.values.shape[1], self.values.shape[-1]
        centred, given, steps = self.scale * np.sqrt(1 - 1 / width), iter(gains), []
        branch = centred if self.norm == "pre" else self.scale
        for _ in range(len(self.values)):
            before = next(given)[:, 0] if self.norm == "pre" else 1.0
            steps.append(Attend(next(given) * before, branch / np.sqrt(heads)))
            if self.norm == "post":
                steps.append(Rescale(next(given)[:, 0]))
                branch = centred
            if self.lower.shape[-1]:
                before = next(given) if self.norm == "pre" else 1.0
                steps.append(Units(np.sqrt(2) * next(given) * before, branch))
                if self.norm == "post":
                    steps.append(Rescale(next(given)[:, 0]))
        return steps


def _inverse_deviation(x):
    return 1 / np.sqrt(np.mean(x**2, axis=-1, keepdims=True))


def _is_positive(x):
    return (x.real > 0).astype(float)


def squared_gradients(network, inputs, *, held, directions=4, rng=None):
    """Sums of squared derivatives of the last token's outputs by each input token, estimated by random directions.

    With `held` gains the network is linear, and a direction passes through it; otherwise the derivative is that of a
    complex step, through softmax, normalisation and all. Scaled to sum 1.
    """
    rng = np.random.default_rng(rng)
    tokens, width = inputs.shape
    gains = network(inputs)[1] if held else None
    sums = np.zeros(tokens)
    for _ in range(directions):
        moved = np.eye(tokens)[:, :, None] * rng.standard_normal((tokens, 1, width))
        if held:
            changed = network(moved, gains)[0][:, -1]
        else:
            changed = network(inputs + 1e-20j * moved)[0][:, -1].imag * 1e20
        sums += np.sum(changed**2, axis=-1)
    return sums / sums.sum()
