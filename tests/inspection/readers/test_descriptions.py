"""Tables of plain values become models, processes and data; what they cannot mean is named."""

import numpy as np
import pytest

from capacity.models import DilatedConvolution
from capacity.tasks import PROCESSES, fractional_noise, standard_process
from capacity_inspection.readers import described_model, described_process, read_description, recurrent


def write(tmp_path, text):
    path = tmp_path / "network.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_means_the_call_with_its_entries():
    assert described_model({"architecture": "recurrent", "inputs": 8, "channels": 2}) == recurrent(8, channels=2)


@pytest.mark.parametrize("name", list(PROCESSES))
def test_a_process_by_name_is_the_one_of_the_chapters(name):
    found = described_process({"name": name.replace(" ", "-")})
    assert np.array_equal(found.autocovariances(9), standard_process(name).autocovariances(9))


def test_a_process_takes_its_parameters():
    found = described_process({"name": "fractional noise", "hurst": 0.7})
    assert np.array_equal(found.autocovariances(9), fractional_noise(0.7)(np.arange(10)))


def test_a_file_describes_a_network_and_its_process(tmp_path):
    text = 'architecture = "tcn"\ndilations = [1, 2]\nchannels = 3\n[process]\nname = "power law"\nexponent = 1.5\n'
    found = read_description(write(tmp_path, text))
    assert found.model == DilatedConvolution([1, 2], 3)
    assert found.process.autocovariances(1)[1] == pytest.approx(2**-1.5)
    assert found.data is None


def test_a_file_names_its_data_beside_itself(tmp_path):
    (tmp_path / "series.csv").write_text("a,b\n1,2\n3,5\n")
    text = 'architecture = "tcn"\ndilations = [1]\n[data]\nfile = "series.csv"\ncolumn = "b"\n'
    found = read_description(write(tmp_path, text))
    assert np.array_equal(found.data, [2, 5])
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


def test_tables_have_to_be_tables():
    for read in (described_model, described_process):
        with pytest.raises(TypeError, match="expected an instance of Mapping"):
            read("tcn")


def test_a_switch_is_true_or_false():
    with pytest.raises(TypeError, match="residual: expected an instance of bool, got str; write true or false"):
        described_model({"architecture": "tcn", "dilations": [1, 2], "residual": "no"})
