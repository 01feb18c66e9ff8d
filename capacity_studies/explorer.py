"""The explorer: four architectures at many settings, computed when the book is built, for a page that draws them.

The code that a reader is shown for a setting is the code that was run for it, but that stacks which differ in their
process alone are fitted at once. Stacks beyond these settings are not fitted: the script of the page draws random
weights for them.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import groupby, islice, product

import numpy as np

from capacity import exact_capacity
from capacity.figures import COLORS
from capacity.fitting import fit_many

__all__ = [
    "ARCHITECTURES",
    "KERNELS",
    "PROCESSES",
    "SIZES",
    "Architecture",
    "Explorer",
    "Process",
    "Setting",
    "explore",
]

DIGITS = 5  # of a capacity, and of a loss: more than a screen shows
KERNELS = (2, 3, 5)
SIZES = tuple(2**power for power in range(2, 9))  # that can be chosen, as far as the field has no more inputs than:
MOST_INPUTS = 256


@dataclass(frozen=True)
class Architecture:
    """A family of models.

    Attributes
    ----------
    name : str
        What it is called.
    order : str
        What is said after its different dilations.
    start : str
        Where a fit of it starts.
    chapter, section : str
        The chapter about it, and what this is called.
    code : str
        The code, with places for the values of a setting.
    command : str
        The command of a shell that says the same of this architecture, with such places too.
    """

    name: str
    order: str
    start: str
    chapter: str
    section: str
    code: str
    command: str


@dataclass(frozen=True)
class Process:
    """A process: its name, the code that makes it, what a command says of it, what has to be done before, and the lags
    that one would like to reach, with what is there.
    """

    name: str
    import_process: str
    process: str
    task: str
    before: str = ""
    goals: tuple = ()


_FROM_RANDOM_STARTS = """\
{import_process}
from capacity import DilatedConvolution, fit, model_constraints

process = {process}
model = DilatedConvolution({dilations}, channels={channels}, taps={kernel})
result = fit(model, process, restarts=2, rng=0, max_iterations={iterations})
space = model_constraints(model, result.parameters, process.covariance(model.n_inputs))
total, loss, allocation = space.total, result.loss, space.spatial()
"""
_FROM_TENSOR_TRAIN = """\
{import_process}
from capacity import DilatedConvolution, fit, model_constraints, tensor_train_parameters

process = {process}
model = DilatedConvolution({dilations}, channels={channels}, taps={kernel})
target = process.optimal_coefficients(model.n_inputs)
start = tensor_train_parameters(target, model.taps, model.channels, rng=0)
result = fit(model, process, initial=start)
space = model_constraints(model, result.parameters, process.covariance(model.n_inputs))
total, loss, allocation = space.total, result.loss, space.spatial()
"""
_BY_VARIABLE_PROJECTION = """\
{import_process}
from capacity import DiagonalRecurrence, constraint_space, fit

process = {process}
model = DiagonalRecurrence({size}, channels={channels})
result = fit(model, process, restarts=5, rng=0)
space = constraint_space(process.covariance(model.n_inputs), model.directions(result.parameters))
total, loss, allocation = space.total, result.loss, space.spatial()
"""

_TCN = """\
{before}capacity summary tcn --dilations {numbers} --taps {kernel} --channels {channels} {task}
capacity spatial tcn --dilations {numbers} --taps {kernel} --channels {channels} {task}"""
_RECURRENT = """\
{before}capacity summary recurrent --inputs {size} --channels {channels} {task}
capacity spatial recurrent --inputs {size} --channels {channels} {task}"""
_RANDOM = "the better of two fits from random weights"

ARCHITECTURES = {
    "hierarchical": Architecture(
        "one convolution at each dilation",
        "",
        "a fit from a tensor train of the best coefficients",
        "linear/5-1-hierarchical",
        "Section 5.1",
        _FROM_TENSOR_TRAIN,
        _TCN,
    ),
    "repeated": Architecture(
        "blocks of two convolutions",
        ", each twice",
        _RANDOM,
        "linear/appendix-c",
        "Appendix C",
        _FROM_RANDOM_STARTS,
        _TCN,
    ),
    "tiled": Architecture(
        "all dilations twice", ", then again", _RANDOM, "linear/appendix-c", "Appendix C", _FROM_RANDOM_STARTS, _TCN
    ),
    "recurrent": Architecture(
        "recurrent",
        "",
        "the best of five fits from random poles",
        "linear/5-2-recurrent",
        "Section 5.2",
        _BY_VARIABLE_PROJECTION,
        _RECURRENT,
    ),
}
"""The architectures by the names that settings use."""

_STANDARD = "from capacity import standard_process"
_SUNSPOTS = """\
python -c "from capacity.tasks import dataset_series as d; import numpy; numpy.save('sunspots.npy', d('sunspots'))"
"""


def _standard(name, words, **more):
    called = name.replace("-", " ")
    return Process(words, _STANDARD, f'standard_process("{called}")', f"--process {name}", **more)


PROCESSES = {
    "seasonal": _standard(
        "seasonal",
        "hourly, daily and weekly cycle",
        goals=((24, "a day"), (168, "a week")),
    ),
    "power-law": _standard("power-law", "long memory (power law)"),
    "fractional-noise": _standard("fractional-noise", "fractional noise"),
    "exponential-mixture": _standard("exponential-mixture", "mixture of exponentials"),
    "sunspots": Process(
        "yearly sunspot numbers",
        "from capacity.tasks import dataset_process",
        'dataset_process("sunspots")',
        "--data sunspots.npy",
        _SUNSPOTS,
        ((11, "a cycle of the sun"),),
    ),
}
"""The processes by the names that settings use."""


@dataclass(frozen=True)
class Setting:
    """What a reader chooses.

    Parameters
    ----------
    architecture : str
        One of `ARCHITECTURES`.
    size : int
        A power of two, at least 4: the number of inputs. Tiled blocks and repeated layers have one input less.
    channels : int
        Number of channels.
    process : str
        One of `PROCESSES`.
    kernel : int
        Taps of each convolution.
    iterations : int
        At most so many steps of a fit from a random start. Settings that differ in nothing else are equal.
    """

    architecture: str
    size: int
    channels: int
    process: str
    kernel: int = 2
    iterations: int = field(default=700, compare=False)

    @property
    def key(self):
        """The setting in one word, for the page's address."""
        return f"{self.architecture}.{self.size}.{self.channels}.{self.process}"

    @property
    def dilations(self):
        """Dilations of the layers, None for the recurrent model."""
        powers = [2**i for i in range(self.size.bit_length() - 1)]
        lists = {"hierarchical": powers, "tiled": powers[:-1] * 2, "repeated": sorted(powers[:-1] * 2)}
        return lists.get(self.architecture)

    @property
    def code(self):
        """The code that analyses this setting. What it makes: model, result, space, total, loss, allocation."""
        return ARCHITECTURES[self.architecture].code.format(**self._places)

    @property
    def command(self):
        """The command that says the same from a shell; the fits start elsewhere, so that their last digits may not."""
        return ARCHITECTURES[self.architecture].command.format(**self._places)

    @property
    def _places(self):
        numbers = " ".join(map(str, self.dilations or []))
        places = asdict(self) | {"dilations": self.dilations, "numbers": numbers}
        return places | asdict(PROCESSES[self.process])

    def run(self):
        """Run the code and return what it makes, by name."""
        made = {}
        exec(self.code, made)
        return made


class Explorer:
    """Analyses of settings, and in a notebook the page's part that shows them (drawn by ``static/explorer.js``).

    Parameters
    ----------
    analyses : dict
        What `explore` finds of each setting, for all combinations of some architectures, sizes, channels and processes.
    """

    def __init__(self, analyses):
        self.analyses = analyses

    def __getitem__(self, setting):
        """Return the analysis of a setting."""
        return self.analyses[setting]

    def column(self, name, **chosen):
        """Return one entry of the analyses as a list, of those settings that have the chosen values, in their order."""
        return [
            analysis[name]
            for setting, analysis in self.analyses.items()
            if all(getattr(setting, choice) == value for choice, value in chosen.items())
        ]

    def data(self):
        """Return what the page needs as plain data: what can be chosen, by what name and code, and the analyses; and of
        each process what its covariances are made of, and the variance that so many inputs leave.
        """
        values = {
            choice: list(dict.fromkeys(getattr(setting, choice) for setting in self.analyses))
            for choice in ("architecture", "size", "channels", "process")
        }
        architectures = {name: asdict(ARCHITECTURES[name]) for name in values["architecture"]}
        for name, architecture in architectures.items():
            found = [setting for setting in self.analyses if setting.architecture == name]
            stack = found[0].dilations is not None
            sizes = SIZES if stack else values["size"]
            architecture["dilations"] = {n: replace(found[0], size=n).dilations for n in sizes}
            architecture["kernels"] = KERNELS if stack else ()
            architecture["code"] = architecture["code"].replace("{iterations}", str(found[0].iterations))
        return {
            "architectures": architectures,
            "processes": {name: asdict(PROCESSES[name]) | _memory(PROCESSES[name]) for name in values["process"]},
            "most": MOST_INPUTS,
            "channels": values["channels"],
            "colors": {name: COLORS[name] for name in ("capacity", "loss")},
            "analyses": {setting.key: analysis for setting, analysis in self.analyses.items()},
        }

    def __repr__(self):
        """Return what stands for the explorer where there is no browser, as in print."""
        return f"Explorer of {len(self.analyses)} settings, for a browser"

    def _repr_html_(self):
        text = json.dumps(self.data(), allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
        message = "To choose needs JavaScript. The figure and the table below show some of what there is to see."
        return f'<div class="explorer"><p>{message}</p><script type="application/json">{text}</script></div>'


def explore(architectures, sizes, channels, processes, **options):
    """Analyse all combinations of architectures, sizes, channels and processes.

    Parameters
    ----------
    architectures, sizes, channels, processes : list
        Values as in `Setting`.
    **options
        Other arguments of every `Setting`.

    Returns
    -------
    Explorer

    Raises
    ------
    ValueError
        As `Setting` does.
    """
    settings = [Setting(*values, **options) for values in product(architectures, sizes, channels, processes)]
    groups = [list(group) for _, group in groupby(settings, lambda setting: replace(setting, process=""))]
    made = [made for group in groups for made in _together(group)]
    return Explorer({setting: _shown(made) for setting, made in zip(settings, made)})


def _together(settings):
    """What the codes of settings make that differ in their process alone; the fits of stacks take their steps together.

    No bit of a fit depends on the others: each is the one of the setting's own code.
    """
    if settings[0].dilations is None:
        return [setting.run() for setting in settings]
    made, tasks, starts, options = [], [], [], {}
    for setting in settings:
        before, _, after = setting.code.partition("result = ")
        exec(before, names := {})
        made.append((names, after.partition("\n")[2]))
        if "start" in names:
            begun = [names["start"]]
        else:
            rng, options = np.random.default_rng(0), {"max_iterations": setting.iterations}
            begun = [names["model"].initial(rng) for _ in range(2)]
        tasks += [names["process"]] * len(begun)
        starts += begun
    fits = iter(fit_many(names["model"], tasks, starts, **options))
    for names, after in made:
        names["result"] = min(islice(fits, len(begun)), key=lambda each: each.loss)
        exec(after, names)
    return [names for names, _ in made]


def _shown(made):
    """What the explorer shows of a setting, as plain data; capacity per input with the oldest first."""
    model = made["model"]
    return {
        "inputs": model.n_inputs,
        "parameters": model.n_parameters,
        "total": made["total"],
        "generic": _generic(model),
        "loss": float(f"{made['loss']:.{DIGITS}g}"),
        "converged": made["result"].converged,
        "steps": made["result"].iterations,
        "allocation": [round(capacity, DIGITS) for capacity in made["allocation"].tolist()],
    }


@cache
def _generic(model):
    return exact_capacity(model).total


def _memory(process):
    """Return the autocovariances of a process, and what a linear prediction from 1, 2, ... inputs leaves."""
    made = {}
    exec(f"{process.import_process}\nprocess = {process.process}", made)
    found = made["process"]
    left = [found.residual_variance(n) for n in range(1, MOST_INPUTS + 1)]
    covariances = found.autocovariances(MOST_INPUTS - 1)
    return {
        "autocovariances": [float(f"{value:.12g}") for value in covariances],
        "left": np.round(left, DIGITS).tolist(),
    }
