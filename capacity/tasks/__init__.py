"""What is predicted, and from what? Every task gives the covariance of its inputs and the best coefficients.

`PredictionTask` says what a task offers. There are stationary Gaussian processes by their autocovariance, several of
them side by side, features of their samples, tables and series of data, and tasks whose solution is prescribed.
"""

import lazy_loader

from capacity._moved import with_former

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_former(__name__, _load)
