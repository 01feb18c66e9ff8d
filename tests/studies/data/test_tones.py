import numpy as np
import pytest

from capacity_studies.data import tone_spectrogram

RATE = 8000


def measured_power(frequency, begin, end, bin_frequency, time, bins_per_octave=36):
    """Of a sampled cosine, through the window of one bin, both quadratures."""
    length = 1 / (2 ** (1 / bins_per_octave) - 1) / bin_frequency
    t = time + (np.arange(round(length * RATE)) + 0.5) / RATE - length / 2
    window = 1 + np.cos(2 * np.pi * (t - time) / length)
    sounding = (t >= begin) & (t < end)
    return np.abs(np.mean(window * sounding * np.exp(2j * np.pi * (frequency - bin_frequency) * t))) ** 2


def scaled(powers, noise):
    """As levels, of powers that silence and the loudest frame are among."""
    level = np.log10(noise + powers)
    return (level - level.min()) / np.ptp(level)


def test_a_sinusoid_has_the_powers_that_sampled_windows_measure():
    bins = 100 * 2 ** (np.arange(48) / 24)
    found = np.array([measured_power(301.0, 0.0, 9.0, f, 4.0, 24) * bins[0] / f for f in bins])
    options = {"lowest": 100.0, "bins": 48, "bins_per_octave": 24, "partials": 1, "noise": 1e-4}
    levels = tone_spectrogram([[301.0, 0.0, 9.0]], frames=2, frame_rate=0.25, **options)
    assert np.allclose(levels[1], scaled(found, 1e-4), atol=1e-3)
    assert levels[1].argmax() == np.abs(bins - 301).argmin()


def test_a_note_comes_and_goes_as_its_window_fills_and_empties():
    options = {"lowest": 220.0, "bins": 1, "partials": 1, "noise": 1e-6, "frames": 60, "frame_rate": 100.0}
    levels = tone_spectrogram([[220.0, 0.2, 0.4]], **options)[:, 0]
    found = np.array([measured_power(220.0, 0.2, 0.4, 220.0, k / 100) for k in range(60)])
    assert np.allclose(levels, scaled(found, 1e-6), atol=2e-3)
    assert levels.argmax() == 30


def test_partials_stand_at_the_harmonics_and_fall_as_their_order():
    levels = tone_spectrogram([[55.0, 0.0, 60.0]], frames=31, frame_rate=1.0)[30]
    octaves = levels[[36, 72, 108, 144]]  # partials 1, 2, 4, 8
    assert np.allclose(np.diff(octaves), np.diff(octaves)[0], rtol=0.02)
    decibels = np.log10((1 / 4) * (1 / 2))  # half the amplitude, half the length of the window
    range_of = (np.diff(octaves)[0]) / decibels
    fifth = levels[36 + 57] - levels[36]  # the third partial stands 0.06 bins away from bin 57
    assert fifth / range_of == pytest.approx(np.log10(1 / 9 / 3), abs=0.02)
    assert levels[36] == levels.max() == 1.0


def test_notes_add_their_powers():
    notes = [[220.0, 0.0, 1.0], [330.0, 0.5, 1.5]]
    together, alone = tone_spectrogram(notes), [tone_spectrogram([note]) for note in notes]
    assert (together.argmax(axis=1)[[20, 120]] == [alone[0][20].argmax(), alone[1][120].argmax()]).all()
    assert (together.min(), together.max()) == (0, 1)
