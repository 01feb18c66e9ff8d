"""How far apart are the functions that two parameters stand for? (Daroczy's slides, part 2; Amari; Liang et al.)

Fisher information of networks, true, sampled and empirical, and of probabilities on the simplex, where splittings of
outcomes keep its distances; natural gradients, Kronecker factors of the layers' blocks (K-FAC), the Fisher-Rao norm and
the Fisher kernel. The tangent kernel gives ranks and spectra at a cost that grows with the samples, not with the
parameters; tangent sensitivity says how derivatives by the parameters change with the input.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
