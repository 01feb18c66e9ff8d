from .least_squares import Fit as Fit
from .least_squares import fit as fit
from .least_squares import loss_and_gradient as loss_and_gradient
from .least_squares import stationarity as stationarity
from .variable_projection import fit_recurrence as fit_recurrence
