"""Fitted points of the scaling chapter: what a sweep computes at one combination of size, channels and seed."""

from capacity.allocation.constraints import model_constraints
from capacity.allocation.generic_rank import exact_capacity
from capacity.fitting.least_squares import fit
from capacity.fitting.variable_projection import fit_recurrence
from capacity.models.convolutions import DilatedConvolution
from capacity.models.recurrences import DiagonalRecurrence
from capacity.models.tensor_trains import tensor_train_parameters
from capacity.sweeps import seeded_generator
from capacity.tasks.gaussian import standard_process

__all__ = [
    "fitted_hierarchical",
    "fitted_recurrence",
]


def fitted_hierarchical(n_layers, channels, process, seed, max_iterations=100):
    """A point of a sweep: a hierarchical model of two taps, fitted from the tensor train nearest to the target.

    Parameters
    ----------
    n_layers, channels : int
        Layers L and channels c of the hidden layers; the model has 2^L inputs.
    process : str
        One of the names of `standard_process`.
    seed : int
        Of the weights of channels that the tensor train leaves idle.
    max_iterations : int, optional
        Of the fit; from these starts some 25 are enough for most models.

    Returns
    -------
    dict
        inputs, parameters, capacity (numerical, at the fit), generic (exact), loss, residual_variance, converged.
    """
    task, model = standard_process(process), DilatedConvolution.hierarchical(n_layers, channels)
    rng = seeded_generator(n_layers=n_layers, channels=channels, process=process, seed=seed)
    n = model.n_inputs
    near = tensor_train_parameters(task.optimal_coefficients(n), model.taps, model.channels, rng=rng)
    fitted = fit(model, task, initial=near, rng=rng, max_iterations=max_iterations)
    space = model_constraints(model, fitted.parameters, task.operator(n))
    return {
        "inputs": n,
        "parameters": model.n_parameters,
        "capacity": space.total,
        "generic": exact_capacity(model).total,
        "loss": fitted.loss,
        "residual_variance": task.residual_variance(n),
        "converged": fitted.converged,
    }


def fitted_recurrence(n_inputs, channels, process, seed):
    """A point of a sweep: a diagonal recurrence fitted by variable projection, the best of five starts.

    Parameters
    ----------
    n_inputs, channels : int
        Inputs n and channels c; the generic capacity is min(2c, n).
    process : str
        One of the names of `standard_process`.
    seed : int
        Of the starts.

    Returns
    -------
    dict
        generic, loss, converged.
    """
    model = DiagonalRecurrence(n_inputs, channels=channels)
    rng = seeded_generator(n_inputs=n_inputs, channels=channels, process=process, seed=seed)
    fitted = fit_recurrence(model, standard_process(process), restarts=5, rng=rng)
    return {"generic": min(2 * channels, n_inputs), "loss": fitted.loss, "converged": fitted.converged}
