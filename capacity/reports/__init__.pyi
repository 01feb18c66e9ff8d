from .holding import holding_lags as holding_lags
from .linear import linear_report as linear_report
from .quantity import Quantity as Quantity
from .report import LayerRow as LayerRow
from .report import Report as Report
from .summaries import summary as summary
