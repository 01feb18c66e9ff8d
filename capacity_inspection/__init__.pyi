from . import graphs as graphs
from . import readers as readers
from . import reports as reports
