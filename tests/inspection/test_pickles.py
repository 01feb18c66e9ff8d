"""What is public can be sent to another process: what comes back is the same."""

import pickle

import numpy as np
import pytest

from capacity import DilatedConvolution, GaussianProcess, fit
from capacity.tasks import PROCESSES, empirical
from capacity_inspection.graphs import capacity_flow, moving_fields, receptive_fields, time_reach
from capacity_inspection.look_backs import look_back
from capacity_inspection.readers import tcn
from capacity_inspection.reports import summary

SERIES = GaussianProcess().sample(400, rng=0)
GRAPH = tcn([1, 2], activation="relu")
LAGS = np.arange(9)


@pytest.mark.parametrize("make", [*PROCESSES.values(), lambda: empirical(SERIES)], ids=[*PROCESSES, "empirical"])
def test_processes_come_back_as_they_were(make):
    process = GaussianProcess(make())
    found = pickle.loads(pickle.dumps(process))
    assert found.name == process.name
    np.testing.assert_array_equal(found.autocovariance(LAGS), process.autocovariance(LAGS))


def test_parameters_of_a_process_come_back_too():
    process = pickle.loads(pickle.dumps(GaussianProcess(PROCESSES["power law"](exponent=0.3))))
    assert process.autocovariance(np.array([1]))[0] == pytest.approx(2**-0.3)


@pytest.mark.parametrize(
    "thing",
    [
        GRAPH,
        DilatedConvolution([1, 2]),
        fit(DilatedConvolution([1, 2]), GaussianProcess(), rng=0),
        look_back(SERIES),
        time_reach(GRAPH),
        receptive_fields(GRAPH),
        moving_fields(GRAPH),
        capacity_flow(GRAPH),
        summary(GRAPH),
        summary(GRAPH, data=SERIES),
        summary(DilatedConvolution([1, 2]), process=GaussianProcess(), optima=1),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_models_and_what_is_found_of_them_come_back_as_they_were(thing):
    found = pickle.loads(pickle.dumps(thing))
    assert type(found) is type(thing)
    assert pickle.dumps(found) == pickle.dumps(pickle.loads(pickle.dumps(found)))
    if hasattr(thing, "to_dict"):
        assert str(found) == str(thing)
