"""One call for whatever a network is given as: each goes where it belongs."""

from dataclasses import replace

import numpy as np
import pytest

import capacity
import capacity_inspection
from capacity_inspection import readers
from capacity_inspection.graphs import from_layers
from capacity_inspection.reports import linear_report, network_report, read_network, summary

MODEL = capacity.DilatedConvolution([1, 2, 4])
TOML = 'architecture = "tcn"\ndilations = [1, 2, 4]\nchannels = 1\n'


def test_it_stands_at_the_top_of_the_package():
    assert capacity_inspection.summary is summary


def test_a_linear_model_has_its_report():
    assert str(summary(MODEL, process=capacity.GaussianProcess())) == str(
        linear_report(MODEL, process=capacity.GaussianProcess())
    )


def test_a_description_brings_its_process_unless_another_is_given(tmp_path):
    path = tmp_path / "network.toml"
    path.write_text(TOML + '[process]\nname = "white"\n')
    assert summary(path, optima=1).title == "DilatedConvolution of 8 inputs on white"
    assert summary(str(path), process=capacity.GaussianProcess(), optima=1).title.endswith("on power law")


def test_strictness_raises_where_a_number_is_missing():
    with pytest.raises(ValueError, match=r"strict: .* capacity of layer 1, needs what the model is to predict"):
        summary(MODEL, strict=True)
    summary(MODEL, process=capacity.GaussianProcess(), strict=True)


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "network.pt").write_bytes(b"")
    with pytest.raises(ValueError, match=r"expected a file \.onnx or \.toml, got 'network.pt'"):
        summary(tmp_path / "network.pt")


def test_a_graph_has_its_report_and_a_module_is_read(monkeypatch):
    graph = readers.tcn([1, 2], activation="relu")
    assert str(summary(graph, output="layer 1")) == str(network_report(graph, output="layer 1"))

    class Module:
        def state_dict(self):
            return {}

    module = Module()
    monkeypatch.setattr(readers, "read_torch", lambda given, size: graph if given is module else size, raising=False)
    assert str(summary(module, (1, 1, 4))) == str(network_report(graph))


def test_an_onnx_file_is_read_with_its_sizes(monkeypatch, tmp_path):
    graph, asked = readers.tcn([1, 2], activation="relu"), {}
    monkeypatch.setattr(readers, "read_onnx", lambda path, **options: asked.update(path=path, **options) or graph)
    assert read_network(tmp_path / "network.onnx", (1, 1, 4)) == (graph, None, None)
    assert asked == {"path": tmp_path / "network.onnx", "input_sizes": (1, 1, 4)}


def test_a_linear_module_is_looked_at_where_its_training_left_it():
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    layers = [torch.nn.Conv1d(1, 2, 2, bias=False), torch.nn.Conv1d(2, 1, 2, dilation=2, bias=False)]
    weights = [layer.weight.detach().double().numpy() for layer in layers]
    model, parameters = capacity.DilatedConvolution.from_weights(weights, [1, 2])
    process = capacity.GaussianProcess()
    ours = summary(model, process=process, parameters=parameters)
    theirs = summary(torch.nn.Sequential(*layers).double(), (1, 1, 4), process=process)
    assert theirs["total", "loss"].value == pytest.approx(ours["total", "loss"].value, rel=1e-9)
    np.testing.assert_allclose(theirs.allocation["capacity"], ours.allocation["capacity"], atol=1e-9)


def test_a_module_with_activations_has_the_report_of_its_graph():
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Conv2d(4, 2, 3))
    report = summary(module, (1, 3, 9, 9))
    assert report["total", "parameters"].value == sum(weights.numel() for weights in module.parameters())
    assert report["total", "field"].value == (5, 5)
    with pytest.raises(ValueError, match="input_size: expected that of a module"):
        summary(module)


def test_numbers_of_parameters_are_marked_where_nobody_can_tell_what_was_trained():
    graph = from_layers((1, 8), [("convolution", {"kernel": np.ones((2, 1, 3))})])
    exact, marked = summary(graph), summary(replace(graph, counted="stored numbers"))
    for place in ("total", graph.layers[0].name):
        known, assumed = exact[place, "parameters"], marked[place, "parameters"]
        assert (known.kind, assumed.kind, assumed.note) == ("exact", "assumed", "stored numbers")
        assert known.value == assumed.value == 6


def test_a_module_that_keeps_channels_last_is_not_read_the_other_way_round():
    torch = pytest.importorskip("torch")
    layers = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Linear(4, 1))
    report = summary(layers, (1, 24, 3))
    assert "reads 3 channels of 24 steps, as (batch, time, channels)" in report.title
    assert "the last 1 step" in report.says[0]
    first = torch.nn.Conv1d(1, 8, 3)
    assert summary(first, (1, 1, 128)).says[0].startswith("It sees 3 of the 128 positions")  # without pads
    wide = torch.nn.Sequential(torch.nn.Conv1d(1, 4, 3, padding=1), torch.nn.Conv1d(4, 1, 3, padding=1))
    assert "it looks 2 steps ahead, which 0 does first (0 -> 1)" in summary(wide, (1, 1, 24)).says[0]
    with pytest.raises(ValueError, match="time_axis: expected none for what has been read"):
        summary(MODEL, time_axis=1)


def test_a_module_that_maps_all_steps_to_others_is_read_along_the_axis_that_is_said_to_be_time():
    torch = pytest.importorskip("torch")

    class Decomposed(torch.nn.Module):  # Zeng et al. (2023), (batch, time, channels)
        def __init__(self):
            super().__init__()
            self.mean, self.trend, self.rest = torch.nn.AvgPool1d(5, 1), *(torch.nn.Linear(24, 6) for _ in range(2))

        def forward(self, x):
            padded = torch.cat([x[:, :1].repeat(1, 2, 1), x, x[:, -1:].repeat(1, 2, 1)], 1)
            mean = self.mean(padded.transpose(1, 2))
            return (self.trend(mean) + self.rest(x.transpose(1, 2) - mean)).transpose(1, 2)

    for given in (None, 1):  # by itself, too, since means slide along it
        report = summary(Decomposed(), (1, 24, 2), time_axis=given)
        assert "reads 2 channels of 24 positions, as (batch, time, channels)" in report.title
        assert report["total", "field"].value == (24,)
        assert report["total", "parameters"].value == 2 * (24 + 1) * 6
        assert not [told for told in report.says if "time_axis" in told]


def test_an_affine_module_whose_layers_do_not_decide_which_axis_is_time_is_told_how_to_take_the_other():
    torch = pytest.importorskip("torch")

    class Last(torch.nn.Module):  # less the last value, (batch, time, channels)
        def __init__(self):
            super().__init__()
            self.ahead = torch.nn.Linear(24, 6)

        def forward(self, x):
            return self.ahead((x - x[:, -1:]).transpose(1, 2)).transpose(1, 2) + x[:, -1:]

    report = summary(Last(), (1, 24, 2))
    assert report.says[1].endswith(
        "It is read as (batch, channels, time), 24 channels of 2 steps; with time_axis=1 (--time-axis 1) as (batch, "
        "time, channels), 2 channels of 24 steps."
    )
    given = summary(Last(), (1, 24, 2), time_axis=1)
    assert (given["total", "field"].value, [told for told in given.says if "time_axis" in told]) == ((24,), [])


def test_the_one_axis_of_an_affine_module_is_time_as_its_linear_model_has_it():
    torch = pytest.importorskip("torch")
    for given in (None, 1):
        report = summary(torch.nn.Linear(24, 1), (1, 24), time_axis=given)
        assert report.title.endswith("reads 1 channel of 24 positions, as (batch, time)")
        assert report.says[0].startswith("It sees 24 of the 24 positions.")
        assert not [told for told in report.says if "time_axis" in told]
    network = summary(torch.nn.Sequential(torch.nn.Linear(24, 4), torch.nn.ReLU()), (1, 24))
    assert "with time_axis=1 (--time-axis 1) as (batch, time), 1 channel of 24 steps" in network.says[1]


def test_of_an_affine_module_that_no_graph_has_the_axes_are_told():
    torch = pytest.importorskip("torch")

    class Filter(torch.nn.Module):
        def __init__(self, size):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.ones(size))

        def forward(self, x):
            return torch.fft.fftn(self.weight * x).real

    series, image = (summary(Filter(size), (1, *size)) for size in [(3, 8), (2, 4, 5)])
    assert (series.title.endswith("as (batch, channels, time)"), series.says[0]) == (True, "It sees the last 8 steps.")
    assert image.title.endswith("as (batch, channels, positions, positions)")
    assert image.says[0] == "It sees 20 positions."


def test_all_that_keeps_a_network_from_being_causal_is_named():
    torch = pytest.importorskip("torch")
    nn = torch.nn

    class Squeezed(nn.Module):  # Hu et al. (2018)
        def __init__(self):
            super().__init__()
            self.first, self.gate, self.last = nn.Conv1d(2, 4, 3, padding=1), nn.Linear(4, 4), nn.Conv1d(4, 1, 1)

        def forward(self, x):
            x = torch.relu(self.first(x))
            return self.last(x * torch.sigmoid(self.gate(x.mean(-1)))[:, :, None])

    said = summary(Squeezed(), (1, 2, 16)).says[0]
    assert "it looks 15 steps ahead, which first does first (first -> mul -> last)" in said
    assert said.endswith("to forecast, pad on the past's side only, and let mul see no later step.")
    plain = nn.Sequential(nn.Conv1d(2, 4, 3, padding=1), nn.ReLU(), nn.Conv1d(4, 1, 3, padding=1))
    assert summary(plain, (1, 2, 16)).says[0].endswith("to forecast, pad on the past's side only.")

    class Ring(nn.Module):  # whose first output sees all steps already below the attention
        def __init__(self):
            super().__init__()
            self.first = nn.Conv1d(2, 4, 3, padding=1, padding_mode="circular")
            self.encoder = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)

        def forward(self, x):
            return self.encoder(self.first(x).transpose(1, 2))

    said = summary(Ring(), (1, 2, 16)).says[0]
    assert said.endswith("to forecast, mask later steps, and let that see no later step.")

    class Centred(nn.Module):  # by a mean of steps, which is expanded again
        def forward(self, x):
            return x - x.mean(-1, keepdim=True)

    centred = nn.Sequential(Centred(), nn.ConstantPad1d((2, 0), 0.0), nn.Conv1d(2, 1, 3), nn.ReLU())
    assert summary(centred, (1, 2, 16)).says[0].endswith("to forecast, let what 0.sub reads see no later step.")
