"""Capacity along frequencies: which part of the spectrum a model attends to (paper 1, Section 4.3)."""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_vector

__all__ = ["per_frequency"]


def per_frequency(capacities: ArrayLike, frequencies: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Mean capacity of the vectors of each frequency.

    Parameters
    ----------
    capacities : array_like, shape (n,)
        Along the vectors of `fourier_basis`.
    frequencies : array_like, shape (n,)
        As it returns them.

    Returns
    -------
    distinct : ndarray, shape (n // 2 + 1,)
        Frequencies, in cycles per sample.
    mean : ndarray, shape (n // 2 + 1,)
        In [0, 1]: 1 means that both phases are fully modelled.

    Examples
    --------
    >>> from capacity.linalg import fourier_basis
    >>> per_frequency([1.0, 0.5, 0.25, 0.0], fourier_basis(4)[1])[1]
    array([1.   , 0.375, 0.   ])
    """
    frequencies = as_vector(frequencies, "frequencies")
    capacities = as_vector(capacities, "capacities", length=frequencies.size)
    distinct, index = np.unique(frequencies, return_inverse=True)
    return distinct, np.bincount(index, capacities) / np.bincount(index)
