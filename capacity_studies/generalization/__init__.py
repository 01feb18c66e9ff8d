"""Does a network do as well on new data as on those it learned from, and which number of it says so? (Slides, part 1.)

Growth functions and Vapnik-Chervonenkis dimensions by enumeration; the bounds that follow from them, next to what they
bound, exactly; an example in which uniform convergence fails; the norm-based measures of Neyshabur et al. (2017); and
sharpness, with the rescaling of rectifiers that changes it at will (Dinh et al. 2017).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
