"""Small layers to try the analyses of one layer on."""

from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from scipy import linalg


def random_layer(seed, n=3, m=5, p=2, *, unit=True):
    """A coloured covariance, weights with columns of norm 1, if not unequal ones, and a Jacobian."""
    rng = np.random.default_rng(seed)
    root, projection = rng.standard_normal((n, n)), rng.standard_normal((n, m))
    projection = projection / np.linalg.norm(projection, axis=0) if unit else projection * (1 + np.arange(m))
    return root @ root.T + np.eye(n), projection, rng.standard_normal((m, p))


@st.composite
def layers(draw):
    """A coloured covariance, weights with columns of any norm, and features, some of which follow from others."""
    n, m = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    rank, more = draw(st.integers(1, m)), draw(st.integers(0, 2))
    covariance, projection, jacobian = random_layer(draw(st.integers(0, 2**16)), max(n, min(m, 2)), m, rank, unit=False)
    return covariance, projection, np.column_stack([jacobian, *[jacobian.sum(axis=1)] * more])


def dense_capacity(augmented, projection, jacobian):
    """Capacity of each input in each copy, and in total: diagonal of the projection on the constraint space."""
    n, m = projection.shape
    block = np.zeros((n * m, m))
    for j in range(m):
        block[j * n : (j + 1) * n, j] = projection[:, j]
    basis = linalg.orth(augmented @ block @ jacobian, rcond=1e-9)
    return np.array([[np.sum(basis[j * n + i] ** 2) for j in range(m)] for i in range(n)]), basis.shape[1]


def symmetric_root(matrix):
    """The root that is symmetric itself."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(values) @ vectors.T


def mixed_covariance(covariance, outputs, nu):
    """The covariance in the diagonal blocks, and nu times it in all others."""
    return np.block([[covariance * (1 if j == k else nu) for k in range(outputs)] for j in range(outputs)])


def rectified_covariance(covariance, projection, slope):
    """E[eta_j eta_k y y^T] over E[eta^2]: gains depend on the angle of (z_j, z_k) only, which is integrated over."""
    n, m = projection.shape
    nodes, weights = np.polynomial.legendre.leggauss(30)
    result = np.zeros((m, n, m, n))
    for j in range(m):
        for k in range(m):
            pair = projection[:, [j, k]] if j != k else projection[:, [j]]
            root = np.linalg.cholesky(pair.T @ covariance @ pair)  # z = root @ u, of independent normal u
            by = covariance @ pair @ np.linalg.inv(root).T  # E[y u^T]
            rest = covariance - by @ by.T
            if j == k:
                by, root = np.column_stack([by, np.zeros(n)]), np.array([[root[0, 0], 0], [root[0, 0], 0]])
            turns = np.sort(np.concatenate([np.arctan2(-root[:, 0], root[:, 1]) + s * np.pi for s in range(-2, 3)]))
            edges = np.concatenate([[-np.pi], turns[(turns > -np.pi) & (turns < np.pi)], [np.pi]])
            for low, high in pairwise(edges):
                for angle, weight in zip(low + (high - low) * (nodes + 1) / 2, weights * (high - low) / 2):
                    u = np.array([np.cos(angle), np.sin(angle)])
                    gain = np.prod(np.where(root @ u > 0, 1.0, slope)) * weight / (2 * np.pi)
                    result[j, :, k] += gain * (rest + 2 * np.outer(by @ u, by @ u))  # E[r^2] = 2
    return result.reshape(n * m, n * m) / ((1 + slope**2) / 2)
