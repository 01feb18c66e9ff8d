"""How much can a network tell apart?

Linear regions of piecewise-linear networks, exactly.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
