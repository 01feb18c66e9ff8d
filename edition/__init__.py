"""How the chapters become the published edition: claims, execution, figures, publishing, verification, metadata."""

from edition.claims.claim import ClaimError, claim
from edition.claims.expectations import at_least, at_most, between
from edition.figures.slider import slider

__all__ = ["ClaimError", "at_least", "at_most", "between", "claim", "slider"]
