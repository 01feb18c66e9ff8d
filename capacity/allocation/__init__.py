"""How is the capacity of a trained linear model allocated? Its constraint space, and the share of each subspace.

Shares per input, per frequency, per layer and per subspace, conditional ones too; whether they add up; which layers
are redundant; and the total, as an exact rank or in closed form.
(Paper 1.)
"""

import lazy_loader

from capacity._moved import with_former

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_former(__name__, _load)
