"""Modules of PyTorch that are affine functions of their input, as linear models in NumPy.

The coefficients are the derivative of an output by the input; their derivative by the parameters follows by reverse
differentiation once more. Both are computed in double precision, whatever the type of the module.
"""

import copy
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integers, needing
from capacity.models.base import OfShapes

__all__ = ["AffineModule"]

_TOLERANCE = 1e-9  # of superposition, relative to the outputs; the slightest curvature is larger


@dataclass(frozen=True, eq=False)
class AffineModule(OfShapes):
    """The linear model of one output of a module: what the output takes from each input, as a function of the weights.

    Superposition is verified, f(x + y) + f(0) = f(x) + f(y), at random inputs of several sizes, at the weights of the
    module and at random ones. The model has what `LinearModel` lists, but for the degree: a module computes with
    floating-point numbers, so that its capacity is numerical and not exact.

    Attributes
    ----------
    module : torch.nn.Module
        It is copied, and the copy is taken as for inference. All its parameters count, frozen or not.
    input_size : tuple of int
        Shape of the input, (1, components, positions) or (1, positions), the batch first.
    output : tuple of int, optional
        Which output, without the batch. Default: the last entry, of channels and positions.

    Raises
    ------
    ImportError
        If PyTorch is not installed.

    Examples
    --------
    >>> from torch import nn  # doctest: +SKIP
    >>> AffineModule(nn.Conv1d(1, 1, 3), (1, 1, 3)).n_inputs  # doctest: +SKIP
    3
    """

    module: Any
    input_size: tuple[int, ...]
    output: tuple[int, ...] | None = None
    _shapes: dict = field(init=False, repr=False)

    def __post_init__(self) -> None:
        with needing("AffineModule", "torch"):
            import torch
        if not isinstance(self.module, torch.nn.Module):
            raise TypeError(
                f"module: expected a torch.nn.Module, got {type(self.module).__name__}; pass the module itself"
            )
        size = check_integers(self.input_size, "input_size")
        if len(size) < 2 or size[0] != 1:
            raise ValueError(f"input_size: expected (1, components, positions), got {size}; the batch is one")
        module = _copied(self.module).double().eval()
        kept = [(part, key, each) for part in module.modules() for key, each in _tensors(part)]
        object.__setattr__(self, "module", module)
        object.__setattr__(self, "_kept", kept)
        object.__setattr__(self, "input_size", size)
        object.__setattr__(self, "components", size[1] if len(size) > 2 else 1)
        object.__setattr__(self, "_shapes", {name: tuple(p.shape) for name, p in module.named_parameters()})
        if not self._shapes:
            raise ValueError("module: expected one with parameters, got none; register its weights as such")
        self._check_parameters(torch.zeros(size, dtype=torch.float64))
        found = tuple(self._outputs(torch.zeros(size, dtype=torch.float64)).shape)
        if found[:1] != (1,):
            raise ValueError(f"module: expected an output with a batch of one, got shape {found}; keep the batch first")
        at = (
            tuple(n - 1 for n in found[1:])
            if self.output is None
            else check_integers(self.output, "output", length=len(found) - 1, minimum=0)
        )
        if any(k >= n for k, n in zip(at, found[1:])):
            raise ValueError(f"output: expected an index below {found[1:]}, got {at}; count from 0, without the batch")
        object.__setattr__(self, "output", at)
        deviation = self._deviation()
        if deviation > _TOLERANCE:
            raise ValueError(
                f"module: expected an affine function of its input, got one that deviates from superposition by "
                f"{deviation:.1e} of its outputs; read it as a graph, with linear=False"
            )

    @property
    def n_inputs(self) -> int:
        """Number of coefficients n."""
        return math.prod(self.input_size)

    @property
    def layers(self) -> dict[str, slice]:
        """Which slice of the parameter vector is which submodule."""
        found: dict[str, slice] = {}
        end = 0
        for name, shape in self._shapes.items():
            layer = name.rpartition(".")[0] or type(self.module).__name__
            start, end = end, end + math.prod(shape)
            found[layer] = slice(found[layer].start if layer in found else start, end)
        return found

    @cached_property
    def parameters(self) -> np.ndarray:
        """The parameters that the module has, shape (p,)."""
        named = dict(self.module.named_parameters())
        return np.concatenate([named[name].detach().numpy().ravel() for name in self._shapes])

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Independent normal parameters, of variance 1 / (entries for each one along the first axis), shape (p,)."""
        rng = as_generator(rng)
        sizes = [(math.prod(shape), math.sqrt(math.prod(shape[1:]))) for shape in self._shapes.values()]
        return np.concatenate([rng.standard_normal(n) / scale for n, scale in sizes])

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Coefficients A, shape (n,), the oldest position first."""
        return self._coefficients(self._tensor(parameters)).detach().numpy()

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (n, p).

        Raises
        ------
        ValueError
            If a modulus is given: floating-point numbers have no residues.
        """
        import torch

        if modulus is not None:
            raise ValueError("modulus: expected none, got one; a module has no exact capacity, only a numerical one")
        return torch.func.jacrev(self._coefficients)(self._tensor(parameters)).detach().numpy()

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y, shape (p,)."""
        import torch

        remedy = "pass one number per coefficient"
        y = torch.from_numpy(as_vector(cotangent, "cotangent", length=self.n_inputs, remedy=remedy).copy())
        _, pull = torch.func.vjp(self._coefficients, self._tensor(parameters))
        return pull(y)[0].detach().numpy()

    def _tensor(self, parameters):
        import torch

        remedy = "pass a vector as long as model.n_parameters, e.g. model.parameters"
        return torch.from_numpy(as_vector(parameters, "parameters", length=self.n_parameters, remedy=remedy).copy())

    def _check_parameters(self, inputs):
        """Refuse a module that writes into its parameters, by which it cannot be differentiated."""
        import torch

        rng = np.random.default_rng(0)  # that of PyTorch is left as it is
        given = {name: torch.as_tensor(rng.random(shape)) for name, shape in self._shapes.items()}
        before = {name: each.clone() for name, each in given.items()}
        with torch.no_grad():
            torch.func.functional_call(self.module, given, (inputs,))
        if changed := [name for name, each in given.items() if not torch.equal(each, before[name])]:
            raise ValueError(
                f"module: expected one that leaves its parameters as they are, got one that writes into "
                f"{changed[0]!r}; multiply them by a mask where they are used, or read it as a graph, linear=False"
            )

    def _outputs(self, inputs, flat=None):
        """What the module makes of an input, with its own parameters or with those of a vector."""
        import torch

        named, start = {}, 0
        for name, shape in self._shapes.items() if flat is not None else ():
            named[name] = flat[start : start + math.prod(shape)].reshape(shape)
            start += math.prod(shape)
        found = torch.func.functional_call(self.module, named, (inputs,))
        for part, key, each in self._kept:  # in place of what hooks left, which no pickle takes
            setattr(part, key, each)
        if not isinstance(found, torch.Tensor):
            raise ValueError(f"module: expected one tensor as output, got {type(found).__name__}; return one only")
        return found

    def _coefficients(self, flat):
        """Derivative of the output by the input, with the components of a position together."""
        import torch

        start = torch.zeros(self.input_size, dtype=torch.float64)
        slope = torch.func.grad(lambda inputs: self._outputs(inputs, flat)[(0, *self.output)])(start)
        return slope[0].reshape(self.components, -1).T.reshape(-1)

    def _deviation(self):
        """How far superposition is missed, relative to the outputs, at several inputs and weights."""
        import torch

        rng, worst = np.random.default_rng(0), 0.0
        zero = torch.zeros(self.input_size, dtype=torch.float64)
        with torch.no_grad():
            for flat in (None, torch.from_numpy(self.initial(rng))):
                for scale in (1e-2, 1.0, 1e2):
                    x, y = (torch.from_numpy(scale * rng.standard_normal(self.input_size)) for _ in range(2))
                    whole, *parts = (self._outputs(each, flat) for each in (x + y, x, y, zero))
                    missed = (whole + parts[2] - parts[0] - parts[1]).abs().max()
                    size = max(float((part - parts[2]).abs().max()) for part in (whole, *parts[:2]))
                    if float(missed) > 0:
                        offset = np.finfo(float).eps / _TOLERANCE * float(parts[2].abs().max())
                        worst = max(worst, float(missed) / (size + offset))
        return worst


def _copied(module):
    """A copy, also of a module whose hooks keep weights that they computed, as `torch.nn.utils.weight_norm` does."""
    kept = [each for part in module.modules() for _, each in _tensors(part) if not each.is_leaf]
    return copy.deepcopy(module, {id(each): each.detach().clone() for each in kept})


def _tensors(part):
    """Attributes of a module that are tensors, but no parameters or buffers."""
    import torch

    return [(key, each) for key, each in vars(part).items() if isinstance(each, torch.Tensor)]
