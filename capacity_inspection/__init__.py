"""Where does a network of one's own spend its capacity? Graphs, readers of files and modules, reports, design.

It stands on `capacity`, which knows nothing of it. The command ``capacity`` is made of it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
