"""The real Fourier basis: cosines and sines, by frequency."""

import numpy as np
import scipy

from capacity._validation import check_integer

__all__ = ["fourier_basis"]


def fourier_basis(n: int) -> tuple[np.ndarray, np.ndarray]:
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

    Notes
    -----
    A vector of cosines alone has a phase, and hence no meaning of its own: `capacity.allocation.per_frequency`
    averages the pairs, which makes the result independent of where the window begins.

    Examples
    --------
    >>> vectors, frequencies = fourier_basis(4)
    >>> frequencies
    array([0.  , 0.25, 0.25, 0.5 ])
    """
    n = check_integer(n, "n", minimum=1, maximum=2**14, remedy="take frequencies by an FFT")
    spectrum = scipy.fft.rfft(np.eye(n), axis=0, norm="ortho")  # row k: (cos - i sin)(2 pi k t / n) / sqrt(n)
    rows, frequencies = [], []
    for k, wave in enumerate(spectrum):
        pair = k > 0 and 2 * k < n
        rows += [np.sqrt(2) * wave.real, -np.sqrt(2) * wave.imag] if pair else [wave.real]
        frequencies += [k / n] * (2 if pair else 1)
    return np.stack(rows, axis=1), np.array(frequencies)
