"""The search: totals and allocations of its candidates by the definition, brute force, its fits and their files."""

import itertools

import numpy as np
import pytest

from capacity.allocation import constraint_space, exact_capacity, model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess, IndependentProcesses, Samples, standard_process
from capacity_inspection.design import Want, expected_allocation, path_counts, search, trained_sizes, unmet
from capacity_inspection.design.candidates import _at_most

FAR, NEAR = Want((4, None), share=0.4), Want((1, 3), full=0.9)
PROCESS = standard_process("power law")
SMALL = {"wants": [FAR, NEAR], "budget": 8, "max_lags": 6}
STACK = DilatedConvolution.hierarchical(4, channels=2)


def every_model(budget, lags):
    """Every stack of 2 to 4 taps and up to 3 channels."""
    for n, depth in itertools.product((2, 3, 4), range(1, 6)):
        for dilations in itertools.product(range(1, lags), repeat=depth):
            models = [DilatedConvolution(dilations, c, n) for c in (1, 2, 3)] if (n - 1) * sum(dilations) < lags else []
            yield from (model for model in models if model.n_parameters <= budget)


@pytest.fixture(scope="module")
def brute_force():
    """Of every small stack, its parameters, its allocation after a fit, and that of a layer with the same lags."""
    found = []
    for model in every_model(SMALL["budget"], SMALL["max_lags"]):
        best = fit(model, PROCESS, restarts=2, rng=1)
        sigma = PROCESS.covariance(model.n_inputs)
        space = model_constraints(model, best.parameters, sigma)
        free = constraint_space(sigma, np.eye(model.n_inputs)[:, path_counts(model.dilations, model.taps)[::-1] > 0])
        found.append((model.n_parameters, space.spatial()[::-1], free.spatial()[::-1]))
    return found


def test_no_lag_gets_more_than_from_a_layer_of_all_the_lags_that_are_reached(brute_force):
    assert all(np.all(held <= most + 1e-7) for _, held, most in brute_force)  # at a double root columns nearly agree


@pytest.mark.parametrize(
    "wants", [[FAR], [NEAR], [FAR, NEAR], [Want((3, 5), share=0.7)], [Want((2, 2), share=0.6)], [Want((1, 5), full=1)]]
)
def test_it_finds_what_brute_force_finds_at_each_number_of_parameters(brute_force, wants):
    found = search(**SMALL | {"wants": wants}, process=PROCESS)
    assert found.left == 0
    assert len(found.fits) < len(brute_force)
    for most in range(2, SMALL["budget"] + 1):
        ours = min(point.unmet for point in found.front if point.parameters <= most)
        theirs = min(float(unmet(wants, held)) for cost, held, _ in brute_force if cost <= most)
        assert ours <= theirs + 2e-6


def test_the_front_has_the_best_first_and_nothing_on_it_equals_another():
    for process in (None, PROCESS):
        design = search(**SMALL, process=process)
        front = [(point.parameters, point.unmet) for point in design.front]
        assert front == sorted(front, reverse=True)
        assert [unmet for _, unmet in front] == sorted({unmet for _, unmet in front})
        points = design.fits or design.candidates
        assert front[0][1] == min(point.unmet for point in points)


def test_candidates_have_their_exact_totals():
    for model in itertools.islice(every_model(24, 7), 0, None, 30):
        (candidate,) = search([FAR, NEAR], 40, stacks=[model]).candidates
        assert candidate.model == model
        assert candidate.parameters == model.n_parameters
        assert candidate.total == exact_capacity(model, rng=0).total


def test_a_full_stack_meets_by_estimate_what_its_lags_can_hold():
    (candidate,) = search(Want((1, 7), full=1.0), 48, stacks=[DilatedConvolution([1] * 6, 2)]).candidates
    assert candidate.total == 7
    assert candidate.shortfalls == (0.0,)


def test_a_process_has_estimates_that_are_nearer_to_its_fits():
    stacks = [DilatedConvolution(each, 1, 3) for each in itertools.combinations(range(1, 8), 2)]
    far = Want((4, None), share=1.0)
    plain = {each.model: each.unmet for model in stacks for each in search(far, 9, stacks=[model]).candidates}
    fitted = [search(far, 9, stacks=[model], process=PROCESS).fits[0] for model in stacks]
    errors = [[each.unmet - each.candidate.unmet, each.unmet - plain[each.model]] for each in fitted]
    trained, untrained = np.sqrt(np.mean(np.square(errors), axis=0))
    assert trained < untrained / 3


def test_fits_have_the_capacities_and_the_loss_of_the_definition():
    (fitted,) = search([FAR, NEAR], 40, process=PROCESS, stacks=[STACK]).fits
    assert fitted.converged
    assert fitted.total == exact_capacity(STACK).total == 12
    best = fit(STACK, PROCESS, restarts=5, rng=0)
    np.testing.assert_allclose(fitted.loss, best.loss + PROCESS.residual_variance(16), rtol=1e-9)
    space = model_constraints(STACK, best.parameters, PROCESS.covariance(16))
    np.testing.assert_allclose(fitted.unmet, unmet([FAR, NEAR], space.spatial()[::-1]), atol=1e-5)


def test_what_was_not_fitted_is_counted():
    few, all_of_them = (search(**SMALL, process=PROCESS, fits=fits) for fits in (3, 1000))
    assert len(few.fits) == 3
    assert few.left > 0 == all_of_them.left
    assert few.stacks == all_of_them.stacks


def test_worker_processes_give_the_same_design_and_another_seed_other_weights():
    short = SMALL | {"process": PROCESS, "fits": 9, "max_iterations": 1}
    assert search(**short, jobs=2).fits == search(**short).fits != search(**short, seed=1).fits


def test_components_of_a_position_count_together():
    task = IndependentProcesses([PROCESS, standard_process("fractional noise")])
    model = DilatedConvolution.hierarchical(3, channels=2, components=2)
    (fitted,) = search([FAR, NEAR], 60, process=task, stacks=[model]).fits
    assert fitted.parameters == model.n_parameters
    assert fitted.candidate.total == exact_capacity(model).total == fitted.total
    best = fit(model, task, restarts=5, rng=0)
    by_position = model_constraints(model, best.parameters, task.covariance(8)).spatial(components=2)[::-1]
    np.testing.assert_allclose(fitted.unmet, unmet([FAR, NEAR], by_position / 2), atol=1e-5)


def test_no_bound_excludes_the_best_stack_of_several_components():
    task = IndependentProcesses([standard_process("white")] * 2)
    stacks = [DilatedConvolution(each, 1, 2, 2) for each in itertools.combinations(range(1, 7), 3)]
    want = Want((2, 3), share=0.5)
    alone = [search(want, 40, process=task, stacks=[each], starts=1).fits[0].unmet for each in stacks]
    assert search(want, 40, process=task, stacks=stacks, starts=1).front[0].unmet == min(alone)


@pytest.mark.parametrize("dilations", [[3], [2, 5], [1, 4]])
def test_no_lag_of_several_components_gets_more_than_its_bound(dilations):
    task, model = IndependentProcesses([PROCESS, standard_process("white")]), DilatedConvolution(dilations, 1, 2, 2)
    space = model_constraints(model, model.initial(0), task.covariance(model.n_positions))
    assert np.all(space.spatial(components=2)[::-1] / 2 <= _at_most(model, process=task, cache={}) + 1e-9)


def test_estimates_of_two_components_alike_are_those_of_one_of_half_the_total():
    model = DilatedConvolution([1, 3], 1, 2, 2)
    (candidate,) = search([FAR, NEAR], 60, process=IndependentProcesses([PROCESS] * 2), stacks=[model]).candidates
    sizes = trained_sizes([1, 3], 2, PROCESS.optimal_coefficients(5)[::-1])
    allocation = expected_allocation(sizes, candidate.total / 2)
    np.testing.assert_allclose(candidate.shortfalls, [each.shortfall(allocation) for each in (FAR, NEAR)], atol=1e-6)


def test_series_stand_for_a_process():
    series = PROCESS.sample(3000, rng=0)
    task = Samples.from_series(series, 16)
    (fitted,) = search([FAR, NEAR], 40, process=task, stacks=[STACK]).fits
    assert task.residual_variance(16) <= fitted.loss < 1.1 * task.residual_variance(16)


def test_rows_are_a_table_of_the_front():
    design = search(**SMALL, process=PROCESS)
    rows = design.rows()
    assert [row["parameters"] for row in rows] == [point.parameters for point in design.front]
    row, point = rows[-1], design.front[-1]
    assert row["40% of the capacity beyond lag 3"] + row["90% full at lags 1 to 3"] == row["unmet"] == point.unmet
    assert (row["lags"], row["loss"]) == (point.model.n_positions, point.loss)
    assert row["dilations"] == list(point.model.dilations)
    assert "loss" not in search(**SMALL).rows()[0]


def test_a_process_is_anything_that_keeps_the_protocol():
    assert search(**SMALL, fits=3, process=GaussianProcess()).fits == search(**SMALL, fits=3, process=PROCESS).fits


def test_two_taps_meet_what_two_lags_can():
    for lag in (5, 17):
        best = search(Want((lag, None), share=0.5), 60).front[0]
        assert (best.parameters, best.unmet, best.model.taps) == (2, 0, (2,))
        assert lag <= best.model.n_positions
    assert search(Want((1, 4), full=1.0), 30).front[0].parameters == 4
