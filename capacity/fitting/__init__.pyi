from .least_squares import fit as fit
from .objective import Objective as Objective
from .objective import stationarity as stationarity
from .result import Fit as Fit
