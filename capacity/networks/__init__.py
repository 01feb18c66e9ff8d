"""Non-linear networks: their outputs and the derivatives of these, by inputs and by parameters.

`forward_pass`, `backward_pass` and `tangent_pass` serve dense, convolutional and residual layers with one layout of
weights, outputs first; weights are arrays, so that many networks can be computed at once. `DenseNetwork` has all its
parameters in one vector.
"""

import lazy_loader

from capacity._moved import with_former

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_former(__name__, _load)
