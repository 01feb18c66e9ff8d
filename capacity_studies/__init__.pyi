from .notebook.budget import budget as budget
from .notebook.check import ClaimError as ClaimError
from .notebook.check import check as check
from .notebook.expectations import at_least as at_least
from .notebook.expectations import at_most as at_most
from .notebook.expectations import between as between
from .notebook.live import live as live
from .notebook.slider import slider as slider
