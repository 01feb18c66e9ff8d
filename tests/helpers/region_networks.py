"""Piecewise-linear networks whose regions are known, or can be counted in another way."""

import numpy as np

from capacity.activations import absolute, hard_tanh, leaky, relu
from capacity.networks import DenseNetwork, Layer

ACTIVATIONS = {f.name: f for f in (relu(), leaky(0.2), absolute(), hard_tanh())}


def random_layers(sizes, activation, seed=0, *, bias=True):
    """A random dense network as layers."""
    network = DenseNetwork(sizes, activation, bias)
    return network.with_parameters(network.initial(seed))


def lines(normals, offsets, activation=None):
    """One layer whose units vanish on lines, and the sum of their activities."""
    normals = np.asarray(normals, dtype=float)
    return [Layer(normals, offsets), Layer(np.ones((1, len(normals))), activation=activation or relu())]


def tangents(k, seed=0):
    """k lines that touch circles of radii below 1: all of their intersections are within a box of half-width 1000."""
    rng = np.random.default_rng(seed)
    angles = np.pi * (np.arange(k) + 0.5 * rng.random(k)) / k
    return lines(np.stack([np.cos(angles), np.sin(angles)], axis=1), rng.uniform(-1, 1, k))


def grid(n, half_width=1.0):
    """Points at the centres of n by n pixels of a square."""
    x = half_width * ((2 * np.arange(n) + 1) / n - 1)
    return np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1).reshape(-1, 2)
