from .linear import linear_report as linear_report
from .networks import network_report as network_report
from .quantity import Quantity as Quantity
from .report import LayerRow as LayerRow
from .report import Report as Report
from .shares import layer_shares_report as layer_shares_report
from .summaries import read_network as read_network
from .summaries import summary as summary
