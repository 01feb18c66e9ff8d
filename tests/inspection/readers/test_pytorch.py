"""Modules of PyTorch are graphs that compute the same, layer by layer, or linear models; the rest is refused."""

import doctest
import inspect
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from capacity_inspection.graphs import Box, Graph, forward, moving_fields, receptive_fields, time_reach
from capacity_inspection.readers import AffineModule, installed_file, read_torch
from capacity_inspection.reports import network_report


def test_without_the_library_its_name_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install capacity-allocation\[torch\]"):
        read_torch(None, (1, 2))


torch = pytest.importorskip("torch")
nn, functional = torch.nn, torch.nn.functional


@pytest.mark.parametrize("reader", [read_torch, AffineModule])
def test_examples_in_the_documentation_come_out_as_printed(reader):
    shown = inspect.getdoc(reader).replace("# doctest: +SKIP", "")
    example = doctest.DocTestParser().get_doctest(shown, {reader.__name__: reader}, reader.__name__, None, 0)
    assert doctest.DocTestRunner().run(example) == (0, len(example.examples)) != (0, 0)


def faces(kind):
    """The three networks of facenet-pytorch, with the weights that come with it, up to their softmax."""
    if kind == "pnet":
        layers = {"conv1": nn.Conv2d(3, 10, 3), "conv2": nn.Conv2d(10, 16, 3), "conv3": nn.Conv2d(16, 32, 3)}
        heads = {"conv4_1": nn.Conv2d(32, 2, 1), "conv4_2": nn.Conv2d(32, 4, 1)}
        pools, size = {"conv1": (2, 2)}, (1, 3, 12, 12)
    elif kind == "rnet":
        layers = {"conv1": nn.Conv2d(3, 28, 3), "conv2": nn.Conv2d(28, 48, 3), "conv3": nn.Conv2d(48, 64, 2)}
        layers["dense4"] = nn.Linear(576, 128)
        heads = {"dense5_1": nn.Linear(128, 2), "dense5_2": nn.Linear(128, 4)}
        pools, size = {"conv1": (3, 2), "conv2": (3, 2)}, (1, 3, 24, 24)
    else:
        layers = {"conv1": nn.Conv2d(3, 32, 3), "conv2": nn.Conv2d(32, 64, 3), "conv3": nn.Conv2d(64, 64, 3)}
        layers |= {"conv4": nn.Conv2d(64, 128, 2), "dense5": nn.Linear(1152, 256)}
        heads = {"dense6_1": nn.Linear(256, 2), "dense6_2": nn.Linear(256, 4), "dense6_3": nn.Linear(256, 10)}
        pools, size = {"conv1": (3, 2), "conv2": (3, 2), "conv3": (2, 2)}, (1, 3, 48, 48)

    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            for name, layer in {**layers, **heads}.items():
                self.add_module(name, layer)
                if name in layers:
                    slopes = layer.weight.shape[0]
                    self.add_module(f"prelu{name[-1]}", nn.PReLU(slopes))

        def forward(self, x):
            for name, layer in layers.items():
                if name.startswith("dense") and x.ndim > 2:
                    x = x.permute(0, 3, 2, 1).contiguous()
                    x = x.view(x.shape[0], -1)
                x = getattr(self, f"prelu{name[-1]}")(layer(x))
                if name in pools:
                    x = functional.max_pool2d(x, *pools[name], ceil_mode=True)
            first, *others = (head(x) for head in heads.values())
            return (*others, torch.softmax(first, 1))

    network = Network().eval()
    try:
        path = installed_file("facenet-pytorch", f"data/{kind}.pt")
    except FileNotFoundError:
        pytest.skip("facenet-pytorch is not installed")
    network.load_state_dict(torch.load(path, weights_only=True))
    return network, size


@pytest.mark.parametrize("kind", ["pnet", "rnet", "onet"])
def test_the_face_detector_computes_what_pytorch_computes_node_by_node(kind):
    network, size = faces(kind)
    torch.manual_seed(0)
    image = torch.rand(size) * 2 - 1
    seen, hooks = {}, []
    for name, layer in network.named_children():
        hook = lambda _, __, output, name=name: seen.update({name: output[0].detach().numpy()})  # noqa: E731
        hooks.append(layer.register_forward_hook(hook))
    network(image)
    for hook in hooks:
        hook.remove()
    graph = read_torch(network, size)
    found = forward(graph, image.numpy())
    assert set(seen) <= set(found)
    for name, expected in seen.items():
        np.testing.assert_allclose(found[name][0], expected, rtol=1e-5, atol=1e-5)
    slopes = [node.arrays["slopes"] for node in graph.nodes if "slopes" in node.arrays]
    learned = [layer.weight.detach().numpy() for layer in network.children() if isinstance(layer, nn.PReLU)]
    assert len(slopes) == len(learned)
    for ours, theirs in zip(slopes, learned, strict=True):
        np.testing.assert_array_equal(ours.ravel(), theirs)
    assert "Softmax" in graph.notes[0]


class Residual(nn.Module):
    """Two dilated causal layers with a normalisation, a shortcut, and a part written in place."""

    def __init__(self):
        super().__init__()
        self.first = nn.utils.parametrizations.weight_norm(nn.Conv1d(4, 4, 2, dilation=2, padding=2))
        self.norm = nn.BatchNorm1d(4)
        self.activation = nn.ReLU(inplace=True)
        self.drop = nn.Dropout(0.5)
        self.last = nn.Conv1d(4, 1, 1)

    def forward(self, x):
        y = self.first(x)[..., :-2]
        y = self.norm(y)
        self.activation(y)
        y += x
        return self.last(self.drop(y))


def test_a_residual_block_is_read_with_the_names_of_its_layers_in_whatever_mode_it_is():
    torch.manual_seed(0)
    module = Residual()
    module.norm.running_mean.normal_()
    module.train()
    module.norm.eval()
    graph = read_torch(module, (16, 4, 30))
    assert module.training
    assert not module.norm.training
    assert [node.name for node in graph.nodes if "." not in node.name] == [
        "x",
        "slice_1",
        "norm",
        "activation",
        "add_",
        "last",
    ]
    inputs = torch.randn(3, 4, 30)
    with torch.no_grad():
        expected = module.eval()(inputs)
    np.testing.assert_allclose(forward(graph, inputs.numpy())["last"], expected, atol=1e-6)


def test_parameters_on_which_no_output_depends_are_named_and_not_counted():
    class Network(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.unused = nn.Conv1d(2, 3, 3), nn.Conv1d(3, 1, 1)

        def forward(self, x):
            y = functional.relu(self.used(x))
            self.unused(y)
            return y

    graph = read_torch(Network(), (1, 2, 9))
    assert graph.n_parameters == 21
    assert graph.notes == ("4 parameters of the module do not reach the output: 'unused.weight', 'unused.bias'.",)
    tied = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
    tied[2].weight = tied[0].weight
    assert not [note for note in read_torch(tied, (1, 4)).notes if "reach the output" in note]


@pytest.mark.parametrize("axis", [1, 2, 3])
def test_an_image_that_gets_its_channel_in_the_network_is_one_channel_wherever_it_is_put(axis):
    class Image(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Conv2d(1, 3, 5, padding=2), nn.Conv2d(3, 2, (3, 5), stride=2)

        def forward(self, x):
            return self.second(torch.relu(self.first(x.unsqueeze(axis).movedim(axis, 1))))

    graph = read_torch(Image(), (1, 20, 30))
    assert graph[graph.inputs[0]].shape == (1, 20, 30)
    fields = moving_fields(graph)[graph.outputs[0]]
    assert [(field.start, field.extent, field.stride) for field in fields[1:]] == [(-2, 7, 2), (-2, 9, 2)]
    assert all("channels" not in axes for axes in graph.axes.values())


def test_a_graph_stays_as_it_was_when_its_module_is_trained_on():
    module, inputs = (
        nn.Sequential(nn.Conv1d(1, 4, 3), nn.PReLU(4), nn.Flatten(), nn.Linear(40, 2)),
        torch.ones(1, 1, 12),
    )
    graph = read_torch(module, (1, 1, 12), linear=False)
    before = forward(graph, inputs.numpy())[graph.outputs[0]]
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(1.0)
    np.testing.assert_array_equal(forward(graph, inputs)[graph.outputs[0]], before)


def test_an_affine_module_is_a_linear_model_unless_a_graph_is_asked_for():
    module = nn.Sequential(nn.Conv1d(2, 3, 2), nn.Conv1d(3, 1, 2, dilation=2))
    model = read_torch(module, (8, 2, 6))
    assert isinstance(model, AffineModule)
    assert (model.n_inputs, model.output) == (12, (0, 2))
    graph = read_torch(module, (8, 2, 6), linear=False)
    assert [node.operator for node in graph.nodes] == ["input", "convolution", "convolution"]
    assert not isinstance(read_torch(module, (8, 2, 6), memory=1000), AffineModule)
    with pytest.raises(ValueError, match="memory: expected at least"):
        read_torch(module, (8, 2, 6), memory=1000, linear=True)
    with pytest.raises(ValueError, match="deviates from superposition"):
        read_torch(nn.Sequential(*module, nn.ReLU()), (8, 2, 6), linear=True)


def test_what_is_written_into_parameters_is_followed_and_leaves_them_as_they_are():
    class Masked(nn.Conv1d):
        def forward(self, x):
            self.weight.data[..., 2:] = 0
            return super().forward(x)

    module = Masked(1, 2, 3)
    before = module.weight.detach().clone()
    graph = read_torch(module, (1, 1, 8))
    assert torch.equal(module.weight, before)
    assert isinstance(graph, Graph)
    assert not graph.layers[-1].arrays["kernel"][..., 2:].any()
    assert graph.n_parameters == 8
    with pytest.raises(ValueError, match=r"writes into 'weight'"):
        read_torch(module, (1, 1, 8), linear=True)


class Decoder(nn.Module):
    """A causal block with an RMS norm that is written out, heads that share keys, and a gated network."""

    def __init__(self):
        super().__init__()
        self.factor = nn.Parameter(torch.rand(8) + 0.5)
        self.queries, self.keys, self.values = nn.Linear(8, 8), nn.Linear(8, 4), nn.Linear(8, 4)
        self.gate, self.up, self.down = nn.Linear(8, 12), nn.Linear(8, 12), nn.Linear(12, 8)

    def forward(self, x):
        y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.factor
        parts = [layer(y).unflatten(-1, (-1, 2)).transpose(1, 2) for layer in (self.queries, self.keys, self.values)]
        queries, (keys, values) = parts[0], (part.repeat_interleave(2, 1) for part in parts[1:])
        mixed = functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        x = x + mixed.transpose(1, 2).flatten(2)
        return x + self.down(functional.silu(self.gate(x)) * self.up(x))


class Vision(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.token = nn.Conv2d(3, 8, 4, 4), nn.Parameter(torch.randn(1, 1, 8))
        self.positions = nn.Parameter(torch.randn(1, 10, 8))
        layer = nn.TransformerEncoderLayer(8, 2, 16, activation="gelu", batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        return self.encoder(torch.cat([self.token.expand(len(x), -1, -1), x], 1) + self.positions)[:, 0]


def encoder(*, first):
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=first)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


@pytest.mark.parametrize(
    ("module", "size"),
    [
        (encoder(first=True), (1, 5, 8)),
        (encoder(first=False), (5, 1, 8)),
        (Decoder(), (1, 5, 8)),
        (Vision(), (1, 3, 12, 12)),
    ],
    ids=["encoder", "encoder, batch second", "decoder", "vision"],
)
def test_transformers_are_read_with_their_parameters_and_summarised(module, size):
    torch.manual_seed(0)
    for parameter in module.eval().parameters():
        nn.init.normal_(parameter, std=0.5)
    x = torch.randn(size)
    with torch.no_grad():
        expected = module(x).squeeze().numpy()
    graph = read_torch(module, size)
    inputs = x.squeeze().numpy()
    if any(len(axes) > 2 and axes[-1] == "channels" for axes in graph.axes.values()):
        inputs, expected = np.moveaxis(inputs, -1, 0), np.moveaxis(expected, -1, 0)
    np.testing.assert_allclose(
        forward(graph, inputs[None])[graph.outputs[0]][0].squeeze(), expected, rtol=1e-4, atol=1e-5
    )
    assert graph.n_parameters == sum(parameter.numel() for parameter in module.parameters())
    report = network_report(graph)
    assert report[graph.inputs[0], "sampled"].kind == "assumed"
    allocation = report.allocation["sampled"]
    np.testing.assert_allclose(allocation.sum(), 1)
    if isinstance(module, Decoder):
        assert receptive_fields(graph, at=(0, 2))[graph.inputs[0]].stop == (8, 3)


def test_all_operators_that_no_graph_has_are_named_with_their_submodules():
    class Sorted(nn.Module):
        def forward(self, x):
            return torch.fft.fft(x.sort(-1).values).real

    layers = nn.Sequential(nn.Conv1d(2, 4, 3), nn.Sequential(Sorted()), nn.ReLU())
    with pytest.raises(ValueError, match=r"got sort \(in '1\.0\.sort'\), fft_fft \(in '1\.0\.fft_fft'\)"):
        read_torch(layers, (1, 2, 6))


def test_a_module_that_cannot_be_traced_or_does_not_fit_is_refused_in_one_line():
    class Branches(nn.Module):
        def forward(self, x):
            return x if x.sum() > 0 else -x

    for module, size in [(Branches(), (1, 3)), (nn.Conv1d(2, 3, 2), (1, 5, 8)), (nn.Linear(3, 2), (1, 4))]:
        with pytest.raises(ValueError, match=r"module: expected one that torch\.export can trace") as error:
            read_torch(module, size)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 700
    with pytest.raises(ValueError, match="input_size: expected a size that fits the module"):
        read_torch(nn.Linear(3, 2), (1, 4), linear=True)


@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")
def test_modules_of_a_form_that_cannot_be_traced_are_refused_with_what_to_pass():
    class Two(nn.Module):
        def forward(self, x, mask, scale=1.0):
            return x * mask * scale

    refused = {
        r"one input, got \['x', 'mask'\]; wrap": Two(),
        r"TorchScript \(in '0'\); pass that which was scripted": nn.Sequential(torch.jit.script(nn.ReLU())),
        r"have a size, got lazy ones, such as '0\.weight'; call": nn.Sequential(nn.LazyConv1d(2, 3)),
    }
    for message, module in refused.items():
        with pytest.raises(ValueError, match=f"module: expected .*{message}"):
            read_torch(module, (1, 2, 6))
    compiled = torch.compile(nn.Sequential(nn.Conv1d(1, 2, 3), nn.ReLU()))
    assert [node.name for node in read_torch(compiled, (1, 1, 6)).nodes] == ["input", "0", "1"]


def test_modules_are_read_in_several_threads():
    modules = [nn.Sequential(nn.Conv1d(1, k, 3), nn.Dropout(0.5), nn.ReLU()) for k in (1, 2, 3, 4)]
    with ThreadPoolExecutor(4) as pool:
        graphs = list(pool.map(lambda module: read_torch(module, (1, 1, 16), linear=False), modules))
    assert [graph.n_parameters for graph in graphs] == [4, 8, 12, 16]
    assert all(layer.training for module in modules for layer in module)


class Masked(nn.Conv1d):
    """A convolution whose last tap a mask hides."""

    def forward(self, x):
        return functional.conv1d(x, self.weight * torch.tensor([1.0, 1.0, 0.0]), self.bias, padding=1)


def test_zeros_of_parameters_are_paths_and_those_of_masks_are_none():
    layer = nn.Conv1d(1, 2, 3, padding=1)
    turned = nn.utils.parametrizations.weight_norm(nn.Conv1d(2, 2, 3, padding=1))
    with torch.no_grad():
        nn.init.dirac_(layer.weight)
        nn.init.dirac_(turned.parametrizations.weight.original1)
    seen = receptive_fields(read_torch(nn.Sequential(layer, nn.ReLU(), turned), (1, 1, 16), linear=False))
    assert seen["input"].shape == (1, 5)
    masked = Masked(1, 2, 3)
    with torch.no_grad():
        masked.weight[:, :, 0] = 0
    graph = read_torch(nn.Sequential(masked, nn.ReLU()), (1, 1, 16), linear=False)
    assert receptive_fields(graph, at=(0, 8))["input"] == Box((0, 7), (1, 9))
    assert not time_reach(graph).future


class Third(nn.Module):
    def forward(self, x):
        return x / 3


def test_numbers_in_a_module_of_doubles_are_doubles():
    module, inputs = nn.Sequential(nn.Conv1d(1, 1, 1), Third()).double(), np.linspace(0, 1, 8).reshape(1, 1, 8)
    (found,) = forward(read_torch(module, inputs.shape, linear=False), inputs)["1.div"]
    np.testing.assert_allclose(found, module(torch.from_numpy(inputs)).detach().numpy()[0], rtol=1e-14)


def test_what_is_no_module_or_no_size_is_refused():
    with pytest.raises(TypeError, match=r"pass tuple\(input\.shape\)"):
        read_torch(nn.Linear(3, 1), torch.zeros(1, 3))
    with pytest.raises(TypeError, match=r"module: expected a torch\.nn\.Module, got dict"):
        read_torch({}, (1, 3))
    with pytest.raises(TypeError, match="input_size"):
        read_torch(nn.Linear(3, 2), (1, 3.5))
    with pytest.raises(ValueError, match="input_size"):
        read_torch(nn.Linear(3, 2), (0, 3))
    with pytest.raises(TypeError, match="memory"):
        read_torch(nn.Linear(3, 2), (1, 3), memory=0.5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("normed", [nn.utils.weight_norm, nn.utils.parametrizations.weight_norm])
def test_weights_of_recurrent_layers_that_are_computed_have_all_their_parameters(normed):
    module = nn.GRU(2, 4, 2, batch_first=True, bidirectional=True)
    for layer in range(2):
        module = normed(module, name=f"weight_hh_l{layer}")
    graph = read_torch(module, (1, 8, 2))
    assert [node.n_parameters for node in graph.nodes if node.operator == "recurrent"] == [204, 348]
    assert graph.n_parameters == sum(p.numel() for p in module.parameters())
    assert not graph.notes


def test_first_states_that_are_learned_count_where_they_are_zero_and_are_refused_with_the_remedy_elsewhere():
    class Started(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.layers = nn.Parameter(torch.zeros(2, 1, 3)), nn.GRU(2, 3, 2, batch_first=True)

        def forward(self, x):
            return self.layers(x, self.first)[0]

    module = Started()
    graph = read_torch(module, (1, 8, 2))
    assert (graph.n_parameters, graph.notes) == (sum(p.numel() for p in module.parameters()), ())
    nn.init.ones_(module.first)
    with pytest.raises(ValueError, match=r"expected first states that are zero .*; set them to zero"):
        read_torch(module, (1, 8, 2))


@pytest.mark.filterwarnings("ignore")
def test_an_affine_module_whose_hooks_keep_computed_weights_is_a_linear_model():
    module = nn.Sequential(nn.utils.weight_norm(nn.Conv1d(1, 4, 3)), nn.utils.weight_norm(nn.Conv1d(4, 1, 3)))
    module(torch.ones(1, 1, 8)).sum().backward()
    model = read_torch(module, (1, 1, 8), linear=True)
    assert (type(model), model.n_parameters) == (AffineModule, sum(p.numel() for p in module.parameters()))
    taps = [layer.weight.detach().double().numpy() for layer in module]
    filters = sum(np.convolve(taps[0][k, 0, ::-1], taps[1][0, k, ::-1]) for k in range(4))[::-1]
    again = model
    for _ in range(2):
        assert again.jacobian(model.parameters).any()
        again = pickle.loads(pickle.dumps(again))
    np.testing.assert_allclose(again.coefficients(model.parameters), np.r_[0, 0, 0, filters], atol=1e-7)


def test_layers_behind_a_dense_one_along_time_tell_that_axis():
    class Gated(nn.Module):  # a gate on cosines, (batch, channels, time)
        def __init__(self):
            super().__init__()
            self.there, self.back, self.last = nn.Linear(16, 16), nn.Linear(16, 16), nn.Conv1d(2, 1, 3, padding=1)

        def forward(self, x):
            return self.last(self.back(torch.tanh(self.there(x))))

    graph = read_torch(Gated(), (1, 2, 16))
    assert (set(graph.axes.values()), graph.notes) == ({("batch", "channels", "time")}, ())


class Variates(nn.Module):
    """Attention between variates, whose tokens are all steps of one (Liu et al. 2024), of (batch, time, channels)."""

    def __init__(self, normed=False):
        super().__init__()
        self.normed, self.embedding, self.head = normed, nn.Linear(24, 8), nn.Linear(8, 6)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x):
        x = x - x.mean(1, keepdim=True) if self.normed else x
        return self.head(self.encoder(self.embedding(x.transpose(1, 2)))).transpose(1, 2)


class Patches(nn.Module):
    """Attention between patches of each variate (Nie et al. 2023), of (batch, time, channels)."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Linear(6, 8), nn.Linear(7 * 8, 4)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x):
        patches = (x - x.mean(1, keepdim=True)).transpose(1, 2).unfold(-1, 6, 3)
        found = self.encoder(self.embedding(patches).flatten(0, 1))
        return self.head(found.view(len(x), -1, 7 * 8)).transpose(1, 2)


@pytest.mark.parametrize("normed", [False, True])
def test_attention_alone_leaves_open_whether_its_tokens_are_steps_or_variates(normed):
    told = "Only attention runs along an axis of the input, and its tokens may be steps or variates. It is read as "
    taken, given = "(batch, channels, time), 24 channels of 5 steps", "(batch, time, channels), 5 channels of 24 steps"
    (note,) = read_torch(Variates(normed), (1, 24, 5)).notes
    assert note == f"{told}{taken}; with time_axis=1 (--time-axis 1) as {given}."
    graph = read_torch(Variates(normed), (1, 24, 5), time_axis=1)
    assert (graph["x"].shape, graph.notes) == ((5, 24), ())


def test_a_mask_or_a_recurrence_tells_the_order_of_what_attention_runs_along():
    class Masked(nn.Module):
        def forward(self, x):
            return functional.scaled_dot_product_attention(x, x, x, is_causal=True)

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.GRU(4, 4, batch_first=True)

        def forward(self, x):
            return functional.scaled_dot_product_attention(*[self.layer(x)[0]] * 3)

    for module in (
        nn.Sequential(nn.Linear(3, 4), Masked(), nn.Linear(4, 3)),
        nn.Sequential(nn.Linear(3, 4), Recurrent()),
    ):
        graph = read_torch(module, (1, 10, 3))
        assert (graph[graph.inputs[0]].shape, graph.notes) == ((3, 10), ())
        assert {len(node.shape) for node in graph.nodes if node.operator in ("attention", "dense")} == {2}


def test_a_mean_that_is_taken_away_hides_no_axis_of_time():
    graph = read_torch(Patches(), (1, 24, 3))
    assert graph.axes["x"] == ("batch", "time", "channels")
    graph = read_torch(Patches(), (1, 24, 1))
    assert graph.axes["x"] == ("batch", "time", "channels")


def test_an_axis_of_one_entry_is_no_series_where_another_may_be():
    class Tokens(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.encoder = nn.Linear(6, 8), nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

        def forward(self, x):
            return self.encoder(self.embedding((x - x.mean(-1, keepdim=True))[:, 0].unfold(-1, 6, 6)))

    graph = read_torch(Tokens(), (1, 1, 24))
    assert graph["x"].shape == (1, 24)


def test_a_report_is_of_the_module_as_it_was_whatever_it_learns_afterwards():
    torch.manual_seed(0)
    module = nn.Sequential(nn.Conv1d(1, 3, 2), nn.GELU(), nn.Conv1d(3, 2, 2)).double().eval()
    kept, looked = (network_report(read_torch(module, (1, 1, 9))) for _ in range(2))
    found = looked.to_dict()
    for parameter in module.parameters():
        nn.init.normal_(parameter)
    assert kept.to_dict() == found != network_report(read_torch(module, (1, 1, 9))).to_dict()
