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

from capacity.linalg.finite_field import reduced
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
    Filters are arrays of shape (..., c_l, n_l, c_{l-1}), all with the same leading axes. `below[l]` has shape
    (..., c_l, lags, components) on `lags_below[l]`, `above[l]` has shape (..., c_l, lags) on `lags_above[l]`; l = 0 is
    the input, l = L the output.
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
    def positions(self):
        """Where the lags of the whole stack stand, the oldest input first."""
        lags = self.lags_below[-1]
        return slice(None, None, -1) if lags.size == self.n_positions else self.n_positions - 1 - lags

    @cached_property
    def _places_below(self):
        """For each layer, the rows of below[l + 1] that the lags of below[l] reach, shape (taps, lags)."""
        return self._places(self.lags_below[:-1], self.lags_below[1:])

    @cached_property
    def _places_above(self):
        """For each layer, the rows of above[l] that the lags of above[l + 1] reach, shape (taps, lags)."""
        return self._places(self.lags_above[1:], self.lags_above[:-1])

    def _places(self, sources, targets):
        layers = zip(self.taps, self.dilations, sources, targets)
        return [np.searchsorted(target, source + np.arange(n)[:, None] * d) for n, d, source, target in layers]

    @cached_property
    def _rows_below(self):
        """The same as slices; None where the rows of all taps follow each other."""
        in_order = [np.array_equal(places.ravel(), np.arange(places.size)) for places in self._places_below]
        return [None if plain else _rows(places) for places, plain in zip(self._places_below, in_order)]

    @cached_property
    def _rows_above(self):
        return [_rows(places) for places in self._places_above]

    @cached_property
    def _sums(self):
        """For each layer, how the lags above it and those of its input add up."""
        pairs = zip(self.lags_above[1:], self.lags_below[:-1])
        return [_Sums(above, below, above[-1] + below[-1] + 1) for above, below in pairs]

    def below(self, filters, modulus=None):
        """Responses of the channels of layers 0..L to each input component."""
        *lead, _, _, components = filters[0].shape
        first = np.eye(components, dtype=filters[0].dtype)[:, None]
        responses = [np.broadcast_to(first, (*lead, *first.shape))]
        for weights, rows, lags in zip(filters, self._rows_below, self.lags_below[1:]):
            *_, outputs, taps, inputs = weights.shape
            flat = responses[-1].reshape(*lead, inputs, -1)
            moved = _matmul(weights.reshape(*lead, outputs * taps, inputs), flat, modulus)
            moved = moved.reshape(*lead, outputs, taps, -1, components)
            responses.append(_collected(moved, rows, lags.size, modulus))
        return responses

    def above(self, filters, modulus=None):
        """Responses of the output to the channels of layers 0..L."""
        lead = filters[0].shape[:-3]
        responses = [np.ones((*lead, 1, 1), dtype=filters[0].dtype)]
        for weights, rows, lags in zip(filters[::-1], self._rows_above[::-1], self.lags_above[-2::-1]):
            *_, outputs, taps, inputs = weights.shape
            turned = weights.reshape(*lead, outputs, taps * inputs).swapaxes(-1, -2)
            moved = _matmul(turned, responses[0], modulus).reshape(*lead, taps, inputs, -1, 1)
            new = _collected(moved.swapaxes(-4, -3), rows, lags.size, modulus)
            responses.insert(0, new[..., 0])
        return responses

    def block(self, layer, above, below, modulus=None):
        """Derivative of the response at all positions with respect to the filter of one layer (counted from 0).

        Of responses (..., j, lags above) and (..., i, lags below, components), it has the shape (..., components, j,
        n_l, i, n_positions): sum_u above[j, u] below[i, s - u] at lag s + t d_l and tap t, the largest lag first.
        """
        taps, dilation, sums = self.taps[layer], self.dilations[layer], self._sums[layer](above, below, modulus)
        block = np.zeros((*sums.shape[:-2], taps, sums.shape[-2], self.n_positions), dtype=sums.dtype)
        for t in range(taps):
            block[..., t, :, ::-1][..., t * dilation : t * dilation + sums.shape[-1]] = sums
        return block

    def span(self, filters):
        """Columns that span the derivatives by all filters, each direction once, shape (n_positions, components, q).

        Generic ranks r_l of the responses give q = sum_l r_{l-1} n_l r_l - sum_{l<L} r_l^2 where lags do not overlap.
        """
        pairs = enumerate(self.span_factors(filters))
        return np.concatenate([self.span_block(layer, *factors) for layer, factors in pairs], axis=2)

    def span_block(self, layer, outer, new):
        """Columns that one layer (counted from 0) adds to the span, from its factors of `span_factors`."""
        sums = _Sums(self.lags_above[layer + 1], self.lags_below[layer + 1], self.n_positions)(outer, new)
        sums = np.moveaxis(sums, -1, 0)
        return sums.reshape(*sums.shape[:2], -1)

    def span_factors(self, filters):
        """For each layer, bases of the response above it and of what it adds below it: the columns are their products.

        A change of the channels' basis behind a layer can be made by that layer or by the next one. What layer l adds
        to those above it are the products of the response above it with the part of its shifted inputs that is
        orthogonal to its own outputs. With orthonormal bases of all these responses the columns are well conditioned,
        and where each lag has one path they are orthonormal: the tangent space of a tensor train (Holtz, Rohwedder and
        Schneider 2012, Section 4.2), here for stacks of any dilations. Shapes (j, lags above) and (k, lags below,
        components).
        """
        components, factors = filters[0].shape[2], []
        above, below = self.above(filters), self.below(filters)
        basis = _orthonormal(below[0].reshape(components, components).T)
        for layer in range(len(filters)):
            lags, last = self.lags_below[layer + 1].size, layer + 1 == len(filters)
            old = basis.reshape(self.lags_below[layer].size, components, basis.shape[1])
            inputs = np.zeros((lags, components, self.taps[layer], basis.shape[1]))
            for t, rows in enumerate(self._places_below[layer]):
                inputs[rows, :, t] = old
            inputs = inputs.reshape(lags * components, self.taps[layer] * basis.shape[1])
            if not last:
                basis = _orthonormal(below[layer + 1].reshape(-1, lags * components).T)
                for _ in range(2):  # twice is enough (Giraud, Langou and Rozloznik 2005)
                    inputs = inputs - basis @ (basis.T @ inputs)
            new = _orthonormal(inputs, scale=1.0)
            factors.append((_orthonormal(above[layer + 1].T).T, new.T.reshape(-1, lags, components)))
        return factors

    def pullback(self, filters, below, cotangent):
        """Gradient by each filter of the inner product of the response with a cotangent (..., lags, components).

        `below` are the responses that the forward pass has left.
        """
        flow, gradients = cotangent[..., None, :, :], []
        for layer in reversed(range(len(filters))):
            *lead, outputs, taps, inputs = filters[layer].shape
            if self._rows_below[layer] is not None:
                flow = np.take(flow, self._places_below[layer], axis=-2)
            read = flow.reshape(*lead, outputs * taps, -1)
            gradients.insert(0, read @ below[layer].reshape(*lead, inputs, -1).swapaxes(-1, -2))
            if layer:
                turned = filters[layer].reshape(*lead, outputs * taps, inputs).swapaxes(-1, -2)
                flow = (turned @ read).reshape(below[layer].shape)
        return gradients


def with_fewer_channels(response):
    """Replace a response (..., channels, rows) by one of at most as many channels as rows and the same Gram matrix.

    With the factor R of its QR factorisation, R^T R is the sum over channels of products of rows.
    """
    return response if response.shape[-2] <= response.shape[-1] else np.linalg.qr(response, mode="r")


def _orthonormal(columns, scale=None):
    """Orthonormal basis of the span, cut at the rounding error relative to `scale`, by default the largest value."""
    left, values, _ = singular_value_decomposition(columns)
    scale = values.max(initial=0.0) if scale is None else scale
    return left[:, values > max(columns.shape) * np.finfo(float).eps * scale]


class _Sums:
    """How the lags of two responses add up: which sums below `reach` a product of two of them belongs to."""

    def __init__(self, outer, inner, reach):
        self.outer, self.inner, self.reach = outer, inner, reach

    @cached_property
    def rows(self):
        """Rows of the sums for each lag of the response that has fewer, and all of them where no two are the same."""
        few, many = sorted([self.outer, self.inner], key=len)
        places = np.add.outer(few, many)
        return _rows(places), np.add.outer(self.outer, self.inner) if np.unique(places).size == places.size else None

    def __call__(self, above, below, modulus=None):
        """sum_u above[j, u] below[i, s - u, component] at each lag s < reach, shape (..., components, j, i, reach)."""
        above, below = above[..., None, :, None, :], below.swapaxes(-3, -2).swapaxes(-3, -1)[..., None, :, :]
        if self.outer.size * self.inner.size > 16 * self.reach:  # lags overlap much: one FFT instead of sums
            if modulus is None:
                return _convolve(self.outer, self.inner, [(above, below)], self.reach)
            if self.outer.size * self.inner.size <= 2**24:
                return _convolve_modulo(self.outer, above, self.inner, below, self.reach, modulus)
        sums = np.zeros((*np.broadcast_shapes(above.shape[:-1], below.shape[:-1]), self.reach), dtype=above.dtype)
        rows, apart = self.rows
        if apart is not None:
            sums[..., apart] = reduced(above[..., :, None] * below[..., None, :], modulus)
            return sums
        ours, theirs = (above, below) if self.outer.size <= self.inner.size else (below, above)
        for row, places in enumerate(rows):
            sums[..., places] = reduced(sums[..., places] + ours[..., row : row + 1] * theirs, modulus)
        return sums


def _convolve(outer, inner, pairs, reach):
    """All these sums at once, added up over pairs; reach = outer[-1] + inner[-1] + 1 leaves no room for aliasing."""
    size = scipy.fft.next_fast_len(reach, real=True)

    def spectrum(lags, response):
        dense = np.zeros((*response.shape[:-1], size))
        dense[..., lags] = response
        return scipy.fft.rfft(dense)

    product = sum(spectrum(outer, above) * spectrum(inner, below) for above, below in pairs)
    return scipy.fft.irfft(product, size)[..., :reach]


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


def _rows(places):
    """Rows of arrays of places, as slices where their steps are equal: quicker."""
    steps = [int(rows[1] - rows[0]) if rows.size > 1 else 1 for rows in places]
    slices = [slice(rows[0], rows[-1] + 1, step) for rows, step in zip(places, steps)]
    return [one if (np.diff(rows) == one.step).all() else rows for rows, one in zip(places, slices)]


def _collected(moved, rows, size, modulus):
    """Sum of responses (..., c, taps, lags, k) at the rows that the taps move their lags to, (..., c, size, k)."""
    *lead, _, _, k = moved.shape
    if rows is None:
        return moved.reshape(*lead, size, k)
    sums = np.zeros((*lead, size, k), moved.dtype)
    for t, places in enumerate(rows):
        sums[..., places, :] += moved[..., t, :, :]
    return reduced(sums, modulus)


def _matmul(first, second, modulus):
    """Matrix product; over the field of a prime below 2^31, no intermediate sum exceeds 2^62 + 2^31."""
    if modulus is None:
        return first @ second
    products = (first[..., :, k, None] * second[..., None, k, :] for k in range(first.shape[-1]))
    total = 0
    for product in products:
        total = (total + product) % modulus
    return total
