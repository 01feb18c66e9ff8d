"""What becomes of capacity over many layers? (Paper 2, Sections 3 and 4.)

The capacity network and the paths through it; random walks, their generator and their diffusion limit; effective
receptive fields of capacity and of gradients; and what depth shatters: path weights, and the correlation of gradients
in theory and in random networks.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
