"""Small dense networks with one flat vector of parameters: outputs, Jacobians, and the ranks of these.

When the lower layers learn too (paper 2, Appendix A), the gains eta depend on the parameters. A Jacobian with frozen
gains treats them as constants: it is the one that the augmented input space sees. The true Jacobian differs from it by
the derivatives of the gains, which vanish exactly for piecewise-linear activations.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from capacity._validation import as_matrix, as_vector, check_integer
from capacity.activations.base import Activation

__all__ = [
    "DenseNetwork",
]


@dataclass(frozen=True)
class DenseNetwork:
    """A fully connected network f_L(P_L^T ... f_1(P_1^T Y + b_1)) with a linear last layer.

    Attributes
    ----------
    sizes : tuple of int
        Number of inputs, of units in each hidden layer, and of outputs.
    activation : Activation
        Of the hidden layers.
    bias : bool
        Whether the hidden layers have biases. The last layer has none.

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two sizes, or one is not a positive integer.

    Examples
    --------
    >>> from capacity.activations import leaky
    >>> network = DenseNetwork((3, 5, 1), leaky(0.1))
    >>> network.parameter_count, network.slices["W2"]
    (25, slice(20, 25, None))
    """

    sizes: tuple[int, ...]
    activation: Activation
    bias: bool = True

    def __post_init__(self):
        if len(self.sizes) < 2:
            raise ValueError(
                f"sizes: expected inputs, hidden layers and outputs, got {self.sizes}; pass e.g. (3, 5, 1)"
            )
        for size in self.sizes:
            check_integer(size, "sizes", minimum=1)

    @property
    def slices(self):
        """Named slices of the parameter vector, from the inputs up: W1, b1, W2, ... (W_l in C order, inputs first)."""
        found, start = {}, 0
        for layer, (rows, columns) in enumerate(pairwise(self.sizes), start=1):
            lengths = {f"W{layer}": rows * columns}
            if self.bias and layer < len(self.sizes) - 1:
                lengths[f"b{layer}"] = columns
            for name, length in lengths.items():
                found[name] = slice(start, start + length)
                start += length
        return found

    @property
    def parameter_count(self):
        """Length of the parameter vector."""
        return max(part.stop for part in self.slices.values())

    @property
    def hidden_units(self):
        """Number of hidden units, each of which can trade a factor between its inputs and its output."""
        return sum(self.sizes[1:-1])

    def initial(self, rng=None):
        """Random parameters: Gaussian weights of variance 2/inputs of their layer, and standard normal biases."""
        rng = np.random.default_rng(rng)
        parameters = rng.standard_normal(self.parameter_count)
        for layer, rows in enumerate(self.sizes[:-1], start=1):
            parameters[self.slices[f"W{layer}"]] *= np.sqrt(2 / rows)
        return parameters

    def unpack(self, parameters):
        """Weights and biases [(W_1, b_1), ...] of shapes (n_{l-1}, n_l) and (n_l,); absent biases are zero.

        Raises
        ------
        ValueError
            If there are not `parameter_count` finite parameters.
        """
        parameters = as_vector(parameters, "parameters", length=self.parameter_count)
        parts = self.slices
        layers = []
        for layer, shape in enumerate(pairwise(self.sizes), start=1):
            bias = parameters[parts[f"b{layer}"]] if f"b{layer}" in parts else np.zeros(shape[1])
            layers.append((parameters[parts[f"W{layer}"]].reshape(shape), bias))
        return layers

    def outputs(self, parameters, inputs):
        """Outputs of the network, shape (samples, outputs), for inputs of shape (samples, inputs).

        Raises
        ------
        ValueError
            If the inputs are not finite samples of the network's number of inputs.
        """
        *hidden, (last, _) = self.unpack(parameters)
        state = as_matrix(inputs, "inputs", columns=self.sizes[0])
        for weights, bias in hidden:
            state = self.activation(state @ weights + bias)
        return state @ last

    def jacobian(self, parameters, inputs, *, frozen=False):
        """Derivatives of the outputs by the parameters.

        Parameters
        ----------
        parameters : array_like, shape (parameter_count,)
        inputs : array_like, shape (samples, inputs)
        frozen : bool, optional
            Hold the gains eta = f(z)/z fixed: the backward pass takes eta where the true one takes f'.

        Returns
        -------
        ndarray, shape (samples * outputs, parameter_count)
            Output k of sample s is row ``s * outputs + k``.

        Raises
        ------
        ValueError
            As `outputs`.
        """
        layers = self.unpack(parameters)
        states, slopes = [as_matrix(inputs, "inputs", columns=self.sizes[0])], []
        for weights, bias in layers[:-1]:
            arguments = states[-1] @ weights + bias
            slopes.append(self.activation.gain(arguments) if frozen else self.activation.derivative(arguments))
            states.append(self.activation(arguments))
        samples, outputs = states[0].shape[0], self.sizes[-1]
        result = np.empty((samples, outputs, self.parameter_count))
        parts = self.slices
        backward = np.broadcast_to(np.eye(outputs), (samples, outputs, outputs))  # by arguments of the layer
        for layer in range(len(layers), 0, -1):
            columns = states[layer - 1][:, None, :, None] * backward[:, :, None, :]
            result[:, :, parts[f"W{layer}"]] = columns.reshape(samples, outputs, -1)
            if f"b{layer}" in parts:
                result[:, :, parts[f"b{layer}"]] = backward
            if layer > 1:
                backward = backward @ layers[layer - 1][0].T * slopes[layer - 2][:, None, :]
        return result.reshape(samples * outputs, -1)
