"""Capacity by token of a network with attention whose weights of attention and normalisation are held.

This book, "Attention". The book carries a matrix over pairs of tokens from layer to layer. Here networks are drawn and
their held coefficients written out, one large matrix per layer; and the formula is summed over all paths, by subsets of
layers: paths through the same layers add as amplitudes, those through different layers in their squares.
"""

from itertools import product

import numpy as np


def held_squares(tokens, width, layers, scale, sharpness, rng):
    """Squared held coefficients of the last token by input token, and what was held: a matrix for each layer.

    One head, causal, normalised before each layer, inputs standard normal.
    """
    stream = rng.standard_normal((tokens, width))
    total, held = np.eye(tokens * width), []
    centring = np.eye(width) - 1 / width
    for _ in range(layers):
        queries, keys, values = rng.standard_normal((3, width, width)) / np.sqrt(width)
        inverse = 1 / stream.std(axis=1)
        normalised = (stream - stream.mean(axis=1, keepdims=True)) * inverse[:, None]
        attention = np.zeros((tokens, tokens))
        for t in range(tokens):
            powers = np.exp(sharpness * normalised[: t + 1] @ keys @ queries.T @ normalised[t] / np.sqrt(width))
            attention[t, : t + 1] = powers / powers.sum()
        links = attention * inverse
        stream = stream + scale * attention @ normalised @ values
        total = total + scale * np.kron(links, values.T @ centring) @ total
        held.append(links)
    last = total[-width:].reshape(width, tokens, width)
    return np.sum(last**2, axis=(0, 2)), held


def by_paths(held, scale, heads=1):
    """Shares of the last token's capacity, from all choices of layers to pass through a head, or to pass by."""
    tokens = held[0].shape[-1]
    shares = np.zeros(tokens)
    for chosen in product(range(heads + 1), repeat=len(held)):  # 0 passes by, h is the h-th head
        row = np.eye(tokens)[-1]
        for head, links in zip(chosen[::-1], held[::-1]):
            if head:
                row = scale * row @ np.reshape(links, (heads, tokens, tokens))[head - 1]
        shares += row**2
    return shares / shares.sum()


if __name__ == "__main__":
    drawn = [held_squares(8, 32, 2, 1.0, 1.0, np.random.default_rng(seed)) for seed in range(40)]
    print(np.mean([squares / squares.sum() for squares, _ in drawn], axis=0).round(3))
    print(np.mean([by_paths(held, np.sqrt(1 - 1 / 32)) for _, held in drawn], axis=0).round(3))
