"""How many different things can a network do, and how does that grow with its depth? (Raghu et al., survey.)

The length of a curve's image in every layer and the laws of its growth; transitions, activation patterns and
dichotomies, counted, and exactly where the activation is piecewise linear; the linear regions of a network, exactly, in
a plane and on a line, with the effective parameters that a network has there; and the mean field of wide random
networks.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
