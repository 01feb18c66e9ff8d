"""The evidence of a claim in a reader's words and digits: "all 9 agree within 10⁻¹⁰ (relative)", "2.31 (at most 4.5)".

Real numbers have three significant digits here, or as many more, up to six, as tell what was measured from what it is
compared with; integers are whole. Rounding errors, which differ between machines, are shown as zero. The numbers as
they were computed are in the claim's `evidence`.
"""

import math

import numpy as np

from capacity_studies.notebook.expectations import ROUNDING, Bound, as_array, fits

__all__ = ["number", "reading"]

DIGITS, MOST_DIGITS = 3, 6
FEW, LISTED = 4, 8  # how many entries are listed beside a bound, and how many at most
TINY = 1e-9  # below is a rounding error, beside any bound; a bound as small as ROUNDING asks for zero
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def reading(measured, expected=None, printed=None, *, atol=0.0, rtol=0.0, met=True):
    """Return what was measured, and what it was compared with, as a short text for people.

    >>> from capacity_studies.notebook.expectations import at_most
    >>> reading([0.5, 1 / 3, 0.25], [0.5, 1 / 3, 0.25], rtol=1e-10)
    'all 3 agree within 10⁻¹⁰ (relative)'
    >>> reading(2.3141, at_most(4.5))
    '2.31 (at most 4.5)'
    >>> reading(0.475157, 0.475157, 0.47515, rtol=1e-10)
    '0.47516, as expected within 10⁻¹⁰ (relative); as stated 0.47515'
    """
    measured = as_array(measured, "measured")
    others = [as_array(value, "printed") for value in (printed,) if value is not None and not isinstance(value, Bound)]
    digits = max([DIGITS, *(_apart(measured, other, atol) for other in others)])
    if expected is None:
        said = _values(measured, digits, atol)
    elif isinstance(expected, Bound) and not fits(expected.shape, measured.shape):
        said = f"{_values(measured, digits)}; expected {' × '.join(map(str, expected.shape))} numbers"
    elif isinstance(expected, Bound):
        said = _bounded(measured, expected, digits)
    elif not met:
        values = as_array(expected, "expected")
        digits = max(digits, _apart(measured, values, atol))
        said = f"{_values(measured, digits, atol)}; expected {_values(values, digits, atol)}{_within(atol, rtol)}"
    elif printed is None and measured.size > 1:
        said = _agreement(measured) + _within(atol, rtol)
    else:
        said = _equal(measured, as_array(expected, "expected"), digits, atol, rtol)
    return said if printed is None else f"{said}; as stated {_described(printed, digits)}"


def number(value, digits=DIGITS):
    """Return a number as a text: integers whole, others with so many significant digits.

    >>> number(64.0), number(0.12345), number(1.23457e-10), number(-6.5e7)
    ('64', '0.123', '1.23 × 10⁻¹⁰', '−6.5 × 10⁷')
    """
    if isinstance(value, complex | np.complexfloating):
        return f"{number(value.real, digits)} + {number(value.imag, digits)} i".replace("+ −", "− ")
    if not isinstance(value, float | np.floating):
        return str(value).replace("-", "−") if not isinstance(value, str) else value
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "not a number")
    if (rounded := float(f"{value:.9g}")).is_integer() and abs(rounded) < 1e6:
        return f"{rounded:.0f}".replace("-0", "0").replace("-", "−")
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if -4 <= power <= 4:
        plain = f"{float(f'{value:.{digits}g}'):.{max(digits - 1 - power, 0)}f}"
        return (plain.rstrip("0").rstrip(".") if "." in plain else plain).replace("-", "−")
    mantissa = mantissa.rstrip("0").rstrip(".").replace("-", "−")
    ten = f"10{str(power).translate(SUPERSCRIPT)}"
    return {"1": ten, "−1": f"−{ten}"}.get(mantissa, f"{mantissa} × {ten}")


def _given(value, digits=DIGITS):
    """Return a number as its source gives it, a computed one rounded."""
    return number(value, MOST_DIGITS if _rounded(value, MOST_DIGITS) == value else digits)


def _as_given(value, digits):
    return value if _rounded(value, MOST_DIGITS) == value else _rounded(value, digits)


def _rounded(value, digits):
    return float(f"{value:.{digits}g}") if isinstance(value, float | np.floating) else value


def _settled(value, atol):
    """Return a number, zero where it is a rounding error that the tolerance cannot tell from zero."""
    real = isinstance(value, float | complex | np.inexact)
    return 0.0 if real and abs(value) <= min(atol, ROUNDING) else value


def _apart(first, second, atol):
    """Return how many digits it takes to tell two arrays from each other, three if six do not."""
    if first.shape != second.shape or "U" in (first.dtype.kind, second.dtype.kind):
        return DIGITS
    for digits in range(DIGITS, MOST_DIGITS + 1):
        texts = [[number(_settled(value, atol), digits) for value in array.ravel()] for array in (first, second)]
        if any(a != b for a, b in zip(*texts)):
            return digits
    return DIGITS


def _values(array, digits=DIGITS, atol=0.0, text=number):
    """Return the entries of an array in one line: all, the one that all are, or their range."""
    if array.dtype.kind == "b":
        return _truths(array)
    if array.ndim == 0:
        return text(_settled(array[()], atol), digits)
    texts = [text(_settled(value, atol), digits) for value in array.ravel()]
    if len(texts) > FEW and len(set(texts)) == 1:
        return f"{texts[0]} ({len(texts)} times)"
    if len(texts) <= LISTED:
        return ", ".join(texts)
    if array.dtype.kind in "iuf":
        ends = [text(_settled(value, atol), digits) for value in (array.min(), array.max())]
        return f"{len(texts)} values from {ends[0]} to {ends[1]}"
    return f"{len(texts)} values"


def _truths(array):
    """Return booleans in words."""
    if array.ndim == 0:
        return "yes" if array else "no"
    if array.all() or not array.any():
        word = "true" if array.all() else "false"
        return f"{_count(array.size)} {word}" if array.size > 1 else {"true": "yes", "false": "no"}[word]
    return ", ".join("yes" if value else "no" for value in array.ravel().tolist())


def _count(size):
    return "both" if size == 2 else f"all {size}"


def _agreement(measured):
    """Say that the entries of an array are as expected; name them where they are words or a few integers."""
    kind, entries = measured.dtype.kind, measured.ravel().tolist()
    if kind == "b" and (all(entries) or not any(entries)):
        return _truths(measured)
    if kind == "U" and set(entries) == {"none"}:
        return "no exceptions"
    head = f"{_count(measured.size)} agree"
    if kind in "iu" and measured.size <= FEW:
        same = len(set(entries)) == 1
        return f"{head}: {', '.join(number(entry) for entry in (entries[:1] if same else entries))}"
    return head


def _equal(measured, expected, digits, atol, rtol):
    """Say what was measured and that it is as expected, naming both where the digits shown tell them apart."""
    value, wanted = (_values(array, digits, atol) for array in (measured, expected))
    if measured.dtype.kind == "b":
        return value
    if measured.dtype.kind == "U" and measured.ndim == 0:
        return "no exceptions" if value == "none" else f"{value}; as expected"
    within = _within(atol, rtol)
    if value == "0" and within:
        return f"0{within}"
    return f"{value}, as expected{within}" if value == wanted else f"{value}; expected {wanted}{within}"


def _within(atol, rtol):
    """Return the tolerance in words, empty without one."""
    sizes = [f"{_given(size)}{kind}" for size, kind in ((atol, ""), (rtol, " (relative)")) if size > 0]
    return f" within {' plus '.join(sizes)}" if sizes else ""


def _bounded(measured, bound, digits):
    """Return the entries of an array, each beside its bound, or the extreme ones where all have the same."""
    low, high = (np.broadcast_to(np.asarray(side, dtype=float), measured.shape).ravel() for side in _sides(bound))
    entries = [_against(*each, digits) for each in zip(measured.ravel(), low, high)]
    texts, words = ([entry[i] for entry in entries] for i in (0, 1))
    if len(set(words)) > 1:
        if len(entries) > LISTED:
            return f"{_count(len(entries))} within their bounds"
        groups = []
        for text, word in zip(texts, words):
            if groups and groups[-1][1] == word:
                groups[-1][0].append(text)
            else:
                groups.append(([text], word))
        return "; ".join(f"{', '.join(group)} ({word})" for group, word in groups)
    if len(entries) == 1:
        return f"{texts[0]} ({words[0]})"
    if len(entries) <= FEW:
        return f"{', '.join(texts)}; expected {words[0]}"
    first, last = (texts[int(find(measured))] for find in (np.argmin, np.argmax))
    if bound.low is None:
        return f"largest of {len(entries)}: {last} ({words[0]})"
    if bound.high is None:
        return f"smallest of {len(entries)}: {first} ({words[0]})"
    return f"{len(entries)} values from {first} to {last} ({words[0]})"


def _sides(bound):
    """Return the lower and the upper end of what a bound allows."""
    return -np.inf if bound.low is None else bound.low, np.inf if bound.high is None else bound.high


def _against(value, low, high, digits):
    """Return a number beside the ends of its interval as a text, and the interval in words.

    Near an end the number has the digits that tell it from there, and both have those that keep it from being shown
    beyond the end. A rounding error is zero, and so is what an end as small as one cannot tell from zero.
    """
    ends = [end for end in (low, high) if np.isfinite(end)]
    tiny = min((abs(end) for end in ends if 0 < abs(end) <= ROUNDING), default=0.0)
    if low <= 0 <= high and isinstance(value, float | np.floating) and abs(value) <= max(TINY, tiny):
        value = 0.0
    digits = max([digits, *(_apart(np.asarray(value), np.asarray(end), 0.0) for end in ends)])
    more = range(digits, MOST_DIGITS + 1)
    for own, others in [*((n, DIGITS) for n in more), *zip(more, more)] if low <= value <= high else ():
        if _as_given(low, others) <= _rounded(value, own) <= _as_given(high, others):
            return number(value, own), _interval(low, high, others)
    return number(value, digits), _interval(low, high)


def _interval(low, high, digits=DIGITS):
    least, most = (_given(end, digits) for end in (low, high))
    if not np.isfinite(high):
        return f"at least {least}" if np.isfinite(low) else "any"
    if not np.isfinite(low):
        return f"at most {most}"
    return f"exactly {least}" if low == high else f"between {least} and {most}"


def _described(printed, digits):
    """Return what the source says as numbers: as given, a bound in words."""
    if not isinstance(printed, Bound):
        return _values(as_array(printed, "printed"), digits, text=_given)
    low, high = np.broadcast_arrays(*(np.asarray(side, dtype=float) for side in _sides(printed)))
    intervals = [_interval(*ends) for ends in zip(low.ravel(), high.ravel())]
    return ", ".join(intervals) if len(intervals) <= LISTED else "other bounds"
