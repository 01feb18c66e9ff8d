"""A number that says how it is known."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from capacity._validation import check_real

__all__ = ["KINDS", "HeldIn", "Quantity", "unavailable"]

KINDS = ("exact", "numerical", "assumed", "unavailable")
"""From the firmest to none: a theorem or a count; a computation with rounding; a named assumption; a named reason."""


@dataclass(frozen=True)
class Quantity:
    """A value, and how it is known.

    Attributes
    ----------
    value : int, float or tuple of int
        None if it is unavailable, and only then.
    kind : {'exact', 'numerical', 'assumed', 'unavailable'}, optional
    note : str, optional
        Which assumption, or why there is no value: then it has to be given. Else what there is to add.
    gap : float, optional
        Of a rank that was found numerically: the smallest singular value kept over the largest one cut, inf where none
        was cut.
    interval : tuple, optional
        Two values, the ends of an interval: of confidence, by resampling the data, or of what draws of weights give.

    Examples
    --------
    >>> print(Quantity(20), Quantity(0.3171, "assumed", "slopes are independent"))
    20 0.317
    """

    value: Any = None
    kind: str = "exact"
    note: str = ""
    gap: float | None = None
    interval: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind: expected one of {', '.join(KINDS)}, got {self.kind!r}; say how it is known")
        if (self.value is None) != (self.kind == "unavailable"):
            found = "none" if self.value is None else repr(self.value)
            raise ValueError(f"value: expected one unless unavailable, got {found} that is {self.kind}; say which")
        if self.value is not None and not np.all(np.isfinite(self.value)):
            raise ValueError(f"value: expected a finite number, got {self.value!r}; call it unavailable, and say why")
        if self.kind in ("assumed", "unavailable") and not self.note:
            raise ValueError(f"note: expected a reason for what is {self.kind}, got none; name the assumption or cause")
        if self.gap is not None and self.kind != "numerical":
            raise ValueError(f"gap: expected one of a numerical value, got one that is {self.kind}; leave it out")
        if self.gap is not None and self.gap != np.inf:
            check_real(self.gap, "gap", minimum=1, remedy="pass the ratio of two singular values")

    def __str__(self) -> str:
        text = _text(self.value)
        return text if self.interval is None else f"{text} ({_text(self.interval[0])} to {_text(self.interval[1])})"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, as JSON has them.

        Returns
        -------
        dict
            ``value`` and ``kind``; ``note``, ``gap`` and ``interval`` where there are any. A gap that is infinite is
            the text "infinite".
        """
        found = {"value": _plain(self.value), "kind": self.kind}
        if self.note:
            found["note"] = self.note
        if self.gap is not None:
            found["gap"] = float(self.gap) if np.isfinite(self.gap) else "infinite"
        if self.interval is not None:
            found["interval"] = [_plain(end) for end in self.interval]
        return found


class HeldIn(str):
    """Name of a number: how many lags, or which box, hold a share of the capacity, by which rule if there are several.

    Examples
    --------
    >>> column = HeldIn("lags", 0.9)
    >>> column, column.by("linear"), column.by("linear").share
    ('lags 90 %', 'linear, lags 90 %', 0.9)
    """

    extent: str
    share: float
    rule: str

    def __new__(cls, extent: str, share: float, rule: str = "") -> "HeldIn":
        """The name itself, with what it is made of."""
        found = super().__new__(cls, f"{rule}, " * bool(rule) + f"{extent} {100 * share:g} %")
        found.extent, found.share, found.rule = extent, share, rule
        return found

    def __getnewargs__(self) -> Any:
        return self.extent, self.share, self.rule

    def by(self, rule: str) -> "HeldIn":
        """The same by a rule."""
        return HeldIn(self.extent, self.share, rule)


def unavailable(reason: str) -> Quantity:
    """Say why there is no value."""
    return Quantity(None, "unavailable", reason)


def _text(value):
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return " x ".join(map(str, value)) or "1"
    return f"{value:d}" if isinstance(value, int | np.integer) else f"{value:.3g}"


def _plain(value):
    if isinstance(value, tuple):
        return list(map(int, value))
    return value.item() if isinstance(value, np.generic) else value
