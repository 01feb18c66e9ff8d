"""Which linear models are there beside those of the papers? State-space models, and where their poles begin.

They offer what `LinearModel` asks for, so that fits, constraints and reports take them as they are.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
