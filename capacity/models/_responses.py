"""Impulse responses of a stack of dilated convolutions, seen from below and from above each of its layers.

The stack is linear in each filter, so that all derivatives are products of two responses: the one *below* a layer (how
its input channels respond to the input) and the one *above* it (how the output responds to its output channels). Only
lags that some path through the layers reaches are stored. With a prime `modulus` below 2^31 all arithmetic is done in
its field, exactly.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from capacity.linalg.subspaces import singular_value_decomposition

__all__ = ["ImpulseResponses", "with_fewer_channels"]


@dataclass(frozen=True)
class ImpulseResponses:
    """The paths of a stack: layer l reads its input at t d_l steps in the past, t = 0..n_l - 1.

    Attributes
    ----------
    dilations, taps : tuple of int
        d_1..d_L and n_1..n_L.

    Notes
    -----
    Filters are arrays of shape (c_l, n_l, c_{l-1}). `below[l]` has shape (lags, c_l, components) on the lags
    `lags_below[l]`, `above[l]` has shape (lags, c_l) on `lags_above[l]`; l = 0 is the input, l = L the output.
    """

    dilations: tuple[int, ...]
    taps: tuple[int, ...]

    @cached_property
    def n_positions(self):
        """Length of the receptive field, 1 + sum_l (n_l - 1) d_l."""
        return 1 + sum((taps - 1) * dilation for taps, dilation in zip(self.taps, self.dilations))

    @cached_property
    def lags_below(self):
        """For l = 0..L, the lags at which the channels of layer l see the input."""
        return _reach(zip(self.taps, self.dilations))

    @cached_property
    def lags_above(self):
        """For l = 0..L, the lags at which the output sees the channels of layer l."""
        return _reach(reversed(list(zip(self.taps, self.dilations))))[::-1]

    @cached_property
    def _rows_below(self):
        """For each layer and tap, the rows of below[l + 1] that the lags of below[l] reach."""
        return self._rows(self.lags_below[:-1], self.lags_below[1:])

    @cached_property
    def _rows_above(self):
        """For each layer and tap, the rows of above[l] that the lags of above[l + 1] reach."""
        return self._rows(self.lags_above[1:], self.lags_above[:-1])

    def _rows(self, sources, targets):
        layers = zip(self.taps, self.dilations, sources, targets)
        return [[_places(target, source + t * d) for t in range(n)] for n, d, source, target in layers]

    def below(self, filters, modulus=None):
        """Responses of the channels of layers 0..L to each input component."""
        components = filters[0].shape[2]
        responses = [np.eye(components, dtype=filters[0].dtype)[None]]
        for layer, weights in enumerate(filters):
            new = np.zeros((self.lags_below[layer + 1].size, weights.shape[0], components), weights.dtype)
            for t, rows in enumerate(self._rows_below[layer]):
                new[rows] = _plus(new[rows], _matmul(weights[:, t], responses[-1], modulus), modulus)
            responses.append(new)
        return responses

    def above(self, filters, modulus=None):
        """Responses of the output to the channels of layers 0..L."""
        responses = [np.ones((1, 1), dtype=filters[0].dtype)]
        for layer in reversed(range(len(filters))):
            weights = filters[layer]
            new = np.zeros((self.lags_above[layer].size, weights.shape[2]), weights.dtype)
            for t, rows in enumerate(self._rows_above[layer]):
                new[rows] = _plus(new[rows], _matmul(responses[0], weights[:, t], modulus), modulus)
            responses.insert(0, new)
        return responses

    def block(self, layer, above, below, modulus=None):
        """Derivative of the response at all lags with respect to the filter of one layer (counted from 0).

        Of responses (lags above, j) and (lags below, i, components), it has the shape (n_positions, components, j, n_l,
        i): sum_u above[u, j] below[s - u, i] at lag s + t d_l and tap t.
        """
        taps, dilation = self.taps[layer], self.dilations[layer]
        reach = self.n_positions - (taps - 1) * dilation
        sums = _sums(self.lags_above[layer + 1], above, self.lags_below[layer], below, reach, modulus)
        block = np.zeros((self.n_positions, *sums.shape[1:3], taps, sums.shape[3]), dtype=sums.dtype)
        for t in range(taps):
            block[t * dilation :][:reach, :, :, t] = sums
        return block

    def span(self, filters):
        """Columns that span the derivatives by all filters, each direction once, shape (n_positions, components, q).

        Generic ranks r_l of the responses give q = sum_l r_{l-1} n_l r_l - sum_{l<L} r_l^2 where lags do not overlap.
        """
        pairs = enumerate(self.span_factors(filters))
        return np.concatenate([self.span_block(layer, *factors) for layer, factors in pairs], axis=2)

    def span_block(self, layer, outer, new):
        """Columns that one layer (counted from 0) adds to the span, from its factors of `span_factors`."""
        above, below = self.lags_above[layer + 1], self.lags_below[layer + 1]
        sums = _sums(above, outer, below, new, self.n_positions)
        return sums.reshape(self.n_positions, sums.shape[1], outer.shape[1] * new.shape[1])

    def span_factors(self, filters):
        """For each layer, bases of the response above it and of what it adds below it: the columns are their products.

        A change of the channels' basis behind a layer can be made by that layer or by the next one. What layer l adds
        to those above it are the products of the response above it with the part of its shifted inputs that is
        orthogonal to its own outputs. With orthonormal bases of all these responses the columns are well conditioned,
        and where each lag has one path they are orthonormal: the tangent space of a tensor train (Holtz, Rohwedder and
        Schneider 2012, Section 4.2), here for stacks of any dilations. Shapes (lags above, j) and (lags below, k,
        components).
        """
        components, factors = filters[0].shape[2], []
        above, below = self.above(filters), self.below(filters)
        basis = _orthonormal(below[0].transpose(0, 2, 1).reshape(components, -1))
        for layer in range(len(filters)):
            lags, last = self.lags_below[layer + 1].size, layer + 1 == len(filters)
            old = basis.reshape(self.lags_below[layer].size, components, basis.shape[1])
            inputs = np.zeros((lags, components, self.taps[layer], basis.shape[1]))
            for t, rows in enumerate(self._rows_below[layer]):
                inputs[rows, :, t] = old
            inputs = inputs.reshape(lags * components, self.taps[layer] * basis.shape[1])
            if not last:
                basis = _orthonormal(below[layer + 1].transpose(0, 2, 1).reshape(lags * components, -1))
                for _ in range(2):  # twice is enough (Giraud, Langou and Rozloznik 2005)
                    inputs = inputs - basis @ (basis.T @ inputs)
            new = _orthonormal(inputs, scale=1.0)
            new = new.reshape(lags, components, new.shape[1]).transpose(0, 2, 1)
            factors.append((_orthonormal(above[layer + 1]), new))
        return factors

    def pullback(self, filters, cotangent):
        """Gradient by each filter of the inner product of the response with a cotangent (n_positions, components)."""
        below, gradients = self.below(filters), [np.empty_like(weights) for weights in filters]
        flow = cotangent[self.lags_below[-1]][:, None, :]
        for layer in reversed(range(len(filters))):
            inner = below[layer].transpose(1, 0, 2).reshape(below[layer].shape[1], -1)
            above, flow = flow, 0
            for t, rows in enumerate(self._rows_below[layer]):
                piece = above[rows]
                gradients[layer][:, t] = piece.transpose(1, 0, 2).reshape(piece.shape[1], -1) @ inner.T
                flow = flow + filters[layer][:, t].T @ piece
        return gradients


def with_fewer_channels(response):
    """Replace a response (lags, channels, ...) by one of as few channels as rows and the same products over channels.

    With the flattened response B of shape (rows, channels) and B^T = Q R, the factor R^T has min(rows, channels)
    columns and R^T R = B B^T.
    """
    last = np.moveaxis(response, 1, -1)
    flat = last.reshape(-1, last.shape[-1])
    if flat.shape[0] >= flat.shape[1]:
        return response
    factor = scipy.linalg.qr(flat.T, mode="r")[0][: flat.shape[0]].T
    return np.moveaxis(factor.reshape(*last.shape[:-1], flat.shape[0]), -1, 1)


def _orthonormal(columns, scale=None):
    """Orthonormal basis of the span, cut at the rounding error relative to `scale`, by default the largest value."""
    left, values, _ = singular_value_decomposition(columns)
    scale = values.max(initial=0.0) if scale is None else scale
    return left[:, values > max(columns.shape) * np.finfo(float).eps * scale]


def _sums(outer, above, inner, below, reach, modulus=None):
    """sum_u above[u, j] below[s - u, i, component] at each lag s < reach, shape (reach, components, j, i)."""
    below = below.transpose(0, 2, 1)
    if outer.size * inner.size > 16 * reach:  # lags overlap much: one FFT instead of sums
        if modulus is None:
            return _convolve(outer, inner, [(above, below)], reach)
        if outer.size * inner.size <= 2**24:
            return _convolve_modulo(outer, above, inner, below, reach, modulus)
    sums = np.zeros((reach, below.shape[1], above.shape[1], below.shape[2]), dtype=above.dtype)
    above, below = above[:, None, :, None], below[:, :, None, :]
    few, many, swap = (outer, inner, False) if outer.size <= inner.size else (inner, outer, True)
    for row, lag in enumerate(few):
        product = above * below[row] if swap else above[row] * below
        sums[lag + many] = _plus(sums[lag + many], product, modulus)
    return sums


def _convolve(outer, inner, pairs, reach):
    """All these sums at once, added up over pairs; reach = outer[-1] + inner[-1] + 1 leaves no room for aliasing."""
    size = scipy.fft.next_fast_len(reach, real=True)

    def spectrum(lags, response):
        dense = np.zeros((*response.shape[1:], size))
        dense[..., lags] = np.moveaxis(response, 0, -1)
        return scipy.fft.rfft(dense)

    product = sum(spectrum(outer, above)[:, None] * spectrum(inner, below)[:, None] for above, below in pairs)
    return np.moveaxis(scipy.fft.irfft(product, size)[..., :reach], -1, 0)


def _convolve_modulo(outer, above, inner, below, reach, modulus):
    """The same over the field of a prime below 2^31, exactly, from convolutions of digits of 16 bits.

    Digits are at most 2^15 in size, so that j and k of them have norms of at most 2^15 sqrt(j) and 2^15 sqrt(k). With
    j k <= 2^24 the rounding error of an FFT convolution, some 10 eps times the product of the norms, is below 2^-7, and
    rounding gives the integers.
    """

    def digits(residues):
        low = (residues + 2**15) % 2**16 - 2**15
        return low.astype(float), ((residues - low) >> 16).astype(float)

    (a, b), (c, d) = digits(above), digits(below)
    result = 0
    for pairs in ([(b, d)], [(a, d), (b, c)], [(a, c)]):  # Horner's rule in 2^16
        whole = np.rint(_convolve(outer, inner, pairs, reach)).astype(np.int64)
        result = (result * 2**16 + whole) % modulus
    return result


def _reach(layers):
    lags = [np.zeros(1, dtype=np.int64)]
    for taps, dilation in layers:
        lags.append(np.unique(lags[-1][:, None] + np.arange(taps) * dilation))
    return lags


def _places(target, lags):
    """Return the rows of `target`, in increasing order, that hold these lags: a slice, where they are neighbours."""
    rows = np.searchsorted(target, lags)
    return slice(rows[0], rows[-1] + 1) if rows[-1] - rows[0] == rows.size - 1 else rows


def _plus(first, second, modulus):
    return first + second if modulus is None else (first + second) % modulus


def _matmul(first, second, modulus):
    """Matrix product; over the field of a prime below 2^31, no intermediate sum exceeds 2^62 + 2^31."""
    if modulus is None:
        return first @ second
    products = (first[..., :, k, None] * second[..., None, k, :] for k in range(first.shape[-1]))
    total = 0
    for product in products:
        total = (total + product) % modulus
    return total
