"""One call for whatever a network is given as."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity_inspection import readers
from capacity_inspection.graphs import Graph, receptive_fields
from capacity_inspection.graphs.cancellation import MovedBoxes
from capacity_inspection.reports.cancelled import bound, moved_field, moved_in_time
from capacity_inspection.reports.linear import linear_report
from capacity_inspection.reports.nonlinear import looked_at, network_report, open_axis, reads, sees
from capacity_inspection.reports.report import Report, refuse

__all__ = ["read_network", "summary"]


def summary(
    model: Any,
    input_size: tuple[int, ...] | None = None,
    *,
    time_axis: int | None = None,
    gain: Sequence[str] = (),
    process: Any = None,
    data: ArrayLike | None = None,
    parameters: ArrayLike | None = None,
    output: str | None = None,
    at: tuple[int, ...] | None = None,
    samples: int | None = None,
    strict: bool = False,
    optima: int = 3,
    resamples: int = 20,
    rng: Rng = 0,
    progress: bool = False,
) -> Report:
    """What there is to know about the capacity of a network: one row per layer, totals, and the share of each input.

    Parameters
    ----------
    model : LinearModel, Graph, torch.nn.Module or path-like
        A path is that of an ONNX file or of a description in TOML.
    input_size : tuple of int, optional
        Of a module, or of a file whose inputs have no fixed size: the batch first, as in torchinfo.
    time_axis : int, optional
        Of a module or an ONNX file: which axis of its input is time, counted with that of the batch. By default that
        along which its first layer slides; the first line says which, and another one how to change it if none does.
    gain : sequence of str, optional
        Of a module or an ONNX file: names of nodes that are held as gains of what they are multiplied with.
    process : PredictionTask, optional
        What a linear model predicts.
    data : array_like, optional
        For a linear model a series, shape (t,), or several, (t, d), instead of a process. For a graph samples of its
        input, (samples, channels, positions), on which the coupling of each activation is measured; a series is cut
        into windows.
    parameters : array_like, shape (p,), optional
        Of a trained linear model; fitted by default. Those of a module are its own.
    output, at : str and tuple of int, optional
        Of a graph: the node whose unit is looked at, and where it is, channel first. By default that in the middle of
        the last node, or the most recent one of a causal stack.
    samples : int, optional
        Of a linear model: from how many samples of the process it is to be fitted; see `linear_report`.
    strict : bool, optional
        Raise where a number is unavailable.
    optima, resamples : int, optional
        Fits of a linear model, and resamples of its data; see `linear_report`.
    rng : int, Generator or None
        Source of randomness.
    progress : bool, optional
        Show progress bars.

    Returns
    -------
    Report

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If, with `strict`, a number is unavailable.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> print(summary(DilatedConvolution([1, 2], channels=2)))
    DilatedConvolution of 4 inputs
    ...
    """
    graph = None
    reading: dict[str, Any] = {"time_axis": time_axis} if time_axis is not None else {}
    reading |= {"gain": gain} if len(gain) else {}
    if isinstance(model, str | PathLike):
        if reading and Path(model).suffix.lower() != ".onnx":
            raise ValueError(f"{next(iter(reading))}: expected a file .onnx with it, got {str(model)!r}; leave it out")
        model, process, data = read_network(model, input_size, process=process, data=data, **reading)
    elif hasattr(model, "state_dict"):
        if input_size is None:
            raise ValueError("input_size: expected that of a module, batch first, got none; pass it, as (1, 1, 256)")
        model, graph = _of_module(model, input_size, reading)
    elif input_size is not None:
        raise ValueError("input_size: expected none, since the model has one, got one; leave it out")
    elif reading:
        raise ValueError(f"{next(iter(reading))}: expected none for what has been read, got one; leave it out")
    if isinstance(model, Graph):
        refuse({"parameters": parameters, "samples": samples}, "a network with activations")
        report = network_report(model, process=process, data=data, output=output, at=at, rng=rng)
    elif hasattr(model, "tangent_factors"):
        refuse({"output": output, "at": at}, "a linear model")
        if parameters is None and isinstance(getattr(model, "parameters", None), np.ndarray):
            parameters = model.parameters  # of a module, which has been trained
        given: dict[str, Any] = {"process": process, "data": data, "parameters": parameters, "samples": samples}
        report = linear_report(model, **given, optima=optima, resamples=resamples, rng=rng, progress=progress)
        if graph is not None:
            part, name, unit, lags, reach = looked_at(graph, None, None)
            boxes, number, moved = receptive_fields(part, name, unit), None, MovedBoxes(part)
            if seen := boxes.get(part.inputs[0]):
                number = bound(seen.shape[1:], moved_field(moved, name, unit, boxes))
            sentence = sees(part, name, number, reach, lags, moved_in_time(moved, reach))
            title = f"{report.title}; reads {reads(part, lags or reach)}"
            report = replace(report, title=title, says=(sentence, *open_axis(graph), *report.says[1:]))
        elif sizes := getattr(model, "input_size", ()):  # of a module that no graph has
            axes = ["time"] if len(sizes) < 4 else ["positions"] * (len(sizes) - 2)
            named = ", ".join(["batch", *["channels"] * (len(sizes) > 2), *axes])
            report = replace(report, title=f"{report.title}, taken as ({named})")
    else:
        raise TypeError(
            "model: expected a linear model, a graph, a module of PyTorch or the path of a file, got "
            f"{type(model).__name__}; make one with a function of capacity_inspection.readers"
        )
    return report.strictly() if strict else report


def _of_module(module, input_size, reading):
    """A module of PyTorch as what a report is about, and its graph too where that is another thing.

    A linear model has its components first and its positions last, or alone, and a graph whatever the module takes
    them for.
    """
    model = readers.read_torch(module, input_size, **reading)
    if isinstance(model, Graph):
        return model, None
    try:
        alone = {"time_axis": -1} if len(model.input_size) < 3 else {}
        graph = readers.read_torch(module, input_size, linear=False, **(alone | reading))
    except ValueError:  # of what cannot be traced
        return model, None
    as_taken = graph.axes.get(graph.inputs[0], ())[-1:] == ("time",)
    return (model, graph) if as_taken else (graph, None)


def read_network(
    path: str | PathLike,
    input_size: Sequence[int] | None = None,
    *,
    process: Any = None,
    data: Any = None,
    **reading: Any,
) -> tuple[Any, Any, Any]:
    r"""The network of a file, and the process or the data that it names, unless others are given.

    Parameters
    ----------
    path : path-like
        Of an ONNX file or a description in TOML.
    input_size : sequence of int, optional
        Of a file whose inputs have no fixed size: the batch first.
    process, data : optional
        As in `summary`.
    **reading
        More arguments of `read_onnx` or `read_description`.

    Returns
    -------
    tuple
        Model, process and data, each of the last two maybe None.

    Raises
    ------
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "network.toml")
    ...     _ = path.write_text('architecture = "tcn"\ndilations = [1, 2]\n[process]\nname = "power law"\n')
    ...     model, process, data = read_network(path)
    >>> model.n_inputs, process.name, data
    (4, 'power law', None)
    """
    path = Path(path)
    if path.suffix.lower() == ".onnx":
        return readers.read_onnx(path, input_sizes=input_size, **reading), process, data
    if path.suffix.lower() != ".toml":
        raise ValueError(f"model: expected a file .onnx or .toml, got {path.name!r}; export or describe the network")
    found = readers.read_description(path, **reading)
    if process is None and data is None:
        process, data = found.process, found.data
    return found.model, process, data
