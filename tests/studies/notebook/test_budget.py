"""Living budgets: at rest an ordinary figure, with the network as plain numbers beside it."""

import json

import numpy as np
import pytest
from matplotlib import pyplot as plt

from capacity_studies import budget
from capacity_studies.notebook import capture
from edition.verification.chapter_references import agree

NETWORK = {"dilations": (1, 2), "weights": [np.ones((2, 2, 1)), np.full((1, 2, 2), -0.5)]}
NETWORK |= {"capacities": np.full(4, 0.75), "generic": np.int64(3)}


@pytest.fixture
def show(monkeypatch):
    """Return what a living budget displays."""
    shown = []
    monkeypatch.setattr("capacity_studies.notebook.live.display", shown.append)

    def show(**changed):
        figure = plt.figure(figsize=(2, 1))
        figure.subplots().plot([0, 1])
        budget(figure, **NETWORK | changed)
        assert plt.get_fignums() == []
        return shown.pop()._repr_mimebundle_()

    yield show
    plt.close("all")


def test_the_network_is_displayed_as_plain_numbers(show):
    assert json.loads(json.dumps(show()[capture.LIVE])) == {
        "scene": "budget",
        "dilations": [1, 2],
        "weights": [[[[1], [1]], [[1], [1]]], [[[-0.5, -0.5], [-0.5, -0.5]]]],
        "capacities": [0.75] * 4,
        "generic": 3,
        "states": {},
    }
    state = [np.zeros((2, 2, 1)), np.ones((1, 2, 2))]
    assert show(states={"off": state})[capture.LIVE]["states"] == {"off": [layer.tolist() for layer in state]}


@pytest.mark.parametrize(("change", "same"), [(1e-12, True), (0.01, False)])
def test_the_printed_text_tells_capacities_that_changed_and_not_a_rounding_error(show, change, same):
    other = show(capacities=[0.75 + change, 0.75 - change, 0.75, 0.75])["text/plain"]
    assert agree(show()["text/plain"], other) == same


@pytest.mark.parametrize(
    ("what", "changed"),
    [
        ("weights: expected shapes", {"weights": NETWORK["weights"][::-1]}),
        ("weights: expected shapes", {"weights": [np.ones((2, 2, 1)), np.ones((2, 2, 2))]}),
        ("weights: expected shapes", {"dilations": [1]}),
        ("weights: expected at most 1", {"weights": [NETWORK["weights"][0], np.full((1, 2, 2), 1.5)]}),
        ("states", {"states": {"off": NETWORK["weights"][:1]}}),
        ("weights: expected at most 1", {"states": {"more": [2 * layer for layer in NETWORK["weights"]]}}),
        ("capacities", {"capacities": np.full(3, 1.0)}),
        ("capacities", {"generic": 4}),
    ],
)
def test_a_network_that_does_not_fit_together_is_refused(show, what, changed):
    with pytest.raises(ValueError, match=what):
        show(**changed)
