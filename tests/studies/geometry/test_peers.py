"""Fisher information against optional peers, whose conventions are part of the comparison.

Ours is a mean over the samples, and 'gaussian' is ||y - f||^2 / 2. The peers differ only there:

- curvlinops (3.0) takes the loss from PyTorch. CrossEntropyLoss is a mean over the samples, as ours. MSELoss is a mean
  over samples and outputs, without the 1/2: for k outputs it is 2/k times ours, and so is its Gauss-Newton matrix. The
  empirical Fisher is a mean over samples and outputs too, of products of two gradients 2 (f - y): 4/k times ours.
- nngeometry (0.4) has no losses: its 'regression' is a Gaussian of variance 1, and its means are over samples.

The order of parameters is ours in both: the weights of a layer, outputs first, then its bias.
"""

from itertools import pairwise

import numpy as np
import pytest
from scipy import linalg

from capacity.activations import tanh
from capacity.networks import Layer, forward_pass
from capacity_studies.geometry import empirical_fisher, fisher_information, kronecker_factors

pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")

FAMILIES = ("softmax", "gaussian")
SAMPLES, OUTPUTS = 7, 3
INPUTS = np.random.default_rng(4).standard_normal((SAMPLES, 4))
LABELS = {
    "softmax": np.arange(SAMPLES) % OUTPUTS,
    "gaussian": np.random.default_rng(5).standard_normal((SAMPLES, OUTPUTS)),
}


@pytest.fixture(scope="module")
def layers():
    rng, sizes = np.random.default_rng(6), pairwise((4, 6, 5, OUTPUTS))
    first, middle, last = (rng.standard_normal((outputs, inputs)) / np.sqrt(inputs) for inputs, outputs in sizes)
    biases = rng.standard_normal(6), rng.standard_normal(OUTPUTS)
    return [Layer(first, biases[0]), Layer(middle, None, tanh()), Layer(last, biases[1], tanh())]


@pytest.fixture
def torch():
    found = pytest.importorskip("torch", reason="an optional peer: pip install torch", exc_type=ImportError)
    before = found.get_default_dtype()
    found.set_default_dtype(found.float64)
    yield found
    found.set_default_dtype(before)


@pytest.fixture
def curvlinops(torch):
    reason = "an optional peer: pip install curvlinops-for-pytorch"
    return pytest.importorskip("curvlinops", reason=reason, exc_type=ImportError)


@pytest.fixture
def nngeometry(torch):
    reason = "an optional peer: pip install nngeometry"
    for part in ("metrics", "object"):
        pytest.importorskip(f"nngeometry.{part}", reason=reason, exc_type=ImportError)
    return pytest.importorskip("nngeometry")


@pytest.fixture
def model(torch, layers):
    modules = []
    for layer in layers:
        linear = torch.nn.Linear(layer.inputs, layer.outputs, bias=layer.bias is not None)
        linear.weight.data = torch.tensor(layer.weights)
        if layer.bias is not None:
            linear.bias.data = torch.tensor(layer.bias)
        modules += [linear, torch.nn.Tanh()]
    copied = torch.nn.Sequential(*modules[:-1])
    outputs = copied(torch.tensor(INPUTS)).detach().numpy()
    np.testing.assert_allclose(outputs, forward_pass(layers, INPUTS).outputs, rtol=1e-12, atol=1e-14)
    return copied


def by_curvlinops(torch, operator, model, family, **options):
    """Return an operator of curvlinops as a matrix, for PyTorch's loss of a family."""
    loss = torch.nn.CrossEntropyLoss() if family == "softmax" else torch.nn.MSELoss()
    data = [(torch.tensor(INPUTS), torch.tensor(LABELS[family]))]
    found = operator(model, loss, list(model.parameters()), data, **options)
    return (found @ torch.eye(found.shape[1])).detach().numpy()


def by_nngeometry(torch, nngeometry, representation, model, family):
    """Return a representation of the true Fisher information by nngeometry as a matrix."""
    data = torch.utils.data.TensorDataset(torch.tensor(INPUTS), torch.tensor(LABELS[family]))
    loader = torch.utils.data.DataLoader(data, batch_size=SAMPLES)
    variant = {"softmax": "classif_logits", "gaussian": "regression"}[family]
    representation = getattr(nngeometry.object, representation)
    return nngeometry.metrics.FIM(model, loader, representation, variant=variant).to_torch().detach().numpy()


def kronecker_fisher(layers, family, labels=None, *, separate=False):
    """Return the K-FAC approximation from our factors in the order of the parameters, biases jointly or separately."""
    blocks = []
    for level, layer in enumerate(layers):
        g, a = kronecker_factors(layers, INPUTS, labels=labels, layer=level + 1, family=family)
        if layer.bias is None:
            blocks.append(np.kron(g, a))
        elif separate:
            blocks += [np.kron(g, a[:-1, :-1]), g]
        else:
            places = np.arange(len(g) * len(a)).reshape(len(g), len(a))
            order = np.concatenate([places[:, :-1].ravel(), places[:, -1]])
            blocks.append(np.kron(g, a)[np.ix_(order, order)])
    return linalg.block_diag(*blocks)


def agree(found, ours):
    """Check matrices against each other, at the scale of ours."""
    assert found.shape == ours.shape
    np.testing.assert_allclose(found, ours, rtol=1e-9, atol=1e-12 * np.abs(ours).max())


@pytest.mark.parametrize("family", FAMILIES)
def test_the_true_fisher_is_the_gauss_newton_matrix_of_curvlinops(torch, curvlinops, model, layers, family):
    factor = {"softmax": 1, "gaussian": 2 / OUTPUTS}[family]
    found = by_curvlinops(torch, curvlinops.GGNLinearOperator, model, family)
    agree(found, factor * fisher_information(layers, INPUTS, family=family))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_empirical_fisher_is_that_of_curvlinops_and_not_the_true_one(torch, curvlinops, model, layers, family):
    factor = {"softmax": 1, "gaussian": 4 / OUTPUTS}[family]
    found = by_curvlinops(torch, curvlinops.EFLinearOperator, model, family)
    agree(found, factor * empirical_fisher(layers, INPUTS, LABELS[family], family=family))
    true = factor * fisher_information(layers, INPUTS, family=family)
    assert np.linalg.norm(found - true) > 0.1 * np.linalg.norm(true)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["type-2", "empirical"])
@pytest.mark.parametrize("separate", [True, False])
def test_kronecker_factors_are_those_of_curvlinops(torch, curvlinops, model, layers, family, kind, separate):
    factor = 1 if family == "softmax" else {"type-2": 2, "empirical": 4}[kind] / OUTPUTS
    options = {"fisher_type": kind, "separate_weight_and_bias": separate}
    found = by_curvlinops(torch, curvlinops.KFACLinearOperator, model, family, **options)
    labels = LABELS[family] if kind == "empirical" else None
    agree(found, factor * kronecker_fisher(layers, family, labels, separate=separate))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_true_fisher_and_its_kronecker_factors_are_those_of_nngeometry(torch, nngeometry, model, layers, family):
    dense = by_nngeometry(torch, nngeometry, "PMatDense", model, family)
    agree(dense, fisher_information(layers, INPUTS, family=family))
    factored = by_nngeometry(torch, nngeometry, "PMatKFAC", model, family)
    agree(factored, kronecker_fisher(layers, family))
