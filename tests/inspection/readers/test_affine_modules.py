"""An affine module is the linear model whose coefficients its outputs have; anything else is refused."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capacity.allocation import exact_capacity, model_constraints
from capacity.models import DilatedConvolution
from capacity_inspection.readers import AffineModule

torch = pytest.importorskip("torch")
nn = torch.nn


def stack():
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv1d(2, 3, 2), nn.Conv1d(3, 1, 2, dilation=2))


@st.composite
def modules(draw):
    """Draw a module without activations, the shape of its input, the index of an output and a seed."""
    channels, layers = draw(st.integers(1, 3)), []
    shape = (1, channels, *draw(st.lists(st.integers(4, 6), min_size=1, max_size=2)))
    axes = len(shape) - 2
    convolution, pool = ((nn.Conv1d, nn.AvgPool1d), (nn.Conv2d, nn.AvgPool2d))[axes - 1]
    for _ in range(draw(st.integers(1, 2))):
        groups = draw(st.sampled_from([1, channels]))
        after = groups * draw(st.integers(1, 2))
        options = {"stride": draw(st.integers(1, 2)), "dilation": draw(st.integers(1, 2)), "groups": groups}
        padding, bias = draw(st.integers(1, 2)), draw(st.booleans())
        layers.append(convolution(channels, after, draw(st.integers(1, 3)), padding=padding, bias=bias, **options))
        channels = after
    layers += [pool(2, ceil_mode=True)] * draw(st.booleans())
    size = tuple(nn.Sequential(*layers)(torch.zeros(shape)).shape[1:])
    if draw(st.booleans()):
        layers += [nn.Flatten(), nn.Linear(int(np.prod(size)), 3)]
        size = (3,)
    weighted = [layer for layer in layers if list(layer.parameters())]
    weighted[0].requires_grad_(len(weighted) == 1 or draw(st.booleans()))
    return nn.Sequential(*layers).double(), shape, tuple(draw(st.integers(0, n - 1)) for n in size)


@given(modules(), st.integers(0, 99))
@settings(max_examples=8)
def test_coefficients_and_derivatives_are_those_of_the_output_at_any_parameters(drawn, seed):
    module, shape, output = drawn
    model, rng = AffineModule(module, shape, output=output), np.random.default_rng(seed)
    at, direction = model.initial(rng), rng.standard_normal(model.n_parameters)
    assert model.n_parameters == sum(weights.numel() for weights in module.parameters())  # frozen or not
    nn.utils.vector_to_parameters(torch.tensor(at), module.parameters())
    inputs = np.eye(model.n_inputs).reshape(-1, *shape[2:], shape[1])
    with torch.no_grad():
        outputs = module(torch.tensor(np.moveaxis(inputs, -1, 1))) - module(torch.zeros(shape).double())
    np.testing.assert_allclose(model.coefficients(at), outputs[(slice(None), *output)], atol=1e-12)
    jacobian = model.jacobian(at)
    ahead, behind = (model.coefficients(at + step * direction) for step in (1e-5, -1e-5))
    np.testing.assert_allclose(jacobian @ direction, (ahead - behind) / 2e-5, atol=1e-7)
    np.testing.assert_allclose(
        model.pullback(at, inputs[0].ravel() + 1), jacobian.T @ (inputs[0].ravel() + 1), atol=1e-9
    )
    factors = model.tangent_factors(at)
    np.testing.assert_allclose(np.hstack(list(factors.values())), jacobian, atol=1e-12)
    assert list(factors) == list(model.layers)


def test_its_capacity_is_that_of_the_same_network_in_the_package():
    ours = DilatedConvolution([1, 2], channels=1)
    covariance = np.eye(ours.n_inputs)
    module = nn.Sequential(nn.Conv1d(1, 1, 2, bias=False), nn.Conv1d(1, 1, 2, dilation=2, bias=False))
    theirs = AffineModule(module, (1, 1, ours.n_inputs))
    rng = np.random.default_rng(0)
    spatial = [model_constraints(model, model.initial(rng), covariance).spatial() for model in (ours, theirs)]
    total = exact_capacity(ours).total
    assert [round(each.sum(), 6) for each in spatial] == [total, total]
    assert total < ours.n_inputs


def test_the_module_is_copied_and_may_be_of_any_type_and_in_any_mode():
    module = stack().half().train()
    model = AffineModule(module, (1, 2, 6))
    assert module[0].weight.dtype == torch.float16
    assert module.training
    assert model.coefficients(model.parameters).dtype == np.float64


def test_parameters_count_whether_they_are_trained_or_not():
    module, frozen = stack(), stack()
    frozen[0].requires_grad_(False)
    models = [AffineModule(each, (1, 2, 6)) for each in (module, frozen)]
    assert models[0].n_parameters == models[1].n_parameters == sum(p.numel() for p in module.parameters())


def test_layers_of_several_axes_and_none_are_models_too():
    rows = AffineModule(nn.Linear(4, 3), (1, 4))
    np.testing.assert_allclose(rows.coefficients(rows.parameters), rows.parameters[8:12])
    assert (rows.components, rows.n_inputs, rows.output) == (1, 4, (2,))
    image = AffineModule(
        nn.Sequential(nn.Conv2d(2, 1, 3), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(1, 1)), (1, 2, 4, 4)
    )
    assert image.n_inputs == 32
    assert image.coefficients(image.parameters).reshape(16, 2).shape == (16, 2)


@pytest.mark.parametrize(
    "bend", [nn.ReLU(), nn.Tanh(), nn.Softplus(beta=1e-3), nn.LeakyReLU(0.9999), nn.Hardtanh(-50, 50)]
)
def test_a_module_that_bends_however_slightly_or_far_out_is_refused(bend):
    with pytest.raises(ValueError, match="deviates from superposition by"):
        AffineModule(nn.Sequential(nn.Conv1d(1, 2, 2), bend, nn.Conv1d(2, 1, 2)), (1, 1, 8))


def test_a_constant_offset_however_large_does_not_matter():
    module = nn.Linear(4, 1)
    with torch.no_grad():
        module.bias.fill_(1e6)
    assert AffineModule(module, (1, 4)).n_parameters == 5


def test_what_is_no_such_module_is_refused():
    with pytest.raises(TypeError, match=r"module: expected a torch\.nn\.Module, got function"):
        AffineModule(lambda x: x, (1, 2))
    with pytest.raises(ValueError, match="expected one with parameters, got none"):
        AffineModule(nn.Flatten(), (1, 2))
    with pytest.raises(ValueError, match="input_size: expected"):
        AffineModule(nn.Linear(2, 1), (3, 2))
    with pytest.raises(ValueError, match="expected one tensor as output, got tuple"):
        AffineModule(nn.LSTM(2, 3), (1, 4, 2))
    model = AffineModule(nn.Linear(2, 1), (1, 2))
    with pytest.raises(ValueError, match=r"parameters: expected shape \(3,\)"):
        model.coefficients([1.0])
    with pytest.raises(ValueError, match="cotangent"):
        model.pullback(model.parameters, [1.0])
    with pytest.raises(ValueError, match="modulus: expected none"):
        model.jacobian(model.parameters, modulus=7)


def test_without_the_library_its_name_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install capacity-allocation\[torch\]"):
        AffineModule(None, (1, 2))


def test_random_numbers_of_pytorch_are_left_as_they_are():
    module, before = stack(), torch.get_rng_state()
    AffineModule(module, (1, 2, 8), output=0)
    assert torch.equal(torch.get_rng_state(), before)
