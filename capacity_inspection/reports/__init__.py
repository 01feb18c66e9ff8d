"""What is there to know about one network? A report with a row per layer, whose every number says how it is known.

Exact, numerical (with the gap), under an assumption (which), or unavailable (why). For linear models all of paper 1 on
the network's own process or data, for other networks what paper 2 hands down from one output to the inputs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
