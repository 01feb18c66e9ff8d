from .design import plot_design as plot_design
from .look_back_curves import plot_look_back as plot_look_back
from .look_back_curves import plot_steps_back as plot_steps_back
from .reports import plot_input_map as plot_input_map
from .reports import plot_report as plot_report
