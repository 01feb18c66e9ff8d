"""Names of the last release: each works, is the same thing, and says where it stands now."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from capacity._moved import MODULES, NAMES, former_keyword
from capacity.figures import direct_labels


@pytest.mark.parametrize(("former", "new"), NAMES.items())
def test_a_name_that_moved_is_what_it_was(former, new):
    (home, name), (new_home, new_name) = former.rsplit(".", 1), new.rsplit(".", 1)
    with pytest.warns(DeprecationWarning, match=rf"{former} .* use {new}"):
        found = getattr(import_module(home), name)
    assert found is getattr(import_module(new_home), new_name)
    assert name not in import_module(home).__all__


@pytest.mark.parametrize(("former", "new"), MODULES.items())
def test_a_room_that_moved_is_the_same_module_however_it_is_imported(former, new):
    room = former.removeprefix("capacity.")
    inner = min(path.stem for path in Path(import_module(new).__path__[0]).glob("[a-z]*"))
    code = f"""
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    {{}}
assert "{former}" in str(told[0].message) and told[0].message.args[0].endswith("use {new}"), told
import capacity, {new}.{inner}, {former}.{inner} as inside
assert {former} is {new} and inside is {new}.{inner}
assert capacity.{room} is {new}
"""
    for line in (f"import {former}", f"from capacity import {room}", f"from {former} import {inner}"):
        done = subprocess.run([sys.executable, "-c", code.format(line)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_a_keyword_that_has_another_name_works_and_says_which():
    @former_keyword("old", "new")
    def double(*, new=1):
        return 2 * new

    with pytest.warns(DeprecationWarning, match=r"double\(old=\.\.\.\) is deprecated .* use new="):
        assert double(old=3) == 6
    assert double(new=3) == 6


def test_labels_take_their_distance_under_its_former_name_too():
    ax = Figure().subplots()
    lines = [ax.plot([0, 1], [0, height], label=f"{height}")[0] for height in (1.0, 1.01)]
    with pytest.warns(DeprecationWarning, match="use spacing="):
        direct_labels(ax, lines, gap=0.1)
    assert ax.texts[1].xy[1] - ax.texts[0].xy[1] == pytest.approx(0.1)
