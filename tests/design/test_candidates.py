"""The search: totals and allocations of its candidates by the definition, its fronts, its fits and their files."""

import numpy as np
import pytest

from capacity.allocation import exact_capacity, model_constraints
from capacity.design import DilatedStack, Want, search, stacks_within, unmet
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess, IndependentProcesses, Samples, standard_process

WANTS = [Want((9, None), share=0.5), Want((1, 4), full=0.9)]
PROCESS = standard_process("power law")
SMALL = {"wants": WANTS, "budget": 40, "fits": 6, "max_iterations": 5}


def test_candidates_are_within_the_budget_and_have_their_exact_totals():
    design = search(WANTS, 40)
    assert len(design.candidates) == len(list(stacks_within(40, 36)))
    for candidate in design.candidates[::20]:
        assert candidate.parameters == candidate.stack.model().n_parameters <= 40
        assert candidate.total == exact_capacity(candidate.stack.model(), rng=0).total


def test_a_full_stack_meets_by_estimate_what_its_lags_can_hold():
    (candidate,) = search(Want((1, 7), full=1.0), 48, stacks=[DilatedStack(1, 6, 1, 2, 2)]).candidates
    assert candidate.total == 7
    assert candidate.shortfalls == (0.0,)


def test_nothing_on_the_front_is_beaten_and_all_else_is():
    for cost in ("parameters", "total"):
        design = search(WANTS, 60, cost=cost)
        costs = {(getattr(c, cost), c.unmet) for c in design.candidates}
        beaten = {b for b in costs for a in costs if a[0] <= b[0] and a[1] <= b[1] and a != b}
        front = [(getattr(c, cost), c.unmet) for c in design.front]
        assert set(front) == costs - beaten
        assert [cost for cost, _ in front] == sorted(cost for cost, _ in front)


def test_fits_have_the_capacities_and_the_loss_of_the_definition():
    stack = DilatedStack(2, 4, 1, 2, 2)
    (fitted,) = search(WANTS, 40, process=PROCESS, stacks=[stack], max_iterations=200).fits
    model = DilatedConvolution.hierarchical(4, channels=2)
    assert fitted.converged
    assert fitted.total == exact_capacity(model).total == 12
    best = fit(model, PROCESS, restarts=5, rng=0)
    np.testing.assert_allclose(fitted.loss, best.loss + PROCESS.residual_variance(16), rtol=1e-9)
    space = model_constraints(model, best.parameters, PROCESS.covariance(16))
    np.testing.assert_allclose(fitted.unmet, unmet(WANTS, space.spatial()[::-1]), atol=1e-5)


def test_fits_come_from_the_front_first_and_the_final_front_is_that_of_the_fits():
    plain, design = search(WANTS, 40), search(**SMALL, process=PROCESS)
    assert len(design.fits) == 6
    first, fitted = {candidate.stack for candidate in plain.front}, {point.stack for point in design.fits}
    assert fitted <= first or first <= fitted
    found = [point.candidate.unmet for point in design.fits if point.stack in first]
    assert found == sorted(found)
    assert found[0] == min(candidate.unmet for candidate in plain.candidates)
    assert set(design.front) <= set(design.fits)


def test_an_interrupted_search_goes_on_where_it_was(tmp_path):
    design = search(**SMALL, process=PROCESS, folder=tmp_path)
    files = sorted((tmp_path / "points").iterdir())
    assert len(files) == 6
    files[0].unlink()
    kept = {file: file.stat().st_mtime_ns for file in files[1:]}
    assert search(**SMALL, process=PROCESS, folder=tmp_path) == design
    assert {file: file.stat().st_mtime_ns for file in files[1:]} == kept
    assert files[0].exists()


def test_another_process_does_not_take_the_fits_of_the_first(tmp_path):
    first = search(**SMALL, process=PROCESS, folder=tmp_path)
    other = search(**SMALL, process=standard_process("fractional noise"), folder=tmp_path)
    assert len(list((tmp_path / "points").iterdir())) == 12
    assert [a.loss for a in first.fits] != [b.loss for b in other.fits]
    assert other == search(**SMALL, process=standard_process("fractional noise"))


def test_processes_that_differ_beyond_the_shortest_stack_have_fits_of_their_own(tmp_path):
    stacks = [DilatedStack(2, 2, 1, 2, 1), DilatedStack(2, 4, 1, 2, 2)]
    echo = [
        GaussianProcess(lambda lags, k=k: np.where(lags, np.where(np.abs(lags) == k, 0.45, 0.0), 1.0)) for k in (7, 12)
    ]
    small = {"wants": Want((5, None), share=0.9), "budget": 200, "stacks": stacks, "max_iterations": 5}
    first, second = (search(**small, process=process, folder=tmp_path) for process in echo)
    assert len(list((tmp_path / "points").iterdir())) == 3  # both are white in the eyes of the shortest
    assert second == search(**small, process=echo[1]) != first


def test_worker_processes_give_the_same_design():
    assert search(**SMALL, process=PROCESS, jobs=2) == search(**SMALL, process=PROCESS)


def test_components_of_a_position_count_together():
    task = IndependentProcesses([PROCESS, standard_process("fractional noise")])
    stack = DilatedStack(2, 3, 1, 2, 2)
    model = stack.model(components=2)
    (candidate,) = search(WANTS, 60, process=task, stacks=[stack], max_iterations=50).candidates
    assert candidate.parameters == model.n_parameters
    assert candidate.total == exact_capacity(model).total


def test_series_stand_for_a_process():
    series = PROCESS.sample(3000, rng=0)
    task = Samples.from_series(series, 16)
    (fitted,) = search(WANTS, 40, process=task, stacks=[DilatedStack(2, 4, 1, 2, 2)], max_iterations=50).fits
    assert task.residual_variance(16) <= fitted.loss < 1.1 * task.residual_variance(16)


def test_rows_are_a_table_of_the_front():
    design = search(**SMALL, process=PROCESS)
    rows = design.rows()
    assert [row["parameters"] for row in rows] == [point.parameters for point in design.front]
    row, point = rows[-1], design.front[-1]
    assert row["50% of the capacity beyond lag 8"] + row["90% full at lags 1 to 4"] == row["unmet"] == point.unmet
    assert (row["lags"], row["loss"], row["estimated unmet"]) == (point.stack.lags, point.loss, point.candidate.unmet)
    assert "loss" not in design.rows(design.candidates)[0]


@pytest.mark.parametrize(
    ("changed", "kind", "message"),
    [
        ({"wants": []}, ValueError, "wants: "),
        ({"wants": ["half"]}, TypeError, r"wants\[0\]: "),
        ({"budget": 3}, ValueError, "budget: "),
        ({"budget": "many"}, TypeError, "budget: "),
        ({"cost": "time"}, ValueError, "cost: "),
        ({"fits": 51}, ValueError, "fits: "),
        ({"stacks": [3]}, TypeError, "stacks: "),
        ({"max_iterations": 0}, ValueError, "max_iterations: "),
        ({"seed": -1}, ValueError, "seed: "),
        ({"jobs": 0}, ValueError, "jobs: "),
        ({"process": object()}, TypeError, "process: "),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(changed, kind, message):
    with pytest.raises(kind, match=message):
        search(**SMALL | {"process": PROCESS} | changed)


def test_a_process_is_anything_that_keeps_the_protocol():
    assert search(**SMALL, process=GaussianProcess()).fits == search(**SMALL, process=PROCESS).fits
