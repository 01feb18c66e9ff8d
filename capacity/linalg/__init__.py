"""Exact and stable linear algebra: subspaces, Toeplitz systems, the Fourier basis, and ranks that no rounding changes.

A capacity is a rank, so each cut between what counts and what is noise matters. Bases come with their singular values,
integers are eliminated over a prime field, and a spectrum below machine precision is certified in ball arithmetic.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
