"""Living budgets: a figure of a small network and of what it spends on each input, whose weights a reader drags.

On paper and without scripts it is an ordinary figure, of the weights that it starts with. Its script computes what
other weights would spend; the tests in a browser compare that with the package.
"""

import numpy as np

from capacity_studies.notebook.live import show

__all__ = ["budget"]


def budget(figure, *, dilations, weights, capacities, generic, states=None):
    """Display a figure of a stack of dilated convolutions whose weights a reader can drag.

    Parameters
    ----------
    figure : Figure
        What is shown at rest and on paper; it is closed once it is captured.
    dilations : sequence of int
        Of the layers, the first one first.
    weights : sequence of array_like, shape (outputs, taps, inputs)
        At rest, between -1 and 1; tap t reads its input t dilations back. One input, and one output at the top.
    capacities : array_like, shape (n,)
        What is spent on each input at these weights, the oldest first.
    generic : int
        The total at almost all weights.
    states : dict, optional
        Other weights, by the name that words of the text have for them (role ``moves``).

    Raises
    ------
    ValueError
        If shapes do not fit together, a weight is outside of its range, or the total at rest is another one.
    """
    dilations = [int(d) for d in dilations]
    states = {name: [np.asarray(layer, dtype=float) for layer in found] for name, found in (states or {}).items()}
    weights = [np.asarray(layer, dtype=float) for layer in weights]
    shapes = [layer.shape for layer in weights]
    widths = [1, *(layer.shape[0] for layer in weights)]
    fitting = all(layer.ndim == 3 and layer.shape[2] == width for layer, width in zip(weights, widths))
    if not fitting or widths[-1] != 1 or len(weights) != len(dilations):
        raise ValueError(
            "weights: expected shapes (outputs, taps, inputs) that follow each other from one channel to one, a layer "
            f"for each of {len(dilations)} dilations, got {shapes}; pass all filters"
        )
    if odd := sorted(name for name, found in states.items() if [layer.shape for layer in found] != shapes):
        raise ValueError(
            f"states: expected the shapes of weights, {shapes}, got others of {', '.join(odd)}; pass filters"
        )
    if max(np.abs(layer).max() for found in (weights, *states.values()) for layer in found) > 1:
        raise ValueError("weights: expected at most 1 in size, got more; divide each layer by its largest")
    n = 1 + sum((layer.shape[1] - 1) * d for layer, d in zip(weights, dilations))
    capacities = np.asarray(capacities, dtype=float)
    if capacities.shape != (n,) or not np.isclose(capacities.sum(), generic):
        raise ValueError(
            f"capacities: expected {n} that sum to {generic}, got {capacities.size} with the sum "
            f"{capacities.sum():g}; pass those at the weights"
        )
    network = {"scene": "budget", "dilations": dilations, "weights": [layer.tolist() for layer in weights]}
    network |= {"capacities": capacities.tolist(), "generic": int(generic)}
    network["states"] = {name: [layer.tolist() for layer in found] for name, found in states.items()}
    spent = " ".join(f"{capacity:.7g}" for capacity in capacities)
    show(figure, network, f"budget: {generic} of {n}; at rest {spent}")
