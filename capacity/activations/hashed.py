"""The pseudo-random activation: a sign for each argument, from a hash of its bits (paper 2, eq. 19)."""

import numpy as np

from capacity._validation import check_integer
from capacity.activations.activation import Activation

__all__ = ["pseudo_random"]


def pseudo_random(seed: int = 0) -> Activation:
    """f(z) = +-z with a sign that is a hash of the 64 bits of z: the same z always gets the same sign (eq. 19).

    The sign is the top bit of splitmix64's finaliser (Steele, Lea and Flood 2014), so two neighbouring floating-point
    numbers get unrelated signs.

    Parameters
    ----------
    seed : int, optional
        Chooses the hash.

    Returns
    -------
    Activation

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> abs(pseudo_random()([-2.0, 3.0])), coupling(pseudo_random())
    (array([2., 3.]), 0.0)
    """
    key = np.uint64(0x9E3779B97F4A7C15 * (1 + check_integer(seed, "seed", minimum=0)) % 2**64)

    def gain(z):
        bits = np.ascontiguousarray(z, dtype=float).view(np.uint64) + key
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        signs = 1.0 - 2.0 * ((bits ^ (bits >> np.uint64(31))) >> np.uint64(63))
        return signs.reshape(np.shape(z))

    def derivative(z):
        raise ValueError("activation: a pseudo-random activation is nowhere continuous and has no derivative")

    return Activation("pseudo-random", lambda z: gain(z) * z, derivative, gain, None, lambda scale: 0.0, False)
