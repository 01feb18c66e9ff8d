r"""Constant-Q spectrograms of tones with harmonics, in closed form: what a pitch tracker gets to see.

Bin k of a constant-Q transform has the frequency :math:`f_k = f_0\,2^{k/b}` and looks at Q periods of it through a Hann
window of :math:`T_k = Q/f_k` seconds, with :math:`Q = 1/(2^{1/b} - 1)` so that neighbouring bins are told apart
(Brown 1991). A sinusoid of frequency f has the response
:math:`\mathrm{sinc}(\delta)/(1 - \delta^2)` there, :math:`\delta = (f - f_k)\,T_k`, times the part of the window in
which it sounds.
"""

import numpy as np

__all__ = ["tone_spectrogram"]


def tone_spectrogram(
    notes,
    *,
    frames=172,
    bins=309,
    bins_per_octave=36,
    lowest=27.5,
    frame_rate=22050 / 256,
    partials=12,
    noise=1e-7,
):
    """Levels of a constant-Q transform of notes, scaled to [0, 1].

    Parameters
    ----------
    notes : array_like, shape (notes, 3)
        Frequency in hertz, begin and end in seconds. A note has the partials f, 2f, 3f, ... of amplitudes 1, 1/2, 1/3,
        ...
    frames : int, optional
        Number of points in time; the first is at 0 s.
    bins, bins_per_octave : int, optional
        Number of frequencies, and how many make an octave.
    lowest : float, optional
        Frequency of the first bin, in hertz.
    frame_rate : float, optional
        Frames per second. The defaults are those of Basic Pitch (Bittner et al. 2022).
    partials : int, optional
        Partials of a note.
    noise : float, optional
        Power of white noise, relative to that of a sinusoid of amplitude 1.

    Returns
    -------
    ndarray, shape (frames, bins)
        10 log10 of the power, shifted and scaled such that the smallest is 0 and the largest 1.

    Notes
    -----
    Phases are taken as random: powers of partials add up. Powers are multiplied by the length of the window, relative
    to the first bin's, as librosa does.

    Examples
    --------
    >>> levels = tone_spectrogram([[440.0, 0.5, 1.5]])
    >>> levels.shape, int(levels[86].argmax())  # four octaves above 27.5 Hz
    ((172, 309), 144)
    """
    orders = np.arange(1, 1 + partials)
    frequencies = lowest * 2.0 ** (np.arange(bins) / bins_per_octave)
    lengths = 1 / (2 ** (1 / bins_per_octave) - 1) / frequencies
    times = np.arange(frames)[:, None] / frame_rate
    power = np.full((frames, bins), float(noise))
    for frequency, begin, end in notes:
        offsets = (orders[:, None] * frequency - frequencies) * lengths
        heard = np.sum((_hann_response(offsets) / orders[:, None]) ** 2, axis=0) * lengths / lengths[0]
        sounding = _hann_integral((end - times) / lengths) - _hann_integral((begin - times) / lengths)
        power += heard * sounding**2
    level = np.log10(power)
    return (level - level.min()) / max(np.ptp(level), np.finfo(float).tiny)


def _hann_response(offsets):
    """Transform of a Hann window of unit length and unit integral at a frequency, in cycles per window."""
    near = np.abs(np.abs(offsets) - 1) < 1e-9
    return np.where(near, 0.5, np.abs(np.sinc(offsets) / (1 - np.where(near, 0, offsets) ** 2)))


def _hann_integral(u):
    """Integral of that window, centred at 0, up to u."""
    u = np.clip(u, -0.5, 0.5)
    return 0.5 + u + np.sin(2 * np.pi * u) / (2 * np.pi)
