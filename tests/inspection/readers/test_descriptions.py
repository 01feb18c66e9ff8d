"""Tables of plain values become models, processes and data; what they cannot mean is named."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity.tasks import PROCESSES
from capacity_inspection.readers import described_model, described_process, read_description, recurrent, ssm, tcn


def write(tmp_path, text):
    path = tmp_path / "network.toml"
    path.write_text(text, encoding="utf-8")
    return path


SMALL, SHARE = st.integers(1, 4), st.floats(0.1, 0.9)
NETWORKS = {  # by architecture what has to be given and what may be
    tcn: (
        {"dilations": st.lists(SMALL, min_size=1, max_size=3)},
        dict.fromkeys(("channels", "taps", "stacks", "components"), SMALL),
    ),
    recurrent: ({"inputs": st.integers(2, 9)}, {"channels": SMALL}),
    ssm: ({"inputs": st.integers(2, 9)}, {"states": SMALL.map(lambda n: 2 * n)}),
}
PROCESS_ARGUMENTS = {
    "fractional noise": ({}, {"hurst": SHARE}),
    "power law": ({}, {"exponent": SHARE}),
    "exponential mixture": ({"time_scales": st.lists(st.floats(1, 9), min_size=1, max_size=3)}, {}),
    "autoregressive": ({"coefficients": st.lists(st.floats(-0.3, 0.3), min_size=1, max_size=3)}, {}),
    "seasonal": ({}, {"periods": st.lists(st.floats(1, 9), min_size=1, max_size=3), "memory": SHARE, "cycles": SHARE}),
    "white": ({}, {}),
}


def toml(table):
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("descriptions")


@given(st.sampled_from(list(NETWORKS)), st.sampled_from(list(PROCESSES)), st.data())
def test_a_file_is_the_calls_with_its_entries_however_their_names_are_written(folder, architecture, name, data):
    network = data.draw(st.fixed_dictionaries(NETWORKS[architecture][0], optional=NETWORKS[architecture][1]))
    needed, free = PROCESS_ARGUMENTS[name]
    arguments = data.draw(st.fixed_dictionaries(needed, optional=free))
    written = {key.replace("_", data.draw(st.sampled_from("-_"))): value for key, value in arguments.items()}
    table = {"architecture": architecture.__name__} | network
    process = {"name": name.replace(" ", data.draw(st.sampled_from("-_ ")))} | written
    found = read_description(write(folder, f"{toml(table)}[process]\n{toml(process)}"))
    assert found.model == architecture(**network)
    np.testing.assert_array_equal(found.process.autocovariances(9), PROCESSES[name](**arguments)(np.arange(10)))
    assert (found.process.name, found.data) == (name, None)
    with pytest.raises(ValueError, match=r"expected arguments among .* got strange"):
        described_model(table | {"strange": 1})


def test_a_file_names_its_data_beside_itself(tmp_path):
    (tmp_path / "series.csv").write_text("a,b\n1,2\n3,5\n")
    for column, expected in (('"b"', [2, 5]), ("0", [1, 3])):
        text = f'architecture = "tcn"\ndilations = [1]\n[data]\nfile = "series.csv"\ncolumn = {column}\n'
        found = read_description(write(tmp_path, text))
        assert np.array_equal(found.data, expected)
        assert found.process is None


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({}, "architecture: expected one of tcn, "),
        ({"architecture": "transformer"}, "got 'transformer'"),
        ({"architecture": ["tcn"]}, r"got \['tcn'\]"),
        ({"architecture": "tcn"}, "expected dilations, got nothing for it"),
        ({"architecture": "tcn", "dilations": [1], "depth": 3}, "expected arguments among dilations, .* got depth"),
        ({"architecture": "tcn", "dilations": [0]}, r"dilations\[0\]: expected an integer >= 1, got 0"),
    ],
)
def test_a_table_that_describes_no_network_is_refused(table, told):
    with pytest.raises(ValueError, match=told):
        described_model(table)


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"name": "brown"}, "process: expected one of power law, .* got 'brown'"),
        ({"name": "white", "hurst": 1}, "expected arguments among none, got hurst"),
        ({"name": "fractional noise", "hurst": 2.0}, "hurst: expected a number > 0 and < 1, got 2"),
    ],
)
def test_a_table_that_describes_no_process_is_refused(table, told):
    with pytest.raises(ValueError, match=told):
        described_process(table)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("architecture = tcn", "expected TOML in 'network.toml', got: Invalid value"),
        ("[process]\n[data]\n", "got both"),
        ("architecture = 'tcn'\ndilations = [1]\n[data]\n", "got no file"),
        ("architecture = 'tcn'\ndilations = [1]\n[data]\nfile = 'x.csv'\nrow = 1\n", r"got \['row'\]"),
        ("[" * 100_000, "description: expected TOML"),
        ("#" * 2**21, "at most 1 MiB"),
        (".".join("a" * 40_000) + " = 1", "expected keys of at most 16 parts, got 'a.a.a"),
    ],
)
def test_a_file_that_describes_nothing_is_refused(tmp_path, text, told):
    with pytest.raises(ValueError, match=told) as caught:
        read_description(write(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_switch_is_true_or_false():
    with pytest.raises(TypeError, match="residual: expected an instance of bool, got str; write true or false"):
        described_model({"architecture": "tcn", "dilations": [1, 2], "residual": "no"})
