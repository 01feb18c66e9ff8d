"""The peer: derivatives of a network by its parameters as a user of PyTorch would write them, in double precision.

Per-sample Jacobians by ``vmap(jacrev(...))``; products with the true Fisher information of a softmax by ``jvp``, the
Fisher information of the outputs, and ``vjp``.
"""

import torch
from torch.func import jacrev, jvp, vjp, vmap

__all__ = ["Derivatives"]

torch.set_num_threads(1)


class Derivatives:
    """A network of rectifiers without biases, with the samples at which it is differentiated."""

    def __init__(self, layers, inputs):
        self.weights = tuple(torch.tensor(layer.weights, dtype=torch.float64) for layer in layers)
        self.inputs = torch.tensor(inputs, dtype=torch.float64)

    def jacobian(self):
        """Array of shape (samples * outputs, parameters), in the order of `capacity.networks.parameter_jacobian`."""
        blocks = vmap(jacrev(_outputs), in_dims=(None, 0))(self.weights, self.inputs)
        return torch.cat([block.flatten(2) for block in blocks], dim=2).flatten(0, 1).numpy()

    def fisher_vector_product(self, vector):
        """Product of the mean Fisher information with a vector."""
        vector, parts, start = torch.from_numpy(vector), [], 0
        for weight in self.weights:
            parts.append(vector[start : start + weight.numel()].view_as(weight))
            start += weight.numel()
        outputs, velocities = jvp(lambda *w: _outputs(w, self.inputs), self.weights, tuple(parts))
        p = outputs.softmax(dim=-1)
        along = p * velocities
        along = (along - p * along.sum(dim=-1, keepdim=True)) / len(self.inputs)
        _, pull = vjp(lambda *w: _outputs(w, self.inputs), *self.weights)
        return torch.cat([part.flatten() for part in pull(along)]).numpy()


def _outputs(weights, x):
    for i, weight in enumerate(weights):
        x = (x.relu() if i else x) @ weight.T
    return x
