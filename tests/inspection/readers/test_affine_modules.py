"""An affine module is the linear model whose coefficients its outputs have; anything else is refused."""

import sys

import numpy as np
import pytest

from capacity.allocation import exact_capacity, model_constraints
from capacity.models import DilatedConvolution
from capacity_inspection.readers import AffineModule

torch = pytest.importorskip("torch")
nn = torch.nn


def stack():
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv1d(2, 3, 2), nn.Conv1d(3, 1, 2, dilation=2))


def test_the_coefficients_are_what_the_output_takes_from_each_input():
    module = stack()
    model = AffineModule(module, (1, 2, 6))
    inputs = torch.randn(5, 2, 6)
    with torch.no_grad():
        outputs = (module(inputs) - module(torch.zeros(1, 2, 6)))[:, 0, -1].numpy()
    flat = inputs.numpy().transpose(0, 2, 1).reshape(5, -1)  # the components of a position together
    np.testing.assert_allclose(flat @ model.coefficients(model.parameters), outputs, atol=1e-6)


def test_another_output_is_chosen_by_its_index():
    module = stack()
    first, last = (AffineModule(module, (1, 2, 6), output=at) for at in ((0, 0), (0, 2)))
    values = [model.coefficients(model.parameters) for model in (first, last)]
    np.testing.assert_allclose(values[0][:8], values[1][4:], rtol=1e-12)  # two positions of two components later
    assert not values[0][8:].any()
    with pytest.raises(ValueError, match=r"output: expected an index below \(1, 3\), got \(0, 3\)"):
        AffineModule(module, (1, 2, 6), output=(0, 3))


def test_the_jacobian_is_that_of_differences_and_its_products_are_products_with_it():
    model = AffineModule(stack(), (1, 2, 6))
    rng = np.random.default_rng(1)
    at, direction, y = model.initial(rng), rng.standard_normal(model.n_parameters), rng.standard_normal(model.n_inputs)
    jacobian = model.jacobian(at)
    ahead, behind = (model.coefficients(at + step * direction) for step in (1e-5, -1e-5))
    np.testing.assert_allclose(jacobian @ direction, (ahead - behind) / 2e-5, atol=1e-8)
    np.testing.assert_allclose(model.pullback(at, y), jacobian.T @ y, atol=1e-12)
    factors = model.tangent_factors(at)
    np.testing.assert_allclose(np.hstack(list(factors.values())), jacobian)
    assert {name: part.shape[1] for name, part in factors.items()} == {"0": 15, "1": 7}


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
