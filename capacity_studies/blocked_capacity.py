"""Capacity per input of large stacks of convolutions, by passes over blocks of columns.

The capacity of an input is the squared norm of its row of Q, where Q R = K~ are the constraints. Where K~ does not fit
into the memory, all that is kept of it is a triangle: a random sketch, of a few rows for each column, has a factor R_0
that leaves K~ R_0^-1 with nearly orthogonal columns; and their Gram matrix, which as that of well-conditioned columns
loses no digits, gives the rest.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._typing import Covariance, Rng
from capacity._validation import as_generator, check_integer
from capacity.linalg.covariances import covariance_product, definite_covariance
from capacity.linalg.precision import rank_tolerance
from capacity.linalg.subspaces import singular_value_decomposition
from capacity.models.base import check_model

__all__ = ["BlockedCapacity", "spatial_capacity"]

ROWS = 2**14  # of a block at a time, so that sums stay in the cache


@dataclass(frozen=True)
class BlockedCapacity:
    """Capacity of each input, and how surely it is known.

    Attributes
    ----------
    inputs : ndarray, shape (n,)
        Capacity of each input, oldest first; they sum to the total.
    total : int
        Total capacity: singular values of the sketch above the threshold.
    gap : float
        Smallest singular value kept over the threshold.
    condition : float
        Condition number of the columns whose Gram matrix was taken: near 1, or digits are lost.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model, process = DilatedConvolution.hierarchical(3, channels=1), GaussianProcess()
    >>> found = spatial_capacity(model, model.initial(rng=0), process.operator(8))
    >>> found.total, found.gap > 1e3, found.inputs.shape
    (4, True, (8,))
    """

    inputs: np.ndarray
    total: int
    gap: float
    condition: float


def spatial_capacity(
    model: Any,
    parameters: ArrayLike,
    covariance: Covariance,
    *,
    memory: int = 2**30,
    rtol: float | None = None,
    rng: Rng = 0,
) -> BlockedCapacity:
    """Capacity of each input of a large stack of convolutions, in bounded memory (eqs 16 to 18).

    Parameters
    ----------
    model : DilatedConvolution
        Or any other `LinearModel` with `tangent_blocks`.
    parameters : array_like, shape (p,)
        Usually those of a fit.
    covariance : array_like, shape (n, n), or operator
        Covariance of the inputs; for many inputs ``process.operator(n)``.
    memory : int, optional
        Bytes for blocks of columns, of n numbers each; a few columns at least are taken at a time. The factors of the
        model come on top: some hundred numbers for each input at most.
    rtol : float, optional
        Relative tolerance of the rank of the sketch of Sigma T; the columns of T are those of `tangent_blocks`.
    rng : int, Generator or None
        Of the signs and places of the sketch. The result does not depend on them, but for rounding errors, where the
        singular values have a wide gap at the tolerance.

    Returns
    -------
    BlockedCapacity
        The same capacities as ``model_constraints(model, parameters, covariance).spatial()`` for one component, which
        keeps a matrix of n rows and a column for each unit of capacity.

    Notes
    -----
    Where not all columns of K~ = Sigma T fit into the memory, each pass makes them afresh: one for the sketch, some for
    the pairs of blocks in the Gram matrix, and one for the squares. A sketch as preconditioner: Rokhlin and Tygert
    (2008); each row enters four sums with random signs (Nelson and Nguyen 2013).

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model, process = DilatedConvolution.hierarchical(12, channels=1), GaussianProcess()
    >>> found = spatial_capacity(model, model.initial(rng=0), process.operator(model.n_inputs))
    >>> found.total, found.inputs.shape
    (13, (4096,))
    """
    check_model(model, "tangent_blocks")
    memory = check_integer(memory, "memory", minimum=1, remedy="pass a number of bytes")
    rtol, generator = rank_tolerance(rtol), as_generator(rng)
    blocks, n = model.tangent_blocks(parameters), model.n_inputs
    covariance = definite_covariance(covariance, n)
    edges = np.cumsum([0] + [block().shape[1] for block in blocks])
    constraints = _Constraints(blocks, edges, covariance, n, step=max(memory // (8 * n * 4), 4))

    sketch = constraints.sketch(generator)
    _, values, right = singular_value_decomposition(sketch)
    threshold = (max(n, edges[-1]) * np.finfo(float).eps if rtol is None else rtol) * values.max(initial=0.0)
    total = int(np.count_nonzero(values > threshold))
    if not total:
        return BlockedCapacity(np.zeros(n), 0, np.nan, np.nan)
    inputs, condition = constraints.leverages(right[:total].T / values[:total])
    return BlockedCapacity(inputs, total, float(values[total - 1] / threshold), condition)


@dataclass(frozen=True)
class _Constraints:
    """The columns of K~ = Sigma T, made from the blocks of T when they are needed, `step` at a time, or kept."""

    blocks: list
    edges: np.ndarray
    covariance: object
    n: int
    step: int

    @cached_property
    def kept(self):
        """K~, where it fits into the memory, or None."""
        width = int(self.edges[-1])
        return self._made(np.eye(width)) if 0 < width <= self.step else None

    def products(self, mixing):
        """K~ X by blocks of the columns of X."""
        for start in range(0, mixing.shape[1], self.step):
            yield self._product(mixing[:, start : start + self.step])

    def _product(self, mixing):
        return self._made(mixing) if self.kept is None else self.kept @ mixing

    def _made(self, mixing):
        tangents = np.zeros((mixing.shape[1], self.n))  # transposed: Toeplitz products take contiguous columns
        for make, start, stop in zip(self.blocks, self.edges, self.edges[1:]):
            if (part := mixing[start:stop].T).any():
                block = make()
                for row in range(0, self.n, ROWS):
                    tangents[:, row : row + ROWS] += part @ block[row : row + ROWS].T
        return covariance_product(self.covariance, tangents.T)

    def sketch(self, rng, sums=4, rows=4):
        """Random sums of the rows of K~: each row is in `sums` of them, out of `sums` times `rows` for each column."""
        width = int(self.edges[-1])
        size = rows * width
        columns = self.products(np.eye(width)) if self.kept is None else [self.kept]
        if sums * size >= self.n or not width:
            return np.hstack([np.zeros((self.n, 0)), *columns])
        places = rng.integers(0, size, (sums, self.n))
        signs = rng.integers(0, 2, (sums, self.n)) * 2.0 - 1
        sketched = [
            np.stack(
                [
                    np.concatenate([np.bincount(p, s * column, size) for p, s in zip(places, signs)])
                    for column in block.T
                ],
                axis=1,
            )
            for block in columns
        ]
        return np.hstack(sketched)

    def leverages(self, mixing):
        """Squared norms of the rows of an orthonormal basis of K~ X, and the condition number of K~ X."""
        together = mixing.shape[1] <= self.step
        columns = self._product(mixing) if together else None
        squares, directions = scipy.linalg.eigh(columns.T @ columns if together else self.gram(mixing))
        rotation = directions / np.sqrt(squares)
        leverages = np.zeros(self.n)
        if together:
            for row in range(0, self.n, ROWS):
                leverages[row : row + ROWS] = np.square(columns[row : row + ROWS] @ rotation).sum(axis=1)
        else:
            for block in self.products(mixing @ rotation):
                leverages += np.einsum("ij,ij->i", block, block)
        return leverages, float(np.sqrt(squares[-1] / squares[0]))

    def gram(self, mixing):
        """X^T K~^T K~ X, by pairs of blocks of columns."""
        width = mixing.shape[1]
        gram = np.zeros((width, width))
        for start in range(0, width, self.step):
            first = self._product(mixing[:, start : start + self.step])
            gram[start : start + self.step, start : start + self.step] = first.T @ first
            for other, second in zip(
                range(start + self.step, width, self.step), self.products(mixing[:, start + self.step :])
            ):
                gram[start : start + self.step, other : other + self.step] = first.T @ second
        return np.triu(gram) + np.triu(gram, 1).T
