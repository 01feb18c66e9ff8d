"""How the chapters become the published edition: claims, execution, staging, Sphinx extensions."""

from edition.claims import ClaimError, claim
from edition.comparison import at_least, at_most, between

__all__ = ["ClaimError", "at_least", "at_most", "between", "claim"]
