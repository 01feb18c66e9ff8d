"""What is the network? Files, architectures in words and modules of other libraries become a graph or a linear model.

Nothing here runs code that a file brings. What is read is checked before it is loaded: a file that is cut short,
contradicts itself or asks for more memory than it is allowed is refused in one line.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
