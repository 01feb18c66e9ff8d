"""Small layers to try the analyses of one layer on."""

import numpy as np

HALF = np.sqrt(0.5)
CORNER = np.array([[1, 0, HALF], [0, 1, HALF]])  # weights of two inputs and three outputs, the third in between


def random_layer(seed, n=3, m=5, p=2, *, unit=True):
    """A coloured covariance, weights with columns of norm 1, if not unequal ones, and a Jacobian."""
    rng = np.random.default_rng(seed)
    root, projection = rng.standard_normal((n, n)), rng.standard_normal((n, m))
    projection = projection / np.linalg.norm(projection, axis=0) if unit else projection * (1 + np.arange(m))
    return root @ root.T + np.eye(n), projection, rng.standard_normal((m, p))
