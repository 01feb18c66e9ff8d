from . import design as design
from . import figures as figures
from . import graphs as graphs
from . import look_backs as look_backs
from . import readers as readers
from . import reports as reports
from .reports import Report as Report
from .reports import summary as summary
