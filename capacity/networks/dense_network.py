"""Small dense networks with one flat vector of parameters: outputs, Jacobians, and the ranks of these.

When the lower layers learn too (paper 2, Appendix A), the gains eta depend on the parameters. A Jacobian with fixed
gains treats them as constants: it is the one that the augmented input space sees. The true Jacobian differs from it by
the derivatives of the gains, which vanish exactly for piecewise-linear activations.
"""

from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_array, as_generator, check_integers
from capacity.activations.activation import Activation
from capacity.networks.parameter_gradients import parameter_jacobian
from capacity.networks.passes import Layer, forward_pass

__all__ = ["DenseNetwork"]


@dataclass(frozen=True)
class DenseNetwork:
    """A fully connected network W_L f(... f(W_1 x + b_1) ...), its last layer linear; W_l = P_l^T in the papers' words.

    Attributes
    ----------
    sizes : tuple of int
        Number of inputs, of units in each hidden layer, and of outputs.
    activation : Activation
        Of the hidden layers.
    bias : bool
        Whether the hidden layers have biases. The last layer has none.

    Examples
    --------
    >>> from capacity.activations import leaky
    >>> network = DenseNetwork((3, 5, 1), leaky(0.1))
    >>> network.n_parameters, network.layers["W2"]
    (25, slice(20, 25, None))
    """

    sizes: tuple[int, ...]
    activation: Activation
    bias: bool = True

    def __post_init__(self):
        check_integers(self.sizes, "sizes", at_least=2)

    @property
    def layers(self) -> dict[str, slice]:
        """Named slices of the parameter vector, from the inputs up: W1, b1, W2, ... (W_l in C order, outputs first)."""
        sizes = {}
        for layer, (inputs, outputs) in enumerate(pairwise(self.sizes), start=1):
            sizes[f"W{layer}"] = outputs * inputs
            if self.bias and layer < len(self.sizes) - 1:
                sizes[f"b{layer}"] = outputs
        return {name: slice(*ends) for name, ends in zip(sizes, pairwise(accumulate(sizes.values(), initial=0)))}

    @property
    def n_parameters(self) -> int:
        """Length of the parameter vector."""
        return max(part.stop for part in self.layers.values())

    @property
    def hidden_units(self) -> int:
        """Number of hidden units, each of which can trade a factor between its inputs and its output."""
        return sum(self.sizes[1:-1])

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Random parameters: Gaussian weights of variance 2/inputs of their layer, and standard normal biases.

        The weights are drawn input by input, in the order of the matrices P_l of the papers.
        """
        parameters = as_generator(rng).standard_normal(self.n_parameters)
        for layer, (inputs, outputs) in enumerate(pairwise(self.sizes), start=1):
            part = self.layers[f"W{layer}"]
            parameters[part] = parameters[part].reshape(inputs, outputs).T.ravel() * np.sqrt(2 / inputs)
        return parameters

    def unpack(self, parameters: ArrayLike) -> list[tuple[np.ndarray, np.ndarray]]:
        """Weights and biases [(W_1, b_1), ...] of shapes (..., n_l, n_{l-1}) and (..., n_l); absent biases are zero.

        Axes of `parameters` before the last, (..., n_parameters), are many networks at once, here and below.
        """
        remedy = "pass vectors as long as n_parameters, e.g. initial(rng)"
        parameters = as_array(parameters, "parameters", last=self.n_parameters, remedy=remedy)
        parts, networks = self.layers, parameters.shape[:-1]
        pairs = []
        for layer, (inputs, outputs) in enumerate(pairwise(self.sizes), start=1):
            weights = parameters[..., parts[f"W{layer}"]].reshape(*networks, outputs, inputs)
            bias = parameters[..., parts[f"b{layer}"]] if f"b{layer}" in parts else np.zeros((*networks, outputs))
            pairs.append((weights, bias))
        return pairs

    def with_parameters(self, parameters: ArrayLike) -> list[Layer]:
        """The layers with these weights and biases, for `forward_pass`: a list of Layer."""
        pairs = self.unpack(parameters)
        biased = [self.bias and layer < len(pairs) for layer in range(1, len(pairs) + 1)]
        activations = [None, *[self.activation] * (len(pairs) - 1)]
        return [Layer(w, b if has else None, f) for (w, b), has, f in zip(pairs, biased, activations)]

    def outputs(self, parameters: ArrayLike, inputs: ArrayLike) -> np.ndarray:
        """Outputs of the network, shape (..., samples, outputs), for inputs of shape (samples, inputs)."""
        return forward_pass(self.with_parameters(parameters), inputs).outputs

    def jacobian(self, parameters: ArrayLike, inputs: ArrayLike, *, fixed_gains: bool = False) -> np.ndarray:
        """Derivatives of the outputs by the parameters.

        Parameters
        ----------
        parameters : array_like, shape (..., n_parameters)
        inputs : array_like, shape (samples, inputs)
        fixed_gains : bool, optional
            Hold the gains eta = f(z)/z fixed: the backward pass takes eta where the true one takes f'.

        Returns
        -------
        ndarray, shape (..., samples * outputs, n_parameters)
            Output k of sample s is row ``s * outputs + k``.
        """
        return parameter_jacobian(self.with_parameters(parameters), inputs, fixed_gains=fixed_gains)
