from .base import LinearModel as LinearModel
from .convolutions import DilatedConvolution as DilatedConvolution
from .from_function import FunctionModel as FunctionModel
from .fully_connected import FullyConnected as FullyConnected
from .recurrences import DiagonalRecurrence as DiagonalRecurrence
from .recurrences import scaled_exponentials as scaled_exponentials
from .tensor_trains import (
    tensor_train_parameters as tensor_train_parameters,
)
from .tensor_trains import (
    unfolding_singular_values as unfolding_singular_values,
)
from .views import FrozenLayers as FrozenLayers
from .views import RegroupedLayers as RegroupedLayers
