"""Which parameters predict best? Least squares over a model's coefficients.

Damped Gauss-Newton steps (Levenberg-Marquardt) in the space of coefficients, L-BFGS-B as in the paper, and variable
projection for models with poles; how far any parameters are from an optimum.
"""

import lazy_loader

from capacity._moved import with_former

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_former(__name__, _load)
