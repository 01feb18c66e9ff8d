"""What does a unit do to its argument? Activations f(z) with their derivatives and their gains eta(z) = f(z)/z.

Piecewise-linear ones (ReLU, leaky, absolute, hard tanh), smooth ones (GELU, tanh, erf, sine, ...) and a pseudo-random
sign.
Paper 2 writes a layer as linear in its inputs with gains that depend on them; the *coupling* of an activation says how
far its gains leave the outputs of a layer functions of the same inputs (Sections 2.2 and 2.3).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
