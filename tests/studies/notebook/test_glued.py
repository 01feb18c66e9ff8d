"""What is kept for the text is what MyST-NB keeps, without MyST-NB."""

import subprocess
import sys

import myst_nb
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from capacity_studies import glue


@pytest.fixture
def shell(monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("display", [True, False])
@pytest.mark.parametrize("value", [2.5, "words", np.arange(3.0), [1, 2]])
def test_a_value_is_kept_as_myst_nb_keeps_it(shell, value, display):
    outputs = []
    for keep in (glue, myst_nb.glue):
        with capture_output() as found:
            keep("name", value, display=display)
        outputs.append([(output.data, output.metadata) for output in found.outputs])
    assert len(outputs[0]) == 1
    assert outputs[0] == outputs[1]


def test_nothing_of_sphinx_is_imported_for_what_a_notebook_calls():
    code = "from capacity_studies import *; import sys; print(*{'sphinx', 'myst_nb', 'edition'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
