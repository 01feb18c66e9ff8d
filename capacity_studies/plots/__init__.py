"""Strokes of the companions and the pages beyond; what `capacity.figures` draws is at hand here, too.

A module is loaded when what it draws is first used: a chapter imports seaborn and pandas only if it draws with them.
"""

import lazy_loader

from capacity import figures

_load, _, _own = lazy_loader.attach_stub(__name__, __file__)
__all__ = [*figures.__all__, *_own]


def __getattr__(name):
    """Load what is used first."""
    return getattr(figures, name) if name in figures.__all__ else _load(name)


def __dir__():
    """Return the names of both."""
    return __all__
