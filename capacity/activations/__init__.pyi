from .base import Activation as Activation
from .gain_coupling import coupling as coupling
from .gain_coupling import sampled_coupling as sampled_coupling
from .hashed import pseudo_random as pseudo_random
from .piecewise_linear import absolute as absolute
from .piecewise_linear import leaky as leaky
from .piecewise_linear import linear as linear
from .piecewise_linear import relu as relu
from .smooth import (
    cosine_gain as cosine_gain,
)
from .smooth import (
    erf as erf,
)
from .smooth import (
    gelu as gelu,
)
from .smooth import (
    sigmoid as sigmoid,
)
from .smooth import (
    sine as sine,
)
from .smooth import (
    softplus as softplus,
)
from .smooth import (
    tanh as tanh,
)
