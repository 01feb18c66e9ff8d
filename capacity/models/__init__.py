"""How do parameters W become the coefficients A of a model that is linear in its inputs?

`LinearModel` says what a model offers. There are regressions, hierarchical and other dilated convolutions, diagonal
recurrences, models made of a function, and views of a model with some layers frozen or its parameters regrouped; and
parameters of a hierarchical model near given coefficients, by tensor trains.
"""

import lazy_loader

from capacity._moved import with_former

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = with_former(__name__, _load)
