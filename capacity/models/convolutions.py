"""Hierarchical linear models: stacks of dilated convolutions (paper 1, Section 5.1 and Appendix C).

Coefficients are ordered by position, the oldest input first; where a position has several components, they stand
together.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, as_list, as_shaped, check_integer, check_integers, check_size
from capacity.models._responses import ImpulseResponses, with_fewer_channels
from capacity.models.base import OfShapes, as_parameters

__all__ = ["DilatedConvolution"]


@dataclass(frozen=True)
class DilatedConvolution(OfShapes):
    """A stack of dilated convolutions with one output channel, seen from its last output: eq. 19.

    Layer l maps c_{l-1} channels to c_l by a filter of shape (c_l, taps_l, c_{l-1}); tap t reads its input t d_l steps
    in the past. The coefficients are the impulse response of the stack: the entry at a given lag sums, over all ways
    to write the lag as sum_l t_l d_l, the matrix products W^(L)[t_L] ... W^(1)[t_1].

    Parameters
    ----------
    dilations : sequence of int
        d_1, ..., d_L, each at least 1.
    channels : int or sequence of int
        Output channels c_1, ..., c_{L-1} of the hidden layers; one number is taken for all.
    taps : int or sequence of int
        Filter lengths n_1, ..., n_L.
    components : int
        Input channels c_0: components of the input at each position.

    Examples
    --------
    >>> model = DilatedConvolution.hierarchical(6, channels=4)
    >>> model.n_inputs, model.n_parameters
    (64, 144)
    """

    dilations: Sequence[int]
    channels: Any = 1  # int or sequence of int; a tuple once it is checked, as `taps`
    taps: Any = 2
    components: int = 1
    stacks = True

    def __post_init__(self) -> None:
        dilations = check_integers(self.dilations, "dilations", at_least=1)
        object.__setattr__(self, "dilations", dilations)
        object.__setattr__(self, "channels", check_integers(self.channels, "channels", length=len(dilations) - 1))
        object.__setattr__(self, "taps", check_integers(self.taps, "taps", length=len(dilations)))
        check_integer(self.components, "components", minimum=1)

    @classmethod
    def hierarchical(
        cls, n_layers: int, channels: int | Sequence[int] = 1, taps: int | Sequence[int] = 2, components: int = 1
    ) -> "DilatedConvolution":
        """Stack whose dilations d_l = n_1 ... n_{l-1} make each lag reachable in exactly one way: eq. 20.

        Parameters
        ----------
        n_layers : int
            Number of layers L; with two taps the receptive field is 2^L positions.
        channels, taps, components
            As in the constructor.

        Returns
        -------
        DilatedConvolution
        """
        taps = check_integers(taps, "taps", length=check_integer(n_layers, "n_layers", minimum=1))
        dilations = tuple(math.prod(taps[:layer]) for layer in range(n_layers))
        return cls(dilations, channels, taps, components)

    @classmethod
    def from_weights(
        cls, weights: Sequence[ArrayLike], dilations: Sequence[int]
    ) -> tuple["DilatedConvolution", np.ndarray]:
        """Model and parameters of a stack of causal convolutions that was trained elsewhere.

        Parameters
        ----------
        weights : sequence of array_like, shape (outputs, inputs, taps)
            One array per layer, the first layer first, in the layout of PyTorch's ``Conv1d``: the last tap reads the
            most recent input. Of weights with the axes (taps, inputs, outputs), as Keras and Flax have them, pass
            ``w.transpose(2, 1, 0)``. The last layer has one output. Biases only shift the output: leave them out.
        dilations : sequence of int
            One per layer.

        Returns
        -------
        DilatedConvolution, ndarray of shape (p,)

        Examples
        --------
        >>> model, parameters = DilatedConvolution.from_weights([[[[1, 2]]], [[[1, 10]]]], [1, 2])
        >>> model.coefficients(parameters)  # the oldest input first
        array([ 1.,  2., 10., 20.])
        """
        dilations = check_integers(dilations, "dilations")
        arrays: list[np.ndarray] = []
        for i, w in enumerate(as_list(weights, "weights", "pass one array per dilation", length=len(dilations))):
            shape = (1 if i + 1 == len(dilations) else None, arrays[-1].shape[0] if i else None, None)
            remedy = "pass (outputs, inputs, taps), e.g. w.transpose(2, 1, 0) of one of shape (taps, inputs, outputs)"
            arrays.append(as_shaped(w, f"weights[{i}]", shape, remedy=remedy))
        channels, taps = [w.shape[0] for w in arrays[:-1]], [w.shape[2] for w in arrays]
        model = cls(dilations, channels, taps, arrays[0].shape[1])
        return model, model._check(np.concatenate([w.transpose(0, 2, 1)[:, ::-1].ravel() for w in arrays]))

    @property
    def n_layers(self) -> int:
        """Number of layers L."""
        return len(self.dilations)

    @property
    def degree(self) -> int:
        """Coefficients are products of one entry per layer."""
        return self.n_layers

    @property
    def n_positions(self) -> int:
        """Length of the receptive field, 1 + sum_l (n_l - 1) d_l."""
        return self._paths.n_positions

    @property
    def n_inputs(self) -> int:
        """Number of coefficients: positions times components."""
        return self.n_positions * self.components

    @cached_property
    def shapes(self) -> list[tuple[int, int, int]]:
        """Shapes (c_l, n_l, c_{l-1}) of the filters, first layer first."""
        widths = (self.components, *self.channels, 1)
        return [(outputs, taps, inputs) for (inputs, outputs), taps in zip(pairwise(widths), self.taps)]

    @property
    def _shapes(self):
        return {f"layer {i}": shape for i, shape in enumerate(self.shapes, start=1)}

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Independent normal weights of variance 1 / (n_l c_{l-1}), shape (p,)."""
        rng = as_generator(rng)
        return np.concatenate(
            [rng.standard_normal(np.prod(shape)) / np.sqrt(shape[1] * shape[2]) for shape in self.shapes]
        )

    def filters(self, parameters: ArrayLike) -> list[np.ndarray]:
        """Views of the parameters as one filter per layer, shapes (..., c_l, n_l, c_{l-1})."""
        return self._split(self._check(parameters))

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (..., n, p), dense.

        Parameters
        ----------
        parameters : array_like, shape (..., p)
            Real numbers; integers where `modulus` is given.
        modulus : int, optional
            A prime below 2^31: all arithmetic is done in its field, exactly.
        """
        filters = self._split(self._given(parameters, modulus))
        above, below = self._paths.above(filters, modulus), self._paths.below(filters, modulus)
        return np.concatenate(list(self._blocks(above, below, modulus).values()), axis=-1)

    def vjp(self, parameters: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        """Coefficients, and their pullback y -> (dA/dW)^T y; numbers are not checked."""
        filters, lead = self._split(parameters), parameters.shape[:-1]
        below, places = self._paths.below(filters), self._paths.positions
        coefficients = np.zeros((*lead, self.n_positions, self.components))
        coefficients[..., places, :] = below[-1][..., 0, :, :]

        def pullback(cotangent):
            by_lag = cotangent.reshape(coefficients.shape)[..., places, :]
            gradients = self._paths.pullback(filters, below, by_lag)
            return np.concatenate([each.reshape(*lead, -1) for each in gradients], axis=-1)

        return coefficients.reshape(*lead, self.n_inputs), pullback

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """For each layer, a matrix T of shape (..., n, q) with T T^T = J J^T, where q does not grow with wide channels.

        A block of the Jacobian is bilinear in the impulse responses above and below its layer. A rotation of the
        channels on either side only rotates its columns, so that each response may be narrowed to the triangular
        factor of its QR factorisation, which has no more columns than the response has lags.
        """
        filters = self.filters(parameters)
        above = [with_fewer_channels(response) for response in self._paths.above(filters)]
        below = self._paths.below(filters)
        flat = [with_fewer_channels(response.reshape(*response.shape[:-2], -1)) for response in below]
        narrow = [few.reshape(*few.shape[:-1], *each.shape[-2:]) for few, each in zip(flat, below)]
        return self._blocks(above, narrow)

    def tangent_span(self, parameters: ArrayLike) -> np.ndarray:
        """Matrix of shape (n, k) with the column space of the Jacobian, and as few columns as channels leave generic.

        The same function results from any basis of the channels between two layers. Directions that only change such
        a basis are left out here, so that k is about the total capacity, half the number of parameters or less.
        """
        span = self._paths.span(self.filters(parameters))
        return span[::-1].reshape(self.n_inputs, span.shape[2])

    def tangent_blocks(self, parameters: ArrayLike) -> list[Callable[[], np.ndarray]]:
        """The same columns, layer by layer: functions that make those of a layer, shape (n, k_l), when they are called.

        What is kept for each layer are two narrow factors, whose sizes grow with the lags above and below it.
        """
        pairs = enumerate(self._paths.span_factors(self.filters(parameters)))
        return [partial(self._tangent_block, layer, *factors) for layer, factors in pairs]

    @property
    def generic_columns(self) -> np.ndarray:
        """Indices of columns of the Jacobian that span all of them at almost all parameters of a `minimal` model.

        A change of the basis of a layer's output channels moves the filter W, as a matrix (c_l, n_l c_{l-1}), along its
        rows, and the next layer can make the same change. Where the first c_l columns of W are independent, the columns
        of the Jacobian that belong to them add nothing to the others.
        """
        kept = []
        for layer, (part, (outputs, taps, inputs)) in enumerate(zip(self.layers.values(), self.shapes), start=1):
            columns = np.arange(part.start, part.stop).reshape(outputs, taps * inputs)
            kept.append(columns[:, outputs:] if layer < self.n_layers else columns)
        return np.concatenate([columns.ravel() for columns in kept])

    def field(self, layer: str) -> int:
        """Positions that a unit of a layer sees."""
        return self._fields[layer]

    @cached_property
    def _fields(self):
        reach = accumulate(((n - 1) * d for n, d in zip(self.taps, self.dilations)), initial=1)
        return dict(zip(self.layers, list(reach)[1:]))

    @property
    def is_hierarchical(self) -> bool:
        """Whether each lag is reached in exactly one way, by dilations d_l = n_1 ... n_{l-1}: eq. 20."""
        return list(self.dilations) == list(accumulate(self.taps[:-1], operator.mul, initial=1))

    def minimal(self) -> "DilatedConvolution":
        """Model with the fewest channels that reaches exactly the same coefficients.

        The impulse response below a layer is a matrix with as many rows as it has lags (times components): more
        channels than that, or than the taps of the layer times the channels that feed it, add no coefficients. The
        same holds seen from above.
        """
        self._check_inputs()
        widths = [self.components, *self.channels, 1]
        for layer, taps in enumerate(self.taps[:-1], start=1):
            reach = self._paths.lags_below[layer].size * self.components
            widths[layer] = min(widths[layer], reach, taps * widths[layer - 1])
        for layer in range(self.n_layers - 1, 0, -1):
            reach = self._paths.lags_above[layer].size
            widths[layer] = min(widths[layer], reach, self.taps[layer] * widths[layer + 1])
        return replace(self, channels=tuple(widths[1:-1]))

    @cached_property
    def _paths(self):
        return ImpulseResponses(self.dilations, self.taps)

    def _tangent_block(self, layer, outer, new):
        block = self._paths.span_block(layer, outer, new)
        return block[::-1].reshape(self.n_inputs, block.shape[2])

    def _blocks(self, above, below, modulus=None):
        blocks = (self._paths.block(i, above[i + 1], below[i], modulus) for i in range(self.n_layers))
        found = (block.reshape(*block.shape[:-4], -1, self.n_positions) for block in blocks)
        rows = (each.swapaxes(-3, -2).swapaxes(-2, -1).reshape(*each.shape[:-3], -1, self.n_inputs) for each in found)
        return {name: each.swapaxes(-1, -2) for name, each in zip(self.layers, rows)}

    def _check_inputs(self) -> None:
        check_size(self.n_inputs, "dilations", "coefficients", maximum=2**26, remedy="take fewer layers")

    def _check(self, parameters: ArrayLike) -> np.ndarray:
        self._check_inputs()
        return as_parameters(self, parameters)
