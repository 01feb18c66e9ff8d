"""Capacity allocation analysis of linear models and neural network layers, after Jonathan Donier (2019).

The names below are what most analyses need; the rooms, one subpackage per subject, have the rest. Both are loaded when
they are first used, as the rooms of SciPy are, which take half a second together. What stands in ``__all__`` here and
in the rooms is public; all other modules are not.

Arguments are checked where they come in. A TypeError says that one is of another kind than described; a ValueError
that it is out of range, empty or not finite, lacks a property that is asked for, does not fit the others, is not
covered by the function, or leads to numbers beyond the range of a double or to arrays beyond a usual memory. The
message names the argument, what was expected, what came, and a remedy. Docstrings have a section Raises only for what
this does not say.
"""

import lazy_loader

from capacity._moved import found_elsewhere, with_former

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_former(__name__, _load)
found_elsewhere()
