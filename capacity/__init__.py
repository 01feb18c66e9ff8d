"""Capacity allocation analysis of linear models and neural network layers, after Jonathan Donier (2019).

The names below are what most analyses need; the rooms, one subpackage per subject, have the rest. Both are loaded when
they are first used. What stands in ``__all__`` here and in the rooms is public; all other modules are not.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
