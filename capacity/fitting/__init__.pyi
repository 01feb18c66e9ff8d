from .least_squares import fit as fit
from .objective import Objective as Objective
from .objective import stationarity as stationarity
from .result import Fit as Fit
from .state_spaces import fit_state_space as fit_state_space
from .variable_projection import fit_recurrence as fit_recurrence
