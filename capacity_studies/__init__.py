"""What the pages of the book compute beyond the package, their figures, and what their notebooks call.

A notebook takes `check`, its bounds, `live`, `slider` and `budget` from here.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
