"""The explorer shows what its code computes, and only its page loads the library that draws it."""

import json
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from bs4 import BeautifulSoup
from scipy import linalg

from capacity import GaussianProcess
from capacity.tasks import dataset_process
from capacity_studies.explorer import ARCHITECTURES, KERNELS, PROCESSES, SIZES, Setting, explore


@pytest.fixture(scope="module")
def explorer():
    return explore(list(ARCHITECTURES), [8], [1, 2], ["power-law", "sunspots"])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_allocation_is_the_diagonal_of_the_projector_on_the_constraints(explorer, architecture):
    setting = Setting(architecture, 8, 2, "power-law")
    made = setting.run()
    model, process = made["model"], made["process"]
    basis = linalg.orth(process.covariance(model.n_inputs) @ model.jacobian(made["result"].parameters))
    shown = explorer[setting]
    assert shown["total"] == basis.shape[1]
    np.testing.assert_allclose(shown["allocation"], np.diag(basis @ basis.T), atol=0.6e-5)


@pytest.mark.parametrize("setting", [Setting("tiled", 8, 2, "sunspots"), Setting("recurrent", 8, 1, "power-law")])
def test_the_code_of_a_setting_is_whole_and_gives_what_is_shown(explorer, setting):
    code = setting.code + "print(model.n_inputs, model.n_parameters, total, loss)"
    printed = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True).stdout
    shown = [explorer[setting][name] for name in ("inputs", "parameters", "total", "loss")]
    assert [float(word) for word in printed.split()] == pytest.approx(shown, rel=1e-4)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_fits_that_take_their_steps_together_are_those_of_the_codes_alone(explorer, architecture):
    for setting in (Setting(architecture, 8, *others) for others in product([1, 2], ["power-law", "sunspots"])):
        made = setting.run()
        shown, result = explorer[setting], made["result"]
        assert shown["loss"] == float(f"{result.loss:.5g}")
        assert (shown["steps"], shown["converged"], shown["total"]) == (
            result.iterations,
            result.converged,
            made["total"],
        )
        assert shown["allocation"] == [round(capacity, 5) for capacity in made["allocation"].tolist()]


def test_tiled_and_repeated_have_the_same_layers_and_see_one_input_less_than_the_others(explorer):
    assert Setting("hierarchical", 16, 1, "power-law").dilations == [1, 2, 4, 8]
    assert Setting("tiled", 16, 1, "power-law").dilations == [1, 2, 4, 1, 2, 4]
    assert Setting("repeated", 16, 1, "power-law").dilations == [1, 1, 2, 2, 4, 4]
    inputs = {name: set(explorer.column("inputs", architecture=name)) for name in ARCHITECTURES}
    assert inputs == {"hierarchical": {8}, "tiled": {7}, "repeated": {7}, "recurrent": {8}}


def test_a_column_is_in_the_order_of_the_settings(explorer):
    one = [explorer[Setting(name, 8, 2, "sunspots")]["total"] for name in ARCHITECTURES]
    assert explorer.column("total", channels=2, process="sunspots") == one


def test_the_page_holds_all_analyses(explorer):
    parsed = BeautifulSoup(explorer._repr_html_(), "html.parser")
    held = json.loads(parsed.select_one("script").text)
    assert list(held["analyses"].values()) == list(explorer.analyses.values())
    assert held["analyses"]["tiled.8.2.sunspots"] == explorer[Setting("tiled", 8, 2, "sunspots")]
    assert held["processes"]["sunspots"]["process"] == PROCESSES["sunspots"].process
    assert "<" not in parsed.select_one("script").text
    assert repr(explorer) == "Explorer of 16 settings, for a browser"


def test_the_page_knows_what_any_stack_needs_that_was_not_fitted(explorer):
    held = explorer.data()
    assert held["architectures"]["recurrent"]["kernels"] == ()
    tiled = held["architectures"]["tiled"]
    assert (tiled["kernels"], [*tiled["dilations"]]) == (KERNELS, [*SIZES])
    assert tiled["dilations"][256] == [1, 2, 4, 8, 16, 32, 64] * 2
    for name, process in (("power-law", GaussianProcess()), ("sunspots", dataset_process("sunspots"))):
        told = held["processes"][name]
        np.testing.assert_allclose(told["autocovariances"], process.autocovariances(255), rtol=1e-11)
        assert told["left"][9] == pytest.approx(process.residual_variance(10), abs=1e-5)


def test_the_command_of_a_setting_names_all_that_was_chosen():
    chosen = "tcn --dilations 1 2 4 1 2 4 --taps 2 --channels 3 --process fractional-noise"
    first, second = Setting("tiled", 16, 3, "fractional-noise").command.splitlines()
    assert (first, second) == (f"capacity summary {chosen}", f"capacity spatial {chosen}")
    first, *others = Setting("recurrent", 16, 2, "sunspots").command.splitlines()
    assert first.startswith("python -c ")
    assert first.count("'sunspots.npy'") == 1
    chosen = "recurrent --inputs 16 --channels 2 --data sunspots.npy"
    assert others == [f"capacity summary {chosen}", f"capacity spatial {chosen}"]
