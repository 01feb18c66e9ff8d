"""Which parameters predict best? Least squares over a model's coefficients, by three methods.

Gauss-Newton steps in the space of coefficients, L-BFGS-B as in the paper, and variable projection for recurrences.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
