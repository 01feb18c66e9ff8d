"""Figures of the book: functions that take axes and a result, draw, and return the artists.

They compute nothing and save nothing; this room is the only one that imports matplotlib.
"""

import lazy_loader

from capacity._moved import with_former
from capacity._validation import needing

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def _needing(name):
    with needing(name, "figures"):
        return _load(name)


__getattr__ = with_former(__name__, _needing)
