"""Figures of the book: functions that take axes and a result, draw, and return the artists.

They compute nothing and save nothing; this room is the only one that imports matplotlib.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
