"""How a linear model's capacity is divided among its layers: alone, by only one of them, and one after the other."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity.allocation.conditional import independent_shares, layer_chain, marginal_shares
from capacity.inspection.graphs.holding import holding_lags
from capacity.inspection.reports.linear import SHARES, fitted_points, task_of
from capacity.inspection.reports.quantity import Quantity
from capacity.inspection.reports.report import LayerRow, Report
from capacity.models.base import LinearModel

__all__ = ["layer_shares_report"]

_CHAIN = "in the order of the layers, each given those before it"


def layer_shares_report(
    model: LinearModel,
    *,
    process: Any = None,
    data: ArrayLike | None = None,
    parameters: ArrayLike | None = None,
    optima: int = 1,
    rng: Rng = 0,
    progress: bool = False,
) -> Report:
    """Capacity of each layer of a linear model: alone, provided by it only, and added to the layers before it.

    Parameters
    ----------
    model : LinearModel
    process, data, parameters, optima, rng, progress
        As in `linear_report`; a process or data are needed.

    Returns
    -------
    Report
        Its allocation has the part of each layer that is added to the layers before it, which sum to the whole.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> from capacity.tasks import GaussianProcess
    >>> report = layer_shares_report(DilatedConvolution([1, 2]), process=GaussianProcess())
    >>> report["layer 2", "alone"].value, report["layer 2", "only"].value, report["layer 2", "added"].value
    (2, 1, 1)
    """
    task = task_of(model, process, data)
    if task is None:
        raise ValueError("process: expected a process or data, got neither; a division among layers needs one")
    points = fitted_points(
        model, task, parameters, check_integer(optima, "optima", minimum=1), as_generator(rng), progress
    )
    covariance = points.covariance
    parts = {
        "alone": independent_shares(model, points.parameters[0], covariance),
        "only": marginal_shares(model, points.parameters[0], covariance),
        "added": layer_chain(model, points.parameters[0], covariance),
    }
    held = {f"lags {100 * share:g} %": share for share in SHARES}
    rows = []
    for name, part in model.layers.items():
        size = part.stop - part.start
        numbers = {"parameters": Quantity(size)}
        for column, shares in parts.items():
            numbers[column] = Quantity(
                round(float(shares[name].sum())), "numerical", _CHAIN if column == "added" else ""
            )
        for column, share in held.items():
            numbers[column] = _held(parts["alone"][name], share)
        rows.append(LayerRow(name, "linear", (size,), numbers))
    total = round(float(np.sum(list(parts["added"].values()))))
    totals = {"capacity": Quantity(total, "numerical", gap=points.gap)} | points.remarks()
    return Report(f"{type(model).__name__}, layer by layer", tuple(rows), totals, parts["added"])


def _held(allocation, share):
    if not allocation.any():
        return Quantity(None, "unavailable", "the layer has no capacity")
    return Quantity(holding_lags(np.maximum(allocation, 0), share), "numerical")
