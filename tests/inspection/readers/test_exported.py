"""What PyTorch exports is summarised like the module itself."""

import logging

import numpy as np
import pytest

from capacity_inspection.readers import read_onnx, read_torch
from capacity_inspection.reports import summary

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
nn = torch.nn


class Sequence(nn.Module):
    """The outputs of a recurrent layer at the last step."""

    def __init__(self, kind, **options):
        super().__init__()
        self.layer = kind(3, 5, batch_first=True, **options)

    def forward(self, x):
        return self.layer(x)[0][:, -1]


class Encoder(nn.Module):
    def __init__(self, *, norm_first):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=norm_first)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x):
        return self.layers(x)


MODULES = {
    "encoder, norms first": (Encoder(norm_first=True), (1, 6, 8)),
    "encoder, norms last": (Encoder(norm_first=False), (1, 6, 8)),
    "tokens one by one": (nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 4)), (1, 6, 8)),
    "RMSNorm": (nn.Sequential(nn.Linear(8, 8), nn.RMSNorm(8), nn.Linear(8, 4)), (1, 6, 8)),
    "GRU": (Sequence(nn.GRU, bidirectional=True), (1, 9, 3)),
    "LSTM": (Sequence(nn.LSTM, num_layers=2), (1, 9, 3)),
    "local response": (nn.Sequential(nn.Conv2d(3, 6, 3), nn.LocalResponseNorm(3)), (1, 3, 7, 7)),
    "groups": (nn.Sequential(nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8), nn.SiLU()), (1, 3, 7, 7)),
    "pixels": (nn.Sequential(nn.PixelUnshuffle(2), nn.Conv2d(8, 4, 3), nn.PixelShuffle(2)), (1, 2, 8, 8)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("dynamo", [True, False])
def test_an_export_is_summarised_like_the_module(name, dynamo, tmp_path):
    logging.disable(logging.WARNING)
    module, size = MODULES[name]
    torch.manual_seed(0)
    for parameter in module.eval().parameters():  # the exporter joins arrays that are equal
        nn.init.normal_(parameter, std=0.3)
    path = tmp_path / "network.onnx"
    try:
        torch.onnx.export(module, (torch.randn(size),), path, dynamo=dynamo)
    except torch.onnx.errors.UnsupportedOperatorError:
        pytest.skip("the older exporter does not know it")
    own, theirs = (summary(graph) for graph in (read_torch(module, size, linear=False), read_onnx(path)))
    assert own.totals["parameters"].value == theirs.totals["parameters"].value
    for key in ("field", "past", "future", "latency", "independent"):
        assert (key in own.totals) == (key in theirs.totals)
        assert key not in own.totals or own.totals[key].value == theirs.totals[key].value
    for rule, expected in own.allocation.items():
        np.testing.assert_allclose(theirs.allocation[rule], expected, atol=1e-5)
