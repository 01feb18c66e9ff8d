from .least_squares import fit as fit
from .least_squares import fit_many as fit_many
from .objective import Objective as Objective
from .objective import stationarity as stationarity
from .result import Fit as Fit
