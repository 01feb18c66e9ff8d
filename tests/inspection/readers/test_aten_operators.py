"""Each operator of PyTorch's traces becomes nodes that compute what PyTorch computes."""

import numpy as np
import pytest
from onnx_models import as_in_graph

from capacity_inspection.graphs import capacity_flow, forward, time_reach
from capacity_inspection.readers import read_torch
from capacity_inspection.readers._aten_operators import ATEN, SHAPED

torch = pytest.importorskip("torch")
nn, functional = torch.nn, torch.nn.functional


def assigned(x, place, values):
    """A tensor with other entries at a place."""
    x[place] = values
    return x


CHANNELS = (1, 4, 6, 6)
MASK = torch.ones(6, 6).tril().bool()
SPECTRUM = torch.fft.rfft(torch.randn(4, 1, 6, generator=torch.Generator().manual_seed(0)), 12)
QUERIES = torch.randn(1, 4, 5, 6, generator=torch.Generator().manual_seed(1))
POINTWISE = {
    "abs": torch.abs,
    "erf": torch.erf,
    "exp": torch.exp,
    "gelu": functional.gelu,
    "gelu tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "hardsigmoid": functional.hardsigmoid,
    "hardswish": functional.hardswish,
    "hardtanh": functional.hardtanh,
    "clamp": lambda x: x.clamp(0, 6),
    "clamp, other bounds": lambda x: x.clamp(0, 0.5) + x.clamp(-0.7, 0.7),
    "clamp, between any bounds": lambda x: x.clamp(-0.2, 0.9) + x.clamp(0.1, 0.4),
    "clamp, from one bound on": lambda x: x.clamp(min=0.3) * 2 + x.clamp(max=-0.4) + x.clamp(max=0),
    "clamp_min": lambda x: x.clamp_min(0),
    "clamp_min.Tensor": lambda x: x.clamp_min(torch.tensor(0.0)),
    "elu": lambda x: functional.elu(x, 0.7),
    "leaky_relu": lambda x: functional.leaky_relu(x, 0.3),
    "log, square": lambda x: torch.log(torch.square(x) + 1),
    "log_sigmoid": functional.logsigmoid,
    "mish": functional.mish,
    "neg": torch.neg,
    "pow.Tensor_Scalar": lambda x: x**3 + (x**2 + 1) ** -0.5,
    "rsqrt, reciprocal": lambda x: torch.rsqrt(x * x + 1) + torch.reciprocal(x * x + 2),
    "mul.Tensor, gate": lambda x: x * x.mean((2, 3), keepdim=True).sigmoid(),
    "div.Tensor, values": lambda x: x / (x.abs().sum(1, keepdim=True) + 1),
    "sub.Tensor, var.correction": lambda x: (x - x.mean(1, keepdim=True)) * torch.rsqrt(x.var(1, keepdim=True) + 1e-3),
    "glu": lambda x: functional.glu(x, 1),
    "masked_fill.Scalar, where": lambda x: torch.where(MASK, x.masked_fill(~MASK, 2.0), -x),
    "matmul, softmax.int": lambda x: (x @ x.transpose(2, 3) / 3).masked_fill(~MASK, -torch.inf).softmax(-1) @ x,
    "scaled_dot_product_attention": lambda x: functional.scaled_dot_product_attention(x, x, x, is_causal=True),
    "scaled_dot_product_attention, mask": lambda x: functional.scaled_dot_product_attention(x, x, x, MASK, scale=2.0),
    "scaled_dot_product_attention, one mask": lambda x: functional.scaled_dot_product_attention(
        x, x, x, MASK[None, None]
    ),
    "scaled_dot_product_attention, constant queries": lambda x: functional.scaled_dot_product_attention(
        QUERIES, x, x, MASK[:5]
    ),
    "fft_rfft, fft_irfft": lambda x: torch.fft.irfft(torch.fft.rfft(x, 12) * SPECTRUM, 12)[..., :6],
    "fft_irfft, along rows": lambda x: torch.fft.irfft(SPECTRUM.mT * torch.fft.rfft(x, 12, dim=2), 12, dim=2),
    "einsum": lambda x: torch.einsum("bcij,bckj->bkci", x.sigmoid(), x),
    "einsum, three terms": lambda x: torch.einsum("bcij,bckj,kl->bli", x.sigmoid(), x, torch.ones(6, 2).cumsum(0)),
    "einsum, constants first": lambda x: torch.einsum("ij,jk,bckl->bcil", MASK.float(), MASK.float(), x),
    "linalg_vector_norm; written out: expand_as": lambda x: functional.normalize(x, dim=1),
    "linalg_vector_norm, of order 1": lambda x: torch.linalg.vector_norm(x, 1, 1),
    "unfold": lambda x: x.unfold(2, 3, 2) * 2,
    "written out: repeat_interleave.self_int": lambda x: x.repeat_interleave(3, 1),
    "bmm": lambda x: torch.bmm(x[0].sigmoid(), x[0])[None],
    "written out: baddbmm": lambda x: torch.baddbmm(torch.ones(6), x[0], x[0].sigmoid(), beta=2, alpha=3)[None],
    "cat, constants": lambda x: torch.cat([torch.ones(1, 1, 6, 6), x, torch.full_like(x, 2), x], 1),
    "relu": torch.relu,
    "relu6": functional.relu6,
    "selu": torch.selu,
    "sigmoid": torch.sigmoid,
    "silu": functional.silu,
    "sin": torch.sin,
    "softplus": functional.softplus,
    "softplus, of multiples": lambda x: functional.softplus(x, beta=2),
    "sqrt": lambda x: torch.sqrt(x.abs()),
    "tanh": torch.tanh,
    "add.Tensor": lambda x: torch.add(x, x.relu(), alpha=-2) + 3.5,
    "sub.Tensor": lambda x: 1 - (x.relu() - x) - 2.0,
    "mul.Tensor": lambda x: (lambda y: y * torch.sigmoid(y))(x * -3),
    "div.Tensor": lambda x: x / 4,
    "pad": lambda x: functional.pad(x, (1, 2, 0, 3), value=1.5),
    "pad, reflected": lambda x: functional.pad(x, (2, 1, 0, 3), mode="reflect"),
    "pad, replicated": lambda x: functional.pad(x, (2, 1, 0, 3), mode="replicate"),
    "pad, round": lambda x: functional.pad(x, (2, 1, 0, 3), mode="circular"),
    "pad, cut": lambda x: functional.pad(x, (-1, 2)),
    "slice.Tensor": lambda x: x[:, 1:, ::2, -5:-1],
    "select.int": lambda x: x[..., -2],
    "written out: softsign": lambda x: functional.softsign(2 * x),
    "written out: narrow": lambda x: x.narrow(2, 1, 3),
    "chunk, cat": lambda x: torch.cat(x.chunk(3, 2)[::-1], 2),
    "split.Tensor, stack": lambda x: torch.stack(x.split(3, 3), 1),
    "split_with_sizes": lambda x: x.split([1, 3], 1)[1],
    "unbind.int": lambda x: x.unbind(1)[2] + x.unbind(1)[0],
    "permute, view": lambda x: x.permute(0, 2, 3, 1).reshape(1, 6, 24),
    "transpose.int": lambda x: x.transpose(1, 2).flatten(1) * 2,
    "shuffle": lambda x: x.view(1, 2, 2, 6, 6).transpose(1, 2).reshape(1, 4, 6, 6).relu(),
    "unsqueeze, squeeze": lambda x: x.unsqueeze(2).squeeze(2).contiguous(),
    "unflatten.int": lambda x: x.unflatten(1, (2, 2))[:, 1],
    "expand": lambda x: x.expand(1, -1, 6, 6) + x[:, :, :1].expand(-1, -1, 6, -1),
    "mean.dim": lambda x: x.mean((2, 3)),
    "mean.dim, keepdim": lambda x: x.mean(-1, keepdim=True),
    "mean": lambda x: x.mean().reshape(1, 1),
    "sum.dim_IntList": lambda x: x.sum(1),
    "amax": lambda x: x.amax((2, 3)),
    "max_pool2d": lambda x: functional.max_pool2d(x, 3, 2, 1, ceil_mode=True),
    "max_pool2d, dilated": lambda x: functional.max_pool2d(x, 2, dilation=3),
    "avg_pool2d": lambda x: functional.avg_pool2d(x, 3, 2, 1),
    "avg_pool2d, pads left out": lambda x: functional.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False),
    "adaptive_avg_pool2d": lambda x: functional.adaptive_avg_pool2d(x, (2, 3)),
    "adaptive_avg_pool2d, uneven": lambda x: functional.adaptive_avg_pool2d(x, (4, 3)),
    "adaptive_max_pool2d, uneven": lambda x: functional.adaptive_max_pool2d(x, (4, 5)),
    "avg_pool2d, another divisor": lambda x: functional.avg_pool2d(x, 3, 2, 1, divisor_override=5),
    "celu": functional.celu,
    "cos": torch.cos,
    "log1p": lambda x: torch.log1p(x.abs()),
    "max.dim": lambda x: x.max(-1).values + x.max(2, keepdim=True)[0].squeeze(2),
    "celu, another alpha": lambda x: functional.celu(x, 2.0),
    "elu, its three factors": lambda x: torch.ops.aten.elu(x, 0.7, 1.5, 2.0),
    "written out: channel_shuffle": lambda x: nn.ChannelShuffle(2)(x) * 2,
    "cumsum": lambda x: x.cumsum(-2),
    "flip": lambda x: x.flip((1, -1)),
    "index.Tensor": lambda x: x[:, torch.tensor([[3, 0, 0], [1, -1, 2]])],
    "index.Tensor, two axes": lambda x: x[:, :, torch.tensor([[0], [5]]), torch.tensor([[1, -2, 1]])],
    "copy, slice_scatter": lambda x: assigned(torch.zeros_like(x), np.s_[:, :, 1:], x[:, :, :-1]) + x,
    "copy, slice_scatter, of every second": lambda x: assigned(x.clone(), np.s_[:, 1::2], x[:, :1] * 2),
    "copy, select_scatter": lambda x: assigned(torch.zeros(1, 4, 6, 6), np.s_[..., 0], x.mean(3)) * 2,
    "fill.Tensor, select_scatter": lambda x: assigned(x * 2, np.s_[:, 1, 2:4], 3.0),
    "index_put": lambda x: assigned(x * 2, np.s_[:, :, [4, 1]], x[:, :, 2:4]),
    "written out: index_put, of a mask": lambda x: assigned(x * 2, np.s_[:, torch.arange(4) > 1], x[:, :2]),
    "col2im": lambda x: functional.fold(x.view(1, 16, 9), (8, 4), (2, 4), (2, 1), (0, 1), (2, 1)).relu(),
    "col2im, without a batch": lambda x: functional.fold(x.view(4, 36), (3, 13), (1, 2), stride=(1, 1))[None],
    "index_select": lambda x: x.index_select(2, torch.tensor([4, 0, 1])),
    "written out: movedim": lambda x: x.movedim(1, -1) * 2,
    "written out: std.correction": lambda x: x - x.std((1, 2), keepdim=True),
    "written out: pixel_shuffle, pixel_unshuffle": lambda x: functional.pixel_unshuffle(
        functional.pixel_shuffle(x, 2) * 2, 4
    ),
    "repeat": lambda x: x.repeat(1, 2, 1, 3),
    "roll": lambda x: x.roll((2, -1), (1, -1)),
    "roll, all entries": lambda x: x.roll(8),
    "dropout, detach": lambda x: functional.dropout(x, 0.5, training=False).detach(),
}
LAYERS = {
    "conv1d": (nn.Conv1d(4, 6, 3, stride=2, padding=2, dilation=2, groups=2), (1, 4, 20)),
    "conv1d.padding": (nn.Conv1d(4, 6, 4, padding="same"), (1, 4, 20)),
    "conv2d": (nn.Conv2d(4, 6, (3, 2), bias=False), CHANNELS),
    "conv2d.padding": (nn.Conv2d(4, 6, 3, padding="valid"), CHANNELS),
    "conv3d": (nn.Conv3d(2, 3, 2), (1, 2, 4, 5, 6)),
    "avg_pool1d, max_pool1d": (nn.Sequential(nn.AvgPool1d(2), nn.MaxPool1d(3, 1), nn.AdaptiveAvgPool1d(2)), (1, 3, 20)),
    "max_pool3d, avg_pool3d": (
        nn.Sequential(nn.MaxPool3d(2), nn.AvgPool3d(2), nn.AdaptiveAvgPool3d(1)),
        (1, 2, 8, 8, 8),
    ),
    "batch_norm": (nn.BatchNorm2d(4), CHANNELS),
    "group_norm, instance_norm": (nn.Sequential(nn.GroupNorm(2, 4), nn.InstanceNorm2d(4, affine=True)), CHANNELS),
    "layer_norm, rms_norm": (nn.Sequential(nn.LayerNorm(6), nn.RMSNorm((6, 6))), CHANNELS),
    "local response": (nn.LocalResponseNorm(3, alpha=0.5), CHANNELS),
    "linear": (nn.Linear(6, 5), CHANNELS),
    "prelu": (nn.PReLU(4), CHANNELS),
    "prelu, one slope": (nn.PReLU(), CHANNELS),
    "conv_transpose1d": (nn.ConvTranspose1d(4, 6, 5, 3, 1, output_padding=2, groups=2, dilation=2), (1, 4, 7)),
    "conv_transpose2d.input": (nn.ConvTranspose2d(4, 3, (3, 2), (2, 1), bias=False), CHANNELS),
    "conv_transpose3d.input": (nn.ConvTranspose3d(2, 3, 2, 2), (1, 2, 3, 2, 4)),
    "upsample_nearest1d.vec": (nn.Upsample(scale_factor=2.5), (1, 3, 8)),
    "upsample_nearest2d.vec": (nn.Upsample(size=(9, 4)), CHANNELS),
    "upsample_nearest3d.vec": (nn.Upsample(scale_factor=2), (1, 2, 3, 2, 4)),
    "_upsample_nearest_exact2d.vec": (nn.Upsample(size=(9, 4), mode="nearest-exact"), CHANNELS),
    "upsample_linear1d.vec": (nn.Upsample(scale_factor=1.5, mode="linear"), (1, 3, 8)),
    "upsample_bilinear2d.vec": (nn.Upsample(scale_factor=3, mode="bilinear", align_corners=True), CHANNELS),
    "upsample_bilinear2d.vec, down": (nn.Upsample(size=(4, 1), mode="bilinear"), CHANNELS),
    "upsample_trilinear3d.vec": (nn.Upsample(scale_factor=2, mode="trilinear"), (1, 2, 3, 2, 4)),
    "upsample_bicubic2d.vec": (nn.Upsample(scale_factor=(2, 0.5), mode="bicubic"), CHANNELS),
    "weight norm": (nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 3, 2)), (1, 4, 9)),
}


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def compared(module, size):
    """Difference between what the module and its graph make of a random input, and the graph."""
    torch.manual_seed(0)
    for each in module.modules():
        if isinstance(each, nn.modules.batchnorm._BatchNorm):
            each.running_mean.normal_()
            each.running_var.uniform_(0.5, 2)
            nn.init.normal_(each.weight)
        if isinstance(each, nn.PReLU | nn.GroupNorm | nn.LayerNorm | nn.RMSNorm):
            nn.init.normal_(each.weight)
    inputs = torch.randn(size)
    with torch.no_grad():
        expected = module.eval()(inputs)[0].numpy()
    graph = read_torch(module, size, linear=False)
    found = forward(graph, as_in_graph(graph, inputs.numpy()))[graph.outputs[0]][0]
    assert found.size == expected.size
    candidates = [found, *(np.moveaxis(found, k, j) for k in range(found.ndim) for j in range(found.ndim))]
    fits = [each for each in candidates if each.squeeze().shape == expected.squeeze().shape]
    return min(np.abs(each.reshape(expected.shape) - expected).max() for each in fits), graph


@pytest.mark.parametrize("name", POINTWISE)
def test_a_function_computes_what_pytorch_computes(name):
    difference, _ = compared(Function(POINTWISE[name]), CHANNELS)
    assert difference < 1e-5


@pytest.mark.filterwarnings("ignore:Using padding='same'")
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_computes_what_pytorch_computes(name):
    difference, _ = compared(*LAYERS[name])
    assert difference < 1e-5


def test_products_of_matrices_of_weights():
    class Products(nn.Module):
        def __init__(self):
            super().__init__()
            self.left, self.right, self.bias = (nn.Parameter(torch.randn(*n)) for n in [(3, 6), (6, 2), (2,)])

        def forward(self, x):
            return torch.addmm(self.bias, (self.left @ x[0]), self.right)[None]

    difference, _ = compared(Products(), (1, 6, 6))
    assert difference < 1e-5


class Ends(nn.Module):
    """The last states of a recurrent layer, hidden ones and perhaps cells, side by side."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x):
        ends = self.layer(x)[1]
        return torch.cat([end.flatten()[None] for end in (ends if isinstance(ends, tuple) else [ends])], 1)


class Steps(nn.Module):
    """A cell that is called for one step after the other."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x):
        state = None
        for t in range(x.shape[1]):
            state = self.cell(x[:, t], state)
        return state[0] + state[1] if isinstance(state, tuple) else state


RECURRENT = [(nn.LSTM, {}), (nn.GRU, {}), (nn.RNN, {}), (nn.RNN, {"nonlinearity": "relu"}), (nn.GRU, {"bias": False})]


@pytest.mark.parametrize(("kind", "options"), RECURRENT)
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("ends", [True, False])
def test_recurrent_layers_compute_what_pytorch_computes(kind, options, first, ends):
    module = kind(3, 5, num_layers=2, bidirectional=True, batch_first=first, **options)
    size = (1, 7, 3) if first else (7, 1, 3)
    chosen = Ends(module) if ends else module
    graph = read_torch(chosen, size)
    inputs = torch.randn(size)
    with torch.no_grad():
        expected = chosen(inputs) if ends else chosen(inputs)[0]
    value = forward(graph, inputs.squeeze().numpy().T[None])[graph.outputs[0]]
    flat = value.squeeze() if ends else value[0].T
    np.testing.assert_allclose(flat.ravel(), expected.numpy().ravel(), atol=1e-5)
    assert graph.n_parameters == sum(p.numel() for p in module.parameters())
    own = [sum(node.parameters.values()) for node in graph.layers]
    assert own == [sum(p.numel() for name, p in module.named_parameters() if f"_l{k}" in name) for k in (0, 1)]


@pytest.mark.parametrize("cell", [nn.LSTMCell, nn.GRUCell, nn.RNNCell])
def test_cells_step_by_step_compute_what_pytorch_computes(cell):
    module, inputs = Steps(cell(3, 5)), torch.randn(1, 4, 3)
    graph = read_torch(module, (1, 4, 3))
    with torch.no_grad():
        expected = module(inputs)[0].numpy()
    moved = any(len(axes) > 2 and axes[-1] == "channels" for axes in graph.axes.values())
    given = inputs.numpy().swapaxes(1, 2) if moved else inputs.numpy()
    np.testing.assert_allclose(forward(graph, given)[graph.outputs[0]].ravel(), expected, atol=1e-5)


def test_a_long_convolution_by_fourier_transforms_is_causal_and_has_its_parameters():
    class Long(nn.Module):
        def __init__(self):
            super().__init__()
            self.rate, self.weight = nn.Parameter(torch.rand(3)), nn.Parameter(torch.randn(3))

        def forward(self, x):
            kernel = self.weight[:, None] * torch.exp(-self.rate[:, None] * torch.arange(8))
            return torch.fft.irfft(torch.fft.rfft(x, n=16) * torch.fft.rfft(kernel, n=16), n=16)[..., :8].relu()

    difference, graph = compared(Long(), (1, 3, 8))
    assert difference < 1e-5
    assert graph.n_parameters == 6
    reach = time_reach(graph)
    assert (reach.past, reach.causal) == (7, True)


@pytest.mark.parametrize("places", [4, 5, 6, 7])
def test_an_uneven_pool_chooses_each_entry_of_a_run_alike(places):
    graph = read_torch(nn.AdaptiveMaxPool1d(places), (1, 2, 11), linear=False)
    for k in range(places):
        run = range(k * 11 // places, -(-(k + 1) * 11 // places))
        capacity = capacity_flow(graph, at=(0, k, 0)).inputs[graph.inputs[0]][0]
        np.testing.assert_allclose(capacity, np.isin(np.arange(11), run) / len(run), atol=1e-15)


def test_an_embedding_of_tokens_is_the_input():
    module = nn.Sequential(nn.Embedding(11, 4), nn.Linear(4, 3), nn.GELU())
    graph, tokens = read_torch(module, (1, 9)), torch.randint(0, 11, (1, 9))
    assert graph[graph.inputs[0]].shape == (4, 9)
    with torch.no_grad():
        expected, embedded = module(tokens)[0].numpy().T, module[0](tokens)[0].numpy().T
    np.testing.assert_allclose(forward(graph, embedded[None])[graph.outputs[0]][0], expected, atol=1e-5)
    assert "The embedding '0' is the input" in graph.notes[0]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x @ x.transpose(2, 3), "of the product 'matmul' .* got both or neither, 'x' and 'x'"),
        (lambda x: x.sigmoid() * x.softmax(1), "of the product 'mul' .* got both or neither, 'sigmoid' and 'softmax'"),
        (lambda x: torch.softmax(x, 1).relu(), "got 'softmax', whose shares are passed on as they are"),
        (lambda x: x[:, x[0, 0, 0, :2].long()], "indices depend on the input"),
        (lambda x: torch.fft.irfft(torch.fft.rfft(x) * SPECTRUM[..., :4], 6), "zeros for 5 steps, .* got 0"),
        (lambda x: torch.fft.irfft(torch.fft.rfft(x) ** 2, 6), "follows a Fourier transform"),
        (lambda x: torch.fft.irfft(torch.fft.rfft(x) * torch.fft.rfft(x), 6), "follows a Fourier transform"),
    ],
)
def test_what_cannot_be_followed_is_refused_by_name(function, message):
    with pytest.raises(ValueError, match=message) as error:
        read_torch(Function(function), CHANNELS, linear=False)
    assert str(error.value).startswith(("module: ", "gain: "))
    assert "\n" not in str(error.value)


def test_every_operator_is_one_of_those_that_are_read_from_traces():
    operators = {name.split(".")[0] for name in (*ATEN, *SHAPED)}
    missing = [name for name in operators if not hasattr(torch.ops.aten, name)]
    assert missing == []
