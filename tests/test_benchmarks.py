import copy
import json
from pathlib import Path
from shutil import which
from zipfile import ZipFile

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import (
    attention,
    book,
    compare,
    design,
    exact,
    fisher,
    graphs,
    hierarchical,
    imports,
    large,
    many,
    networks,
    regions,
    timing,
)
from benchmarks.findings import BEGIN, END, FINDINGS, as_markdown
from benchmarks.timing import alternate, peak_memory
from capacity.models import DilatedConvolution

FOLDER = Path(compare.__file__).parent
RECORDED = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
STACKS = {"small": "DilatedConvolution.hierarchical(4, channels=2)", "tiled": "DilatedConvolution([1, 2, 1, 2])"}


def quiet(*_):
    pass


@pytest.mark.parametrize("said", FINDINGS)
def test_the_recorded_run_found_what_must_be_so(said):
    measured, bound = FINDINGS[said]
    assert bound(np.asarray(measured(RECORDED))), f"{measured(RECORDED)}, expected {bound}"


def test_the_readme_has_what_the_recorded_run_found():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0].strip() == as_markdown(RECORDED).strip()


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(command, "rates", lambda: {})
    monkeypatch.setattr(command, "quiet", lambda: None)


def test_fits_of_all_methods_are_compared_at_the_same_problem(monkeypatch):
    monkeypatch.setattr(hierarchical, "pytorch", None)
    rows = hierarchical.run((1, 4), layers=3, log=quiet)
    assert [(row["channels"], row["method"]) for row in rows] == [
        (channels, method) for channels in (1, 4) for method in ("ours", "ours, random start", "L-BFGS-B")
    ]
    for row in rows:
        assert row["rank"] == {1: 4, 4: 8}[row["channels"]]
        assert row["seconds"]["median"] > 0
    assert max(row["loss"] for row in rows if row["channels"] == 4) < 1e-20


def test_valleys_are_crossed_from_the_tensor_train():
    ours, *others = hierarchical.valleys((2,), restarts=2, layers=4, log=quiet)
    assert [row["method"] for row in others] == ["ours, random start", "L-BFGS-B, 2 runs"]
    assert ours["loss"] <= 1.0001 * min(row["loss"] for row in others)


def test_fits_to_samples_end_alike_by_all_methods(monkeypatch):
    monkeypatch.setattr(many, "MODEL", DilatedConvolution.hierarchical(3))
    ours, together, peer = many.fits(4, 2, log=quiet)
    assert [row["fits"] for row in (ours, together, peer)] == [2, 4, 2]
    assert together["loss"] == pytest.approx(ours["loss"], rel=1e-3, abs=0)
    assert peer["loss"] == pytest.approx(ours["loss"], rel=0.02, abs=0)


def test_spaces_at_many_parameters_are_those_of_a_loop():
    (row,) = many.spaces(20, DilatedConvolution.hierarchical(3), log=quiet)
    assert row["difference"] < 1e-12


def test_pytorch_finds_the_same_gradient():
    pytest.importorskip("benchmarks.pytorch", reason="an optional peer: pip install torch", exc_type=ImportError)
    (row,) = many.gradients(3, (2,), 2, log=quiet)
    assert row["difference"] < 1e-10


@pytest.mark.skipif(not (which("git") and (book.ROOT / ".git").exists()), reason="needs git, and a clone")
def test_the_book_is_built_in_a_clone():
    (row,) = book.run(["papers"], ("sh", "-c", "test -d .git && test -f Makefile"), log=quiet)
    assert row["part"] == "papers"
    assert row["chapters"] == []


def test_capacities_of_stacks_sum_to_the_rank():
    (row,) = large.run({"tiled": STACKS["tiled"]}, log=quiet)
    assert row["inputs"] == 7
    assert row["sum"] == pytest.approx(row["rank"], rel=1e-12)
    assert row["ratio"] == row["seconds"]["median"] / row["QR"]["median"]
    assert 20e6 < row["bytes"] < 1e9


def test_coefficients_agree_with_durbins_recursion():
    (row,) = large.prediction((64,), log=quiet)
    assert row["difference"] < 1e-12


def test_steps_of_a_capacity_are_held_against_the_rates_of_the_machine():
    limits = {"product_flops": 1e13, "copy_bytes": 1e12}
    rows = large.kernels(["small"], STACKS, limits, log=quiet)
    assert [row["step"] for row in rows] == ["tangent span", "Toeplitz product", "QR and SVD"]
    for row in rows:
        assert row["share"] == pytest.approx(row["work"] / row["seconds"]["median"] / limits[row["rate"]])
        assert 0 < row["share"] < 1


def test_probes_of_attention_are_as_far_from_the_exact_rule_as_they_say():
    exact_row, few, many = attention.run((12, 20), 3, 2, groups=40, runs=2, log=quiet)
    assert [row["positions"] for row in (exact_row, few, many)] == [12, 12, 20]
    assert 0 < few["found"] < 3 * few["error"] < 0.1
    assert many["seconds"]["median"] > 0


def test_exact_rank_of_a_small_stack():
    (row,) = exact.run(((6, 2),), log=quiet)
    assert row["inputs"] == 10
    assert 0 < row["rank"] <= 10
    assert 0 < row["failure"] < 1e-4


def test_layers_and_network_agree_with_their_definitions():
    (row,) = exact.layers(((4, 6),), parameters=3, log=quiet)
    assert row["difference"] < 1e-12
    assert exact.network(100, 5, log=quiet)["lost"] < 1e-12


def test_pytorch_finds_the_same_model():
    pytest.importorskip("benchmarks.pytorch", reason="an optional peer: pip install torch", exc_type=ImportError)
    found = {row["method"]: row for row in hierarchical.run((4,), layers=3, log=quiet)}
    assert found["PyTorch"]["rank"] == found["ours"]["rank"]
    assert found["PyTorch"]["loss"] < 1e-20
    assert found["PyTorch"]["difference"] < 1e-12


def test_regions_are_counted_and_their_areas_checked():
    (row,) = regions.run(((2, 6, 6, 1),), runs=1, log=quiet)
    assert row["regions"] - row["edges"] + row["vertices"] == 1
    assert row["area_error"] < 1e-12
    assert row["per_second"] == pytest.approx(row["regions"] / row["seconds"]["median"])


def test_capacity_of_a_residual_network_is_measured_beside_its_gradients():
    found = {row["step"]: row for row in graphs.run(size=40, images=1, channels=4, runs=1, log=quiet)}
    kernels, norms, classes = 23454912, 2 * 26560, 2049 * 1000
    assert found["coupling own"]["parameters"] == kernels + norms + classes == 25557032
    assert all(first <= second <= 40 for first, second in (row["sides"] for row in found.values() if "sides" in row))
    assert found["gradients"]["moved"] == 0 < found["coupling 0.0"]["moved"] < 0.5
    assert found["coupling 0.0"]["peak_memory"] < 4 * 2**30
    first, second = found["causal stack"]["lags"]
    assert first < second <= 4096


def test_the_peer_finds_the_same_regions():
    pytest.importorskip("relucent", reason="an optional peer: pip install relucent", exc_type=ImportError)
    (row,) = regions.peer(((2, 3, 3, 1),), runs=1, log=quiet)
    assert row["relucent_regions"] == row["regions"] > 5


def test_a_spectrum_has_a_value_for_each_output_of_each_sample():
    (row,) = fisher.run((4, 6, 3), samples=5, runs=1, log=quiet)
    assert (row["values"], row["parameters"]) == (15, 42)


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
def test_pytorch_finds_the_same_derivatives():
    pytest.importorskip(
        "benchmarks.pytorch_derivatives", reason="an optional peer: pip install torch", exc_type=ImportError
    )
    rows = fisher.peer((((4, 6, 5, 3), 7),), runs=1, log=quiet)
    assert {row["what"] for row in rows} == {"jacobian", "product"}
    assert all(row["difference"] < 1e-12 for row in rows)


def test_networks_are_summarised_layer_by_layer():
    small = networks.installed_file("onnx", "onnx/backend/test/data/light/light_squeezenet.onnx")
    read, made = networks.run(layers=3, width=4, files={"small": small}, runs=1, log=quiet)
    assert read["parameters"] > 1e6 > made["parameters"] == 2 * (4 + 16 + 4)
    assert made["field"] == 8
    assert made["rows"] >= 3


def test_resnet_has_the_parameters_of_torchinfos_table():
    pytest.importorskip(
        "benchmarks.pytorch_resnet", reason="an optional peer: pip install torchinfo", exc_type=ImportError
    )
    from benchmarks.pytorch_resnet import ResNet50

    small = ResNet50(64)
    assert small.table() == 25_557_032
    assert small.gradient_field(2, batch=2).shape == (64, 64)


def test_a_large_model_is_measured_as_it_is_computed():
    (row,) = networks.million(8, (2,), 2**20, 1, log=quiet)
    assert (row["inputs"], row["rank"]) == (256, 28)
    assert row["sum"] == pytest.approx(28)
    assert row["condition"] < 10


def test_candidates_are_counted():
    rows = design.candidates((60,), {"late": design.Want((5, 16), full=1.0)}, 1, log=quiet)
    assert [row["per_second"] * row["seconds"]["median"] for row in rows] == [pytest.approx(rows[0]["candidates"])]
    assert rows[0]["candidates"] > 50


def test_the_search_is_held_against_brute_force():
    (row,) = design.distances(1, budget=6, field=5, processes=("power law",), log=quiet)
    assert row["distance"] < 1e-5
    assert 0 < row["fits"] < row["brute_fits"] == 4 + 2 + 1 + 6 + 1 + 4
    assert design.least_unmet([(2, 0.5), (4, 0.25)], 6).tolist() == [0.5, 0.5, 0.25, 0.25, 0.25]


def test_the_recorded_searches_find_what_brute_force_found_by_few_fits():
    rows = RECORDED["design"]
    assert len(rows) == 30
    assert max(row["distance"] for row in rows) < 2e-6  # shortfalls are rounded to six digits
    assert not any(row["left"] for row in rows)
    assert all(row["fits"] < row["brute_fits"] / 5 for row in rows)


def test_the_command_is_started_in_fresh_processes():
    nothing, started = networks.command(("-c pass", networks.COMMANDS[1]), 2, log=quiet)
    assert nothing["seconds"]["median"] < started["seconds"]["median"]


def test_imports_are_measured_without_the_start_of_the_interpreter():
    nothing, capacity = imports.run(("pass", "import capacity"), 3, log=quiet)
    assert (nothing["method"], nothing["seconds"]["runs"]) == ("pass", 3)
    assert 0 < nothing["seconds"]["median"] < 1e-3 < capacity["seconds"]["fastest"]


def test_runs_alternate():
    order = []
    seconds, results = alternate({"a": lambda: order.append("a"), "b": lambda: order.append("b") or 1}, 2)
    assert order == ["a", "b", "a", "b"]
    assert results == {"a": None, "b": 1}
    assert 0 <= seconds["a"]["fastest"] <= seconds["a"]["median"] <= seconds["a"]["slowest"]


def test_memory_is_that_of_the_process_alone():
    plain, filled = peak_memory("pass"), peak_memory("x = bytearray(200_000_000)")
    assert 199e6 < filled - plain < 205e6


def test_a_busy_machine_is_waited_for_until_it_is_quiet_or_patience_ends(monkeypatch):
    loads, slept, said = iter([3.0, 2.0, 1.0, 9.0]), [], []
    monkeypatch.setattr(timing.os, "getloadavg", lambda: (next(loads), 0, 0))
    monkeypatch.setattr(timing.time, "sleep", slept.append)
    timing.quiet(log=said.append)
    assert (len(slept), len(said)) == (2, 1)
    timing.quiet(0, log=said.append)
    assert (len(slept), len(said)) == (2, 1)


def test_sections_not_run_keep_their_results(tmp_path, at_once):
    path, sections = tmp_path / "results.json", {"layers": lambda: [1], "network": lambda: {"new": 1}}
    old = {"conditions": {"layers": {"load": 0.5}}, "layers": [{"old": 1}]}
    path.write_text(json.dumps(old))
    command.main(["network"], path, sections)
    found = json.loads(path.read_text())
    assert found["layers"] == [{"old": 1}]
    assert found["conditions"]["layers"] == {"load": 0.5}
    assert found["network"] == {"new": 1}
    assert not list(tmp_path.glob("*.partial"))
    with pytest.raises(SystemExit, match="unknown sections frontier; known: layers, network"):
        command.main(["frontier"], path, sections)


def test_without_pytorch_its_section_is_kept(tmp_path, at_once, monkeypatch, capsys):
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"conditions": {}, "hierarchical": "former"}))
    monkeypatch.setattr(hierarchical, "pytorch", None)
    sections = {"hierarchical": lambda: pytest.fail("was run"), "network": lambda: {"new": 1}}
    command.main([], path, sections)
    assert json.loads(path.read_text())["hierarchical"] == "former"
    assert "pip install torch" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="pip install torch"):
        command.main(["hierarchical"], path, sections)
    monkeypatch.setattr(regions, "relucent", None)
    with pytest.raises(SystemExit, match="relucent is not installed, so the section regions_peer cannot be run"):
        command.main(["regions_peer"], path, sections | {"regions_peer": lambda: pytest.fail("was run")})


def test_every_recorded_section_is_known_and_has_its_conditions():
    assert set(RECORDED) - {"conditions"} == set(command.SECTIONS) == set(RECORDED["conditions"])


def test_every_recorded_time_is_a_median_of_several_runs():
    rows = [row for name, found in RECORDED.items() if name != "conditions" for row in np.atleast_1d(found)]
    entries = [entry for row in rows for entry in row.values() if isinstance(entry, dict)]
    assert len(entries) > 60
    for entry in entries:
        assert entry["runs"] >= 3
        assert entry["fastest"] <= entry["median"] <= entry["slowest"]


def test_recorded_results_are_compared_with_those_in_the_archive_of_a_release(capsys, tmp_path):
    for by, slower in ((1, 1), (0.4, 0)):
        with ZipFile(tmp_path / "release.zip", "w") as archive:
            archive.writestr(compare.MEMBER, json.dumps(slowed(by)))
        assert compare.main([str(tmp_path / "release.zip"), str(FOLDER / "results.json")]) == (by < 1)
        assert f"{1 - slower} of" in capsys.readouterr().out


def slowed(by):
    """The recorded results with one time slower."""
    results = copy.deepcopy(RECORDED)
    row = next(row for row in results["large"] if row["stack"] == "WaveNet, 30 layers, c = 8")
    row["seconds"]["median"] *= by
    return results


@pytest.mark.parametrize(("by", "expected"), [(1.0, []), (1.9, []), (2.1, ["large, WaveNet, 30 layers, c = 8"])])
def test_a_time_beyond_the_factor_is_a_regression(by, expected):
    rows = compare.compare(RECORDED, slowed(by), 2.0)
    found = next(row for row in rows if "large, WaveNet, 30 layers, c = 8" in row[0])
    assert found[3] == pytest.approx(by)
    assert [row[0].removesuffix(f", inputs {row[0].split()[-1]}") for row in rows if row[4]] == expected


def test_a_faster_machine_is_held_to_more():
    other = copy.deepcopy(RECORDED)
    for conditions in other["conditions"].values():
        conditions["rates"] = {name: 3 * rate for name, rate in conditions["rates"].items()}
    rows = compare.compare(RECORDED, other, 2.0)
    assert [row[3] for row in rows] == pytest.approx([3.0] * len(rows))
    assert all(row[4] for row in rows if row[1] > 0.1)
