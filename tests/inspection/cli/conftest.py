"""A folder with the files that lines of the command name."""

import pytest

from capacity import standard_process

TOML = """
architecture = "tcn"
dilations = [1, 2, 4]
channels = 1
[process]
name = "power law"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the files that the examples name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "network.toml").write_text(TOML)
    series = standard_process("exponential mixture").sample(600, rng=0)
    (tmp_path / "series.csv").write_text("time,level\n" + "\n".join(f"{i},{x:.6f}" for i, x in enumerate(series)))
    return tmp_path
