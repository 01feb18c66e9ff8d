from .pole_placements import ring_poles as ring_poles
from .pole_placements import s4d_inv_poles as s4d_inv_poles
from .pole_placements import s4d_lin_poles as s4d_lin_poles
from .state_space import DiagonalStateSpace as DiagonalStateSpace
