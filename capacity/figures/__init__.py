"""How do allocations, spectra, losses and stacks of layers look? Strokes that take axes and a result, and the style.

They draw and return the artists, compute nothing and save nothing. The figures of the book are made of these and of
their own, which `capacity_studies.figures` has. This room is the only one that imports matplotlib.
"""

import lazy_loader

from capacity._moved import with_former
from capacity._validation import needing

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def _needing(name):
    with needing(name, "figures"):
        return _load(name)


__getattr__ = with_former(__name__, _needing)
