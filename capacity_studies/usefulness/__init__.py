"""Does capacity predict anything?

Two protocols carried out, `ledger/protocol-usefulness.md` and `ledger/protocol-prediction.md`. The first masks inputs
and chooses architectures (`held_out`). The second fits stacks to small samples (`small_samples`), and compares what
tells their gaps and their ranks (`effects`).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
