"""A sweep of ten thousand points on a cluster of two workers of Dask that is killed half way goes on to the end."""

import os
import signal
import subprocess
import sys
import time

import numpy as np

from capacity.sweeps import read_table, seeded_generator

POINTS = 10_000
SCRIPT = f"""
import sys
from distributed import Client, LocalCluster
from capacity.sweeps import grid, seeded_generator, sweep

def point(seed):
    return {{"draw": seeded_generator(seed=seed).standard_normal()}}

if __name__ == "__main__":
    own = {{"dashboard_address": None, "local_directory": sys.argv[1] + "-workers"}}
    with LocalCluster(n_workers=2, threads_per_worker=1, **own) as cluster, Client(cluster):
        sweep(point, grid(seed=range({POINTS})), sys.argv[1], jobs=-1, backend="dask")
"""


def test_killed_sweep_on_a_cluster_resumes_and_keeps_what_was_finished(tmp_path):
    script, folder = tmp_path / "points.py", tmp_path / "sweep"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, script, folder]
    first = subprocess.Popen(command, start_new_session=True)
    deadline = time.monotonic() + 600
    while len(list(folder.glob("points/*.json"))) < POINTS // 4:
        assert first.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.2)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    finished = {path: path.stat().st_mtime_ns for path in (folder / "points").glob("*.json")}
    assert POINTS // 5 < len(finished) < POINTS
    assert not (folder / "table.csv").exists()
    subprocess.run(command, check=True, timeout=1800)
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    draws = [seeded_generator(seed=seed).standard_normal() for seed in range(POINTS)]
    assert np.array_equal(read_table(folder)["draw"], draws)
