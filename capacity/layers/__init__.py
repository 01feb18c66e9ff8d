"""How does one non-linear layer pass the capacity of its outputs on to its inputs? (Paper 2, Section 2.)

In the *augmented* input space each output has its own copy of the inputs. Its covariance; the capacities in closed form
at any coupling, from the linear to the pseudo-random end; weights and transition matrices of dense, convolutional and
residual layers; differential layers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
