"""Non-linear networks: their outputs and the derivatives of these, by inputs and by parameters.

There are dense networks and stacks of convolutions; weights are arrays, so that many networks can be computed at once.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
