"""What a trained network is made of, and what there is to know about it: graphs, files and modules, reports.

Nothing else in the package needs it, but the command and the names `summary` and `Report` of the package itself.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
