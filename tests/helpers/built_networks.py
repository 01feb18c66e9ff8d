"""Networks as people build them, drawn from a seed: modules of PyTorch, and what changes each of their outputs.

What an output sees is found by changing each entry of the input, in double precision and at parameters drawn anew: at a
gate that is zero today no gradient would show the path.
"""

import copy
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

__all__ = ["KINDS", "Network", "drawn_network"]

_DRAWS = 6  # of the parameters, since an activation may hide a path at some
_NOISE = 1e-12  # of the largest output: what rounding moves


@dataclass
class Network:
    """A module, the shape of its input with a batch of one, and which axis of that is time.

    An output at position u, along its last axis, or along axis 1 with `tokens`, stands for the `stride` steps from
    start + stride u on. Without a stride it stands for none; without a start, for steps that nobody said.
    """

    module: nn.Module
    shape: tuple[int, ...]
    start: int | None = None
    stride: int | None = None
    time: int = 2
    tokens: bool = False

    def values(self, inputs):
        """Outputs for samples of the input."""
        with torch.no_grad():
            return self.module(torch.from_numpy(inputs)).numpy()

    def seen(self):
        """Which entries of the output, (n, *shape), each entry of the input changes."""
        n, found = int(np.prod(self.shape)), False
        for draw in range(_DRAWS):
            torch.manual_seed(draw)
            other = copy.deepcopy(self.module)
            for parameter in other.parameters():
                numbers = torch.view_as_real(parameter) if parameter.is_complex() else parameter
                with torch.no_grad():
                    (numbers.uniform_ if draw % 2 else numbers.normal_)()
                    numbers /= (parameter[0].numel() if parameter.ndim > 1 else 1) ** 0.5
            base = np.random.default_rng(draw).uniform(0.5, 1, self.shape)
            changed = base.reshape(1, n) + np.eye(n)
            values = Network(other, self.shape).values(np.concatenate([base, changed.reshape(n, *self.shape[1:])]))
            found = found | (np.abs(values[1:] - values[:1]) > _NOISE * np.abs(values).max())
        return found

    @property
    def n_parameters(self):
        return sum(parameter.numel() for parameter in self.module.parameters())

    @property
    def n_written(self):
        """Those of a file: exporters write one array for parameters of one shape at one place in memory."""
        places = {(p.data_ptr(), p.shape): p.numel() for p in self.module.parameters()}
        return sum(places.values())


class Do(nn.Module):
    """What a line of code makes of x."""

    def __init__(self, code):
        super().__init__()
        self.code, self.function = code, eval(f"lambda x: {code}", {"F": F, "torch": torch})

    def extra_repr(self):
        return self.code

    def forward(self, x):
        return self.function(x)


class Residual(nn.Module):
    """x + gate * body(x), with a gate that has a value at first, or without one."""

    def __init__(self, body, gate=None, value=0.0):
        super().__init__()
        self.body, self.gate = body, None if gate is None else nn.Parameter(torch.full(gate, value))

    def extra_repr(self):
        return "" if self.gate is None else f"gate: {self.gate.tolist()}"

    def forward(self, x):
        return x + (self.body(x) if self.gate is None else self.gate * self.body(x))


class Attention(nn.Module):
    """One head, written out or by the function of the library, with a mask that is added to the scores."""

    def __init__(self, width, steps, mask, written):
        super().__init__()
        self.parts = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.mask, self.written = mask, written
        hidden = torch.zeros(steps, steps) if mask is None else torch.full((steps, steps), mask).triu(1)
        self.register_buffer("bias", hidden.double(), persistent=False)

    def extra_repr(self):
        return f"mask={self.mask}, written={self.written}"

    def forward(self, x):
        q, k, v = (part(x) for part in self.parts)
        if not self.written:
            return F.scaled_dot_product_attention(q, k, v, attn_mask=None if self.mask is None else self.bias)
        return torch.softmax(q @ k.transpose(1, 2) * q.shape[-1] ** -0.5 + self.bias, -1) @ v


class ComplexLayer(nn.Module):
    """A complex matrix of channels, a factor of each, its modulus, or a kernel of complex modes, as of state spaces."""

    def __init__(self, form, channels, taps=4):
        super().__init__()
        self.form, self.taps = form, taps
        shape = (channels, {"matrix": channels, "modes": 2}.get(form, 1))
        self.weight = nn.Parameter(torch.complex(torch.randn(shape).double(), torch.randn(shape).double()))

    def extra_repr(self):
        return self.form

    def forward(self, x):
        if self.form == "modes":
            powers = torch.exp(
                -self.weight.abs()[..., None] * torch.arange(self.taps) + 1j * self.weight.imag[..., None]
            )
            kernel = (self.weight[..., None] * powers).sum(1, keepdim=True).real
            return F.conv1d(F.pad(x, (self.taps - 1, 0)), kernel, groups=x.shape[1])
        if self.form == "modulus":
            return (self.weight * x).abs()
        turned = x * torch.tensor(1 + 0.5j, dtype=torch.complex128)
        return ((self.weight @ turned) if self.form == "matrix" else (self.weight * turned)).real


class Views(nn.Module):
    """Two convolutions whose weights lie in one piece of memory."""

    def __init__(self, form, channels):
        super().__init__()
        self.form, n, k = form, channels * channels * 3, channels * channels * 2
        flat = torch.randn(n + k).double()
        if form == "one parameter":
            self.flat, self.cut = nn.Parameter(flat), n
        elif form == "parts":
            self.first, self.second = nn.Parameter(flat[:n]), nn.Parameter(flat[n:])
        elif form == "overlap":
            self.first, self.second = nn.Parameter(flat[:n]), nn.Parameter(flat[:k])
        else:
            self.first, self.second = nn.Parameter(flat[:n]), nn.Parameter(flat[:n])

    def extra_repr(self):
        return self.form

    def forward(self, x):
        channels = x.shape[1]
        pair = (
            (self.flat[: self.cut], self.flat[self.cut :])
            if self.form == "one parameter"
            else (self.first, self.second)
        )
        first, second = (each.view(channels, channels, -1) for each in pair)
        x = torch.tanh(F.conv1d(F.pad(x, (first.shape[-1] - 1, 0)), first))
        return F.conv1d(F.pad(x, (second.shape[-1] - 1, 0)), second)


class _Drawn:
    """Draws of parts of networks on (batch, channels, time)."""

    def __init__(self, rng):
        self.rng = rng
        self.channels, self.steps = int(rng.integers(1, 4)), int(self.choose([12, 16, 18, 24]))
        self.shape = (1, self.channels, self.steps)

    def choose(self, options):
        return options[self.rng.integers(len(options))]

    def activation(self):
        return self.choose([nn.ReLU, nn.Tanh, nn.SiLU, nn.GELU, nn.Softplus])()

    def convolution(self, into, out, *, causal=None, padded=True, stride=1):
        """A convolution that keeps the steps, but for its stride: causal, or centred, also with an even kernel."""
        taps, dilation = int(self.rng.integers(1 if causal is None else 2, 4)), self.choose([1, 1, 2])
        reach = dilation * (taps - 1)
        before = reach if (self.rng.random() < 0.6 if causal is None else causal) else reach // 2
        layer = nn.Conv1d(into, out, taps, stride, dilation=dilation, bias=self.rng.random() < 0.7)
        return [Do(f"F.pad(x, ({before}, {reach - before}))"), layer] if padded and reach else [layer]

    def body(self, into, out, layers=None, **options):
        """Convolutions with activations between them, the last one linear."""
        layers = int(self.rng.integers(1, 3)) if layers is None else layers
        widths = [into, *(int(n) for n in self.rng.integers(1, 4, layers - 1)), out]
        found = []
        for below, above in pairwise(widths):
            found += [*self.convolution(below, above, **options), self.activation()]
        return found[:-1]

    def block(self, **options):
        """Layers that keep channels and steps."""
        layers = self.body(self.channels, self.channels, **options)
        return [Residual(nn.Sequential(*layers))] if self.rng.random() < 0.4 else layers

    def tokens(self, width=4):
        """The sequence as tokens of some width."""
        return [Do("x.transpose(1, 2)"), nn.Linear(self.channels, width)]


def plain(d):
    return Network(nn.Sequential(*d.block(), d.activation(), *d.block()), d.shape, 0, 1)


def crops(d):
    """Only the first steps, the last ones, or some in between are returned."""
    start, count = d.choose(
        [(0, d.steps // 2), (0, d.steps // 3), (d.steps - 6, 6), (d.steps // 2, d.steps // 4), (4, 4)]
    )
    cut = f"x[..., -{count}:]" if start + count == d.steps else f"x[..., {start} : {start + count}]"
    more = [d.activation(), *d.block()] if d.rng.random() < 0.7 else []
    return Network(nn.Sequential(*d.block(), *more, Do(cut)), d.shape, start, 1)


def unpadded(d):
    """The steps get fewer, sometimes to a part of them that divides them."""
    wide = nn.Conv1d(d.channels, 2, d.steps // 2 + 1) if d.rng.random() < 0.5 else nn.Conv1d(d.channels, 2, 5)
    return Network(nn.Sequential(wide, d.activation(), *d.body(2, 1, padded=False, layers=1)), d.shape, None, 1)


def last_step(d):
    cut = Do(d.choose(["x[..., -1]", "x[..., -1:]", "x[:, :, -1]"]))
    return Network(nn.Sequential(*d.block(), d.activation(), cut), d.shape)


def horizons(d):
    """Several steps ahead from the last one or from all of them."""
    horizon, last = d.choose([2, 3, 6]), d.rng.random() < 0.5
    head = [Do("x[..., -1]"), nn.Linear(2, horizon)] if last else [nn.Flatten(), nn.Linear(2 * d.steps, horizon)]
    fold = [Do("x.unsqueeze(1)")] if d.rng.random() < 0.5 else []
    return Network(nn.Sequential(*d.body(d.channels, 2), d.activation(), *head, *fold), d.shape)


def hops(d):
    """A stride, and then some of the steps by their index."""
    stride, hop = d.choose([1, 2, 3]), d.choose([1, 2])
    first = d.convolution(d.channels, 2, causal=d.rng.random() < 0.5, stride=stride)
    index = Do(f"x[..., ::{hop}]") if d.rng.random() < 0.5 else nn.AvgPool1d(hop)
    start = 0
    if d.rng.random() < 0.4:
        index, start = Do(f"x[..., {hop} :: {hop}]"), stride * hop
    return Network(nn.Sequential(*first, d.activation(), index), d.shape, start, stride * hop)


def u_nets(d):
    """Half of the steps, and all of them again, with a shortcut past both; maybe with a recurrent layer between."""
    down = nn.Conv1d(d.channels, 2, 4, 2, 1)
    memory = [Do("x.transpose(1, 2)"), nn.LSTM(2, 2, batch_first=True), Do("x[0].transpose(1, 2)")]
    up = [nn.ConvTranspose1d(2, d.channels, d.choose([2, 4]), 2, padding=0)]
    up = up if up[0].kernel_size == (2,) else [*up, Do("x[..., 1:-1]")]
    if d.rng.random() < 0.4:
        up = [nn.Upsample(scale_factor=2), nn.Conv1d(2, d.channels, 3, padding=1)]
    body = nn.Sequential(down, d.activation(), *(memory if d.rng.random() < 0.3 else []), *up)
    return Network(nn.Sequential(Residual(body), nn.Conv1d(d.channels, 1, 1)), d.shape, 0, 1)


def shifts(d):
    """A large constant is added to what is measured, such as seconds since 1970, and maybe scaled."""
    d.activation = partial(nn.LeakyReLU, 0.3)  # others are flat there
    number = d.choose(["x - 1.7e9", "x + -1.0e9", "(x - 1.7e9) / 3.6e3", "x + 1.7e9"])
    inside = [Do(number), *d.block()] if d.rng.random() < 0.6 else [*d.block(), Do(number), *d.block()]
    return Network(nn.Sequential(*inside), d.shape, 0, 1)


def gates(d):
    """What is zero today: branches, by SkipInit, ReZero, factors or kernels, and taps of an identity."""
    form = d.choose(["scalar", "scalar", "vector", "kernel", "head", "identity"])
    gate = {"scalar": d.choose([(), (1,)]), "vector": (d.channels, 1)}.get(form)
    body = nn.Sequential(*d.body(d.channels, d.channels, layers=2, causal=d.choose([True, False])))
    network = nn.Sequential(*d.body(d.channels, d.channels, layers=1), d.activation(), Residual(body, gate))
    if form == "head":
        network.append(nn.Conv1d(d.channels, 2, 1))
    if form in ("kernel", "head"):
        layer = body[-1] if form == "kernel" else network[-1]
        nn.init.zeros_(layer.weight)
    if form == "identity":
        nn.init.dirac_(body[-1].weight)
    return Network(network, d.shape, 0, 1)


def ones(d):
    """What is one today, as a temperature or a gain is at first."""
    gated = Residual(nn.Sequential(*d.block()), d.choose([(1,), (d.channels, 1)]), 1.0)
    return Network(nn.Sequential(*d.block(), d.activation(), gated), d.shape, 0, 1)


def complex_numbers(d):
    layer = ComplexLayer(d.choose(["matrix", "factor", "modulus", "modes"]), d.channels)
    return Network(nn.Sequential(*d.block(), layer, *d.block()), d.shape, 0, 1)


def patches(d):
    """Patches of a series become tokens."""
    size = d.choose([n for n in (3, 4, 6) if d.steps % n == 0])
    cut = d.choose([f"x[:, 0].unfold(-1, {size}, {size})", f"x[:, 0].reshape(x.shape[0], -1, {size})"])
    mix = [Attention(4, d.steps // size, None, d.rng.random() < 0.5)] if d.rng.random() < 0.5 else []
    turned = [Do("x.transpose(1, 2)")] if d.rng.random() < 0.5 else []
    return Network(
        nn.Sequential(Do(cut), nn.Linear(size, 4), *mix, *turned), (1, 1, d.steps), 0, size, tokens=not turned
    )


def stacked(d):
    """Several frames become one, with the channels of all of them."""
    k = d.choose([n for n in (2, 3) if d.steps % n == 0])
    if d.rng.random() < 0.5:
        lines = [f"x.transpose(1, 2).reshape(x.shape[0], -1, {k * d.channels})", "x.transpose(1, 2)"]
    else:
        lines = [f"x.reshape(x.shape[0], {d.channels}, -1, {k}).transpose(2, 3).flatten(1, 2)"]
    return Network(nn.Sequential(*map(Do, lines), *d.body(k * d.channels, 2)), d.shape, 0, k)


def time_first(d):
    """The input is (batch, time, channels)."""
    d.channels = int(d.rng.integers(2, 5))
    shape = (1, d.steps, d.channels)
    form = d.choose(["convolution", "tokens", "recurrent", "running"])
    if form == "convolution":
        back = [Do("x.transpose(1, 2)")] if d.rng.random() < 0.5 else []
        module = nn.Sequential(Do("x.transpose(1, 2)"), *d.block(), d.activation(), *d.block(), *back)
        return Network(module, shape, 0, 1, time=1, tokens=bool(back))
    layers = {
        "tokens": [nn.Linear(d.channels, 4), d.activation(), nn.Linear(4, 2)],
        "recurrent": [d.choose([nn.GRU, nn.LSTM])(d.channels, 3, batch_first=True), Do("x[0]"), nn.Linear(3, 2)],
        "running": [nn.Linear(d.channels, 4), d.activation(), Do("x.cumsum(1)"), nn.Linear(4, 2)],
    }
    return Network(nn.Sequential(*layers[form]), shape, 0, 1, time=1, tokens=True)


def masked(d, *masks):
    mask, written = d.choose(masks), d.rng.random() < 0.5
    d.channels = int(d.rng.integers(2, 4))
    return Network(
        nn.Sequential(nn.Linear(d.channels, 4), Residual(Attention(4, d.steps, mask, written)), nn.Linear(4, 2)),
        (1, d.steps, d.channels),
        *(0, 1),
        time=1,
        tokens=True,
    )


def masks(d):
    return masked(d, -1e9, -1e30, torch.finfo(torch.float32).min, -float("inf"))


def finite_masks(d):
    return masked(d, -1e2, -1e3, -1e4, -1e5)


def frozen(d):
    """Some parameters are not trained, in networks with activations and in affine ones."""
    layers = [
        *d.body(d.channels, 2, layers=1),
        *([d.activation()] if d.rng.random() < 0.5 else []),
        *d.body(2, 1, layers=1),
    ]
    convolutions = [layer for layer in layers if isinstance(layer, nn.Conv1d)]
    d.choose(convolutions).requires_grad_(False)
    return Network(nn.Sequential(*layers), d.shape, 0, 1)


def tied(d):
    layers = [nn.Conv1d(d.channels, d.channels, 3, padding=p, dilation=p) for p in (1, 2)]
    layers[1].weight = layers[0].weight
    return Network(nn.Sequential(layers[0], d.activation(), layers[1]), d.shape, 0, 1)


def views(d):
    form = d.choose(["one parameter", "parts", "overlap", "twice"])
    return Network(nn.Sequential(Views(form, d.channels)), d.shape, 0, 1)


class Assigned(nn.Module):
    """What a body computes is written into a part of something else."""

    def __init__(self, form, body):
        super().__init__()
        self.form, self.body = form, body

    def extra_repr(self):
        return self.form

    def forward(self, x):
        found = self.body(x)
        whole = torch.zeros_like(found) if self.form == "moved" else x.clone()
        if self.form == "moved":
            whole[..., 2:] = found[..., :-2]
        elif self.form == "step":
            whole[..., -1] = found.mean(-1)
        elif self.form == "channel":
            whole[:, 0].copy_(found[:, -1])
        else:
            part = {"steps": slice(3, 7), "every second": slice(None, None, 2), "some": [5, 1]}[self.form]
            whole[..., part] = found[..., part]
        return whole


def assigned(d):
    form = d.choose(["moved", "step", "channel", "steps", "every second", "some"])
    body = nn.Sequential(*d.body(d.channels, d.channels))
    return Network(nn.Sequential(Assigned(form, body), d.activation(), *d.block()), d.shape, 0, 1)


class MaskedConvolution(nn.Conv1d):
    """The taps ahead are hidden where the layer is called, mostly by writing into its weights."""

    def __init__(self, form, *sizes):
        super().__init__(*sizes, padding=sizes[-1] // 2)
        self.form = form
        self.register_buffer("mask", (torch.arange(sizes[-1]) <= sizes[-1] // 2).double())

    def extra_repr(self):
        return f"{super().extra_repr()}, {self.form}"

    def forward(self, x):
        if self.form == "product":
            return F.conv1d(x, self.weight * self.mask, self.bias, padding=self.padding)
        if self.form == "data times":
            self.weight.data *= self.mask
        elif self.form == "data anew":
            self.weight.data = self.weight.data * self.mask
        elif self.form == "data at":
            self.weight.data[..., self.kernel_size[0] // 2 + 1 :] = 0
        else:
            with torch.no_grad():
                self.weight.mul_(self.mask)
        return super().forward(x)


def masked_weights(d):
    forms = ["product", "data times", "data anew", "data at", "without gradient"]
    first, last = (
        MaskedConvolution(d.choose(forms), into, out, d.choose([3, 5])) for into, out in [(d.channels, 2), (2, 1)]
    )
    return Network(nn.Sequential(first, *([d.activation()] if d.rng.random() < 0.7 else []), last), d.shape, 0, 1)


class Mixer(nn.Module):
    """Steps are mixed by other means than a convolution."""

    def __init__(self, form, channels, steps):
        super().__init__()
        self.form = form
        self.parts = nn.ModuleList(nn.Conv1d(channels, channels, 1) for _ in range(3 if form == "lifting" else 2))
        if form == "spectrum":
            self.kernel = nn.Parameter(torch.randn(channels, steps))

    def extra_repr(self):
        return self.form

    def forward(self, x):
        n, (first, second) = x.shape[-1], self.parts[:2]
        if self.form == "shift":
            return torch.sigmoid(first(x)) * second(F.pad(x, (1, 0))[..., :-1])
        if self.form == "lifting":
            even, odd = first(x)[..., ::2], first(x)[..., 1::2]
            odd = odd + torch.tanh(second(even))
            return torch.stack([even + self.parts[2](odd), odd], -1).flatten(-2)
        a, b = first(x), second(x)
        if self.form == "sum":
            return torch.sigmoid(a) * torch.cumsum(torch.tanh(b), -1)
        if self.form == "spectrum":
            spectrum = torch.fft.rfft(b, n=2 * n) * torch.fft.rfft(self.kernel, n=2 * n)
            return torch.sigmoid(a) * torch.fft.irfft(spectrum, n=2 * n)[..., :n]
        if self.form == "scan":
            states = [b[..., 0]]
            for t in range(1, n):
                states.append(torch.sigmoid(a[..., t]) * states[-1] + b[..., t])
            return torch.stack(states, -1) + a
        if self.form == "channels":
            whole = torch.zeros_like(a)
            whole[:, :1, 1:], whole[:, 1:] = a[:, :1, :-1], b[:, 1:]
            return whole
        return a + (b.roll(1, -1) if self.form == "ring" else F.pad(b.flip(-1), (1, 0))[..., :-1].flip(-1))


def mixers(d, *forms):
    form = d.choose(forms or ["shift", "lifting", "sum", "scan", "channels", "ring", "turned"])
    if form == "channels":
        d.channels = int(d.rng.integers(2, 4))
    shape = (1, d.channels, d.steps)
    return Network(nn.Sequential(*d.block(), Mixer(form, d.channels, d.steps), d.activation(), *d.block()), shape, 0, 1)


class Shares(Attention):
    """Attention whose shares are masked after the softmax, and divided by what is left of their sum."""

    def forward(self, x):
        q, k, v = (part(x) for part in self.parts)
        shares = torch.softmax(q @ k.transpose(1, 2), -1) * (self.bias == 0)
        return shares / shares.sum(-1, keepdim=True) @ v


def cancelling(d):
    """Means of the last steps, as differences of sums, and shares that are divided by their sum: paths cancel."""
    if d.rng.random() < 0.5:
        sums, k = "x.cumsum(-1)", d.choose([2, 3, 5])
        mean = Do(f"({sums} - F.pad({sums}, ({k}, 0))[..., :-{k}]) / {k}")
        return Network(nn.Sequential(*d.block(), mean, d.activation(), *d.block()), d.shape, 0, 1)
    d.channels = int(d.rng.integers(2, 4))
    layers = nn.Linear(d.channels, 4), Residual(Shares(4, d.steps, -1.0, True)), nn.Linear(4, 2)
    return Network(nn.Sequential(*layers), (1, d.steps, d.channels), 0, 1, time=1, tokens=True)


KINDS = {
    "plain": plain,
    "crops": crops,
    "unpadded": unpadded,
    "last step": last_step,
    "horizons": horizons,
    "hops": hops,
    "shifts": shifts,
    "gates": gates,
    "complex": complex_numbers,
    "patches": patches,
    "stacked": stacked,
    "time first": time_first,
    "masks": masks,
    "finite masks": finite_masks,
    "frozen": frozen,
    "tied": tied,
    "views": views,
    "u-nets": u_nets,
    "assigned": assigned,
    "masked weights": masked_weights,
    "mixers": mixers,
    "spectra": lambda d: mixers(d, "spectrum"),
    "cancelling": cancelling,
    "ones": ones,
}  # a new kind goes to the end, since a kind is drawn by its place


def drawn_network(kind, seed):
    """A network of a kind, in double precision; no two of its arrays are equal, which exporters would join."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    torch.manual_seed(seed)
    network = KINDS[kind](_Drawn(rng))
    network.module.double().eval()
    return network
