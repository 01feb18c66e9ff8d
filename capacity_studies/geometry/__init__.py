"""Distances between distributions, natural gradients, and how sensitive a tangent space is."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
