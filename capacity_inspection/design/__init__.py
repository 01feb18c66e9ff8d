"""Which architecture spends its capacity where it is wanted, for as few parameters as possible?

What is wanted of an allocation; the stacks of dilated convolutions within a budget; the total capacity of each in
closed form and an estimate of its allocation; fits of those that may be the best, and what they really allocate.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
