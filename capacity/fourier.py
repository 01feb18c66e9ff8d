"""The real Fourier basis, along which capacity shows the frequencies that a model attends to (paper 1, Section 4.3)."""

import numpy as np
from scipy import fft

from capacity.checks import as_vector, check_integer

__all__ = ["fourier_basis", "per_frequency"]


def fourier_basis(n):
    """Real orthonormal Fourier basis of R^n and the frequency of each vector.

    Parameters
    ----------
    n : int
        Dimension.

    Returns
    -------
    vectors : ndarray, shape (n, n)
        Columns: the constant, then a cosine and a sine per frequency, last (n even) the alternating vector.
    frequencies : ndarray, shape (n,)
        In cycles per sample, from 0 to at most 1/2.

    Raises
    ------
    TypeError, ValueError
        If `n` is not a positive integer.

    Notes
    -----
    A vector of cosines alone has a phase, and hence no meaning of its own: `per_frequency` averages the pairs, which
    makes the result independent of where the window begins.

    Examples
    --------
    >>> vectors, frequencies = fourier_basis(4)
    >>> frequencies
    array([0.  , 0.25, 0.25, 0.5 ])
    """
    n = check_integer(n, "n", minimum=1)
    spectrum = fft.rfft(np.eye(n), axis=0, norm="ortho")  # row k: (cos - i sin)(2 pi k t / n) / sqrt(n)
    rows, frequencies = [], []
    for k, wave in enumerate(spectrum):
        pair = k > 0 and 2 * k < n
        rows += [np.sqrt(2) * wave.real, -np.sqrt(2) * wave.imag] if pair else [wave.real]
        frequencies += [k / n] * (2 if pair else 1)
    return np.stack(rows, axis=1), np.array(frequencies)


def per_frequency(capacities, frequencies):
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

    Raises
    ------
    ValueError
        If the lengths differ, or a number is not finite.

    Examples
    --------
    >>> per_frequency([1.0, 0.5, 0.25, 0.0], fourier_basis(4)[1])[1]
    array([1.   , 0.375, 0.   ])
    """
    frequencies = as_vector(frequencies, "frequencies")
    capacities = as_vector(capacities, "capacities", length=frequencies.size)
    distinct, index = np.unique(frequencies, return_inverse=True)
    return distinct, np.bincount(index, capacities) / np.bincount(index)
