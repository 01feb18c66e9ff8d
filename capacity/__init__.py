"""Capacity allocation analysis of linear models and neural network layers, after Jonathan Donier (2019).

The names below are what most analyses need; everything else is imported from its module.
"""

from importlib.metadata import version

from capacity.allocation import ConstraintSpace, constraint_space, expected_squared_error, model_constraints
from capacity.conditional import conditional_capacity, independent_shares, layer_chain, marginal_shares
from capacity.convolutions import DilatedConvolution
from capacity.finite_field import exact_capacity
from capacity.fitting import Fit, fit
from capacity.functions import FunctionModel
from capacity.models import FullyConnected
from capacity.processes import GaussianProcess, standard_process
from capacity.samples import Samples
from capacity.subspaces import Basis, orthonormal_basis, principal_angles
from capacity.tensor_trains import tensor_train_allocation, tensor_train_capacity

__version__ = version("capacity-allocation")

__all__ = [
    "Basis",
    "ConstraintSpace",
    "DilatedConvolution",
    "Fit",
    "FullyConnected",
    "FunctionModel",
    "GaussianProcess",
    "Samples",
    "conditional_capacity",
    "constraint_space",
    "exact_capacity",
    "expected_squared_error",
    "fit",
    "independent_shares",
    "layer_chain",
    "marginal_shares",
    "model_constraints",
    "orthonormal_basis",
    "principal_angles",
    "standard_process",
    "tensor_train_allocation",
    "tensor_train_capacity",
]
