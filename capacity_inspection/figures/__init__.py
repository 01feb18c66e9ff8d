"""Figures of reports, designs and look-backs: functions that take axes and a result, draw, and return the artists.

They compute nothing and save nothing.
"""

import lazy_loader

from capacity._validation import needing

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name):
    """Load what is used first, or say which extra it needs."""
    with needing(name, "figures"):
        return _load(name)
