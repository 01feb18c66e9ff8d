from .budget import budget as budget
from .check import ClaimError as ClaimError
from .check import check as check
from .expectations import at_least as at_least
from .expectations import at_most as at_most
from .expectations import between as between
from .live import live as live
from .slider import slider as slider
