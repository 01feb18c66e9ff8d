"""Live pictures: at rest an ordinary figure, with what its scene begins with beside it."""

import json

import numpy as np
import pytest
from matplotlib import pyplot as plt

from capacity_studies import live
from capacity_studies.notebook import capture
from capacity_studies.notebook.content import drawn
from capacity_studies.notebook.drawing import picture
from edition.verification.chapter_references import agree


@pytest.fixture
def shown(monkeypatch):
    """Return what a live picture with these values displays, and its figure."""
    displayed = []
    monkeypatch.setattr("capacity_studies.notebook.live.display", displayed.append)

    def shown(values):
        figure = plt.figure(figsize=(2, 1))
        figure.subplots().plot([0, 1])
        live(figure, "plane", normals=values, size=np.int64(2))
        assert plt.get_fignums() == []
        return displayed.pop()._repr_mimebundle_(), figure

    yield shown
    plt.close("all")


def test_what_is_displayed_is_the_figure_and_the_scene_as_plain_numbers(shown):
    bundle, figure = shown(np.eye(2))
    assert (bundle[capture.IMAGE], bundle[capture.MIME]) == (picture(figure), drawn(figure))
    assert json.loads(json.dumps(bundle[capture.LIVE])) == {"scene": "plane", "normals": [[1, 0], [0, 1]], "size": 2}


@pytest.mark.parametrize(("change", "same"), [(1e-12, True), (0.01, False)])
@pytest.mark.parametrize("size", [2, 9])
def test_the_printed_text_tells_values_that_changed_and_not_a_rounding_error(shown, size, change, same):
    texts = [shown(np.eye(size) + more)[0]["text/plain"] for more in (0, change)]
    assert agree(*texts) == same
