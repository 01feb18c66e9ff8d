"""One matrix under several names: capacity, leverage, effective dimension, and the rank of the Fisher information.

What Donier's papers call capacity, next to what regression diagnostics, smoothing, information geometry and the theory
of tangent kernels compute from the same derivatives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
