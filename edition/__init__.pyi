from .claims.check import ClaimError as ClaimError
from .claims.check import check as check
from .claims.expectations import at_least as at_least
from .claims.expectations import at_most as at_most
from .claims.expectations import between as between
from .figures.budget import budget as budget
from .figures.live import live as live
from .figures.slider import slider as slider
