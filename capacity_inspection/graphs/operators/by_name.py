"""The operators of a graph by name.

`make_node` lists their arguments. Shapes leave out the batch and list channels first, (channels, positions). An
operator's weights are arrays, and all else that it needs are options.
"""

from typing import Any

import numpy as np

from capacity._validation import check_integers
from capacity_inspection.graphs.operators.dense import Dense, Scale
from capacity_inspection.graphs.operators.functions import Activation
from capacity_inspection.graphs.operators.normalization import Normalize
from capacity_inspection.graphs.operators.products import MatrixProduct, Product
from capacity_inspection.graphs.operators.rearranging import Concatenate, Expand, Pad, Reshape, Slice, Transpose
from capacity_inspection.graphs.operators.recurrent import Recurrent
from capacity_inspection.graphs.operators.rules import Operator, required
from capacity_inspection.graphs.operators.softmax_attention import Attention, Softmax
from capacity_inspection.graphs.operators.sums import Accumulate, Add
from capacity_inspection.graphs.operators.upsampling import Interpolate, TransposedConvolution
from capacity_inspection.graphs.operators.windowed import AveragePool, Convolution, MaxPool

__all__ = ["OPERATORS", "completed"]


class _Input(Operator):
    options = ("shape",)
    counts = (0, 0)
    reported = True

    def complete(self, shapes, arrays, options):
        shape = check_integers(required(options, "shape", "input"), "shape")
        if not shape:
            raise ValueError("shape: expected (channels, *positions), got an empty one; pass at least one size")
        return shape, arrays, {"shape": shape}


OPERATORS = {
    "input": _Input(),
    "convolution": Convolution(),
    "transposed_convolution": TransposedConvolution(),
    "interpolate": Interpolate(),
    "dense": Dense(),
    "scale": Scale(),
    "add": Add(),
    "accumulate": Accumulate(),
    "concatenate": Concatenate(),
    "average_pool": AveragePool(),
    "max_pool": MaxPool(),
    "expand": Expand(),
    "pad": Pad(),
    "slice": Slice(),
    "reshape": Reshape(),
    "transpose": Transpose(),
    "activation": Activation(),
    "normalize": Normalize(),
    "attention": Attention(),
    "product": Product(),
    "matmul": MatrixProduct(),
    "softmax": Softmax(),
    "recurrent": Recurrent(),
}


def completed(
    operator: str, shapes: Any, arrays: Any = None, options: Any = None
) -> tuple[tuple[int, ...], dict, dict]:
    """Check what an operator is given and fill in what it leaves to defaults.

    Parameters
    ----------
    operator : str
        One of `OPERATORS`.
    shapes : sequence of tuple of int
        Shapes of its inputs, without the batch.
    arrays : mapping of str to array_like, optional
        Its weights.
    options : mapping of str to object, optional
        All other arguments.

    Returns
    -------
    shape : tuple of int
        Of the output.
    arrays : dict of str to ndarray
        Of type float32 or float64, read only.
    options : dict
        With one entry per axis wherever one number stood for all.

    Examples
    --------
    >>> completed("convolution", [(1, 8)], {"kernel": np.ones((4, 1, 3))}, {"strides": 2, "pads": 1})[0]
    (4, 4)
    """
    if operator not in OPERATORS:
        raise ValueError(
            f"operator: expected one of {', '.join(OPERATORS)}, got {operator!r}; write it in terms of these"
        )
    rule = OPERATORS[operator]
    arrays = {key: _array(value, key) for key, value in (arrays or {}).items() if value is not None}
    options = dict(options or {})
    for found, known, what in ((arrays, rule.arrays, "arrays"), (options, rule.options, "options")):
        if unknown := set(found) - set(known):
            raise ValueError(
                f"{operator}: expected {what} among {', '.join(known) or 'none'}, got {sorted(unknown)}; remove them"
            )
    fewest, most = rule.counts
    if not fewest <= len(shapes) <= most:
        wanted = f"{fewest}" if fewest == most else f"at least {fewest}"
        raise ValueError(f"{operator}: expected inputs: {wanted}, got {len(shapes)}; connect that many nodes")
    shape, arrays, options = rule.complete([tuple(shape) for shape in shapes], arrays, options)
    return tuple(int(n) for n in shape), arrays, options


def _array(value, name):
    if np.ma.is_masked(value):
        raise ValueError(f"{name}: expected numbers, got masked entries; fill them")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: expected an array of real numbers, got {array.dtype}; pass float32 or float64")
    array = array.astype(array.dtype if array.dtype in (np.float32, np.float64) else float, copy=False).view()
    if array.size == 0:
        raise ValueError(f"{name}: expected at least one number, got shape {array.shape}; leave the node out")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got an infinity or a NaN; check the weights")
    array.flags.writeable = False
    return array
