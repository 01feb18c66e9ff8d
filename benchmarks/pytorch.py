"""The peer: the same model, loss and capacity as a user of PyTorch would write them, in double precision.

Impulse response by conv1d, torch.optim.LBFGS with strong Wolfe line search, Jacobian by torch.func.jacrev, SVD.
"""

import torch
from torch.nn import functional

from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess

__all__ = ["fit_and_capacity", "loss_and_gradient"]

torch.set_num_threads(1)


def coefficients(weights, dilations, n):
    """Impulse response of the stack, oldest input first: filters of shape (c_out, c_in, taps), newest tap last."""
    signal = torch.zeros(1, 1, n, dtype=torch.float64)
    signal[0, 0, 0] = 1.0
    for weight, dilation in zip(weights, dilations):
        padded = functional.pad(signal, (dilation * (weight.shape[2] - 1), 0))
        signal = functional.conv1d(padded, weight, dilation=dilation)
    return signal[0, 0].flip(0)


def as_weight(filter):
    """A filter of ours as conv1d has it."""
    return filter.flip(1).transpose(1, 2).contiguous()


def loss_and_gradient(model, process):
    """The function that returns the loss and its gradient at a vector of parameters, both as NumPy has them."""
    n = model.n_inputs
    covariance = torch.from_numpy(process.covariance(n))
    target = torch.from_numpy(process.optimal_coefficients(n).copy())
    shapes = [w.shape for w in model.filters(model.initial(0))]

    def evaluate(parameters):
        vector = torch.from_numpy(parameters).requires_grad_()
        parts = vector.split([shape.numel() for shape in map(torch.Size, shapes)])
        weights = [as_weight(part.view(shape)) for part, shape in zip(parts, shapes)]
        error = coefficients(weights, model.dilations, n) - target
        loss = error @ covariance @ error
        loss.backward()
        return loss.item(), vector.grad.numpy()

    return evaluate


def fit_and_capacity(n_layers, channels, max_iterations=3000):
    """Loss, rank and capacity per input, from the random start of the other methods."""
    process, model = GaussianProcess(), DilatedConvolution.hierarchical(n_layers, channels)
    n = model.n_inputs
    covariance = torch.from_numpy(process.covariance(n))
    target = torch.from_numpy(process.optimal_coefficients(n).copy())
    start = model.filters(model.initial(0))
    weights = [as_weight(torch.from_numpy(w)).requires_grad_() for w in start]
    optimizer = torch.optim.LBFGS(
        weights,
        max_iter=max_iterations,
        max_eval=4 * max_iterations,
        history_size=20,
        tolerance_grad=1e-20,
        tolerance_change=0.0,
        line_search_fn="strong_wolfe",
    )

    def closure():
        optimizer.zero_grad()
        error = coefficients(weights, model.dilations, n) - target
        loss = error @ covariance @ error
        loss.backward()
        return loss

    optimizer.step(closure)
    fitted = tuple(weight.detach() for weight in weights)
    error = coefficients(fitted, model.dilations, n) - target
    blocks = torch.func.jacrev(lambda w: coefficients(w, model.dilations, n))(fitted)
    jacobian = torch.cat([block.reshape(n, -1) for block in blocks], dim=1)
    left, values, _ = torch.linalg.svd(covariance @ jacobian, full_matrices=False)
    rank = int((values > values[0] * max(jacobian.shape) * torch.finfo(values.dtype).eps).sum())
    spatial = left[:, :rank].square().sum(dim=1).numpy()
    steps = optimizer.state[weights[0]]["n_iter"]
    return {"loss": float(error @ covariance @ error), "rank": rank, "spatial": spatial, "steps": steps}
