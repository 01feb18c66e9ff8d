"""How the chapters become the published edition: claims, execution, figures, publishing, verification, metadata."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
