import csv
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from capacity.sweeps import grid, read_table, seeded_generator, sweep

MODELS = grid(n_layers=[3, 4], channels=[1, 2, 4], process=["power law", "white"], seed=[0])

KILLED = """
import sys, time
from pathlib import Path
from capacity.sweeps import seeded_generator, grid, sweep

def point(size, seed):
    with Path(sys.argv[1], "calls.txt").open("a") as calls:
        calls.write(f"{size} {seed}\\n")
    if [f"{size}", f"{seed}"] == sys.argv[2:]:
        time.sleep(600)  # under way until the sweep is killed
    return {"draw": seeded_generator(size=size, seed=seed).standard_normal(size).sum()}

sweep(point, grid(size=[2, 3, 5], seed=range(3)), sys.argv[1])
"""


def draw(size, seed):
    value = seeded_generator(size=size, seed=seed).standard_normal(size).mean()
    return {"mean": value, "even": size % 2 == 0, "name": "x"}


def written(name):
    return {"length": len(name)}


def repeated(a):
    return {"a": a}


def same(first, second):
    assert list(first) == list(second)
    for name in first:
        np.testing.assert_array_equal(first[name], second[name])
        assert first[name].dtype.kind == second[name].dtype.kind


def test_points_are_seeded_by_their_parameters_alone():
    assert seeded_generator(a=1, b=2).random() == seeded_generator(b=2, a=1).random()
    draws = [seeded_generator(**parameters).random() for parameters in grid(a=[1, 2], b=[1, 2, 12], c=["x", "y"])]
    assert len(set(draws)) == 12
    seeded = [seeded_generator(size=2, seed=seed).random() for seed in range(3)]
    assert len({*seeded, seeded_generator(size=2).random()}) == 4
    assert (
        seeded_generator(a=np.int64(1)).random() == seeded_generator(a=1).random() != seeded_generator(a="1").random()
    )


def test_table_is_tidy_and_reads_back_exactly(tmp_path):
    table = sweep(draw, grid(size=[2, 3], seed=[5, 6]), tmp_path)
    assert list(table) == ["size", "seed", "mean", "even", "name"]
    assert table["size"].tolist() == [2, 2, 3, 3]
    assert table["seed"].tolist() == [5, 6, 5, 6]
    assert table["even"].tolist() == [True, True, False, False]
    expected = [draw(size, seed)["mean"] for size in (2, 3) for seed in (5, 6)]
    assert table["mean"].tolist() == expected
    same(read_table(tmp_path), table)
    with (tmp_path / "table.csv").open(newline="") as file:
        assert len(list(csv.reader(file))) == 5


def test_texts_are_read_back_as_they_are_even_where_python_would_see_a_number(tmp_path):
    table = sweep(written, grid(name=["1_0", "2_0"]), tmp_path)
    same(read_table(tmp_path), table)


def test_finished_points_are_not_computed_again_and_new_ones_are_added(tmp_path):
    sizes = []

    def point(size):
        sizes.append(size)
        return {"square": size**2}

    sweep(point, grid(size=[3, 1]), tmp_path)
    table = sweep(point, grid(size=[1, 2, 3, 4]), tmp_path)
    assert sizes == [3, 1, 2, 4]
    assert table["square"].tolist() == [1, 4, 9, 16]


@pytest.mark.whole
def test_results_do_not_depend_on_order_or_number_of_workers(tmp_path):
    from capacity_studies.experiments import fitted_hierarchical

    serial = sweep(fitted_hierarchical, MODELS, tmp_path / "serial")
    parallel = sweep(fitted_hierarchical, MODELS[::-1], tmp_path / "parallel", jobs=2)
    same({name: column[::-1] for name, column in parallel.items()}, serial)


def test_a_killed_sweep_loses_only_the_point_under_way(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    process = subprocess.Popen([*command, "3", "1"])
    deadline = time.monotonic() + 60
    calls = tmp_path / "calls.txt"
    while not (calls.exists() and calls.read_text().endswith("3 1\n")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(list(tmp_path.glob("points/*.json"))) == 4
    assert not (tmp_path / "table.csv").exists()
    subprocess.run(command, check=True)
    lines = calls.read_text().split("\n")[:-1]
    assert len(set(lines)) == 9
    assert len(lines) == 9 + 1
    expected = [seeded_generator(size=n, seed=seed).standard_normal(n).sum() for n in (2, 3, 5) for seed in range(3)]
    assert read_table(tmp_path)["draw"].tolist() == expected


def test_dask_cluster_that_loses_a_worker_loses_no_point(tmp_path):
    distributed = pytest.importorskip("distributed", reason="needs the extra: pip install capacity-allocation[cluster]")

    def waited(condition):
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def point(seed):  # local, so that it travels by value
        (tmp_path / f"{seed}-{os.getpid()}.begun").touch()
        if seed < 2:  # both workers have one of the first points
            waited(lambda: len({path.stem.split("-")[1] for path in tmp_path.glob("*.begun")}) == 2)
        elif seed > 2:
            waited((tmp_path / "killed").exists)
        return {"draw": seeded_generator(seed=seed).standard_normal(), "worker": os.getpid()}

    folder, outcome = tmp_path / "sweep", {}
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=tmp_path
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = list(client.run(os.getpid).values())
        assert len(set(pids)) == 2

        def run():
            outcome["table"] = sweep(point, grid(seed=range(24)), folder, jobs=-1, backend="dask")

        thread = threading.Thread(target=run)
        thread.start()
        waited(lambda: len(list(folder.glob("points/*.json"))) >= 3)
        assert len(list(folder.glob("points/*.json"))) < 24
        os.kill(pids[0], signal.SIGKILL)
        (tmp_path / "killed").touch()
        thread.join(60)
    table = outcome["table"]
    assert table["draw"].tolist() == [seeded_generator(seed=seed).standard_normal() for seed in range(24)]
    assert len(set(table["worker"].tolist())) >= 2
    assert os.getpid() not in table["worker"]


def test_a_point_that_kills_its_worker_is_named_and_the_others_are_kept(tmp_path):
    def point(size):
        if size == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return {"square": size**2}

    with pytest.raises(RuntimeError, match=r"point \{'size': 3\} of the sweep failed: its worker died twice"):
        sweep(point, grid(size=[1, 2, 3]), tmp_path, jobs=2)
    assert len(list(tmp_path.glob("points/*.json"))) == 2


def test_a_worker_that_is_killed_once_loses_no_point(tmp_path):
    killed = tmp_path / "killed"

    def point(size):
        if size == 3 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return {"square": size**2}

    table = sweep(point, grid(size=range(8)), tmp_path / "sweep", jobs=2)
    assert table["square"].tolist() == [size**2 for size in range(8)]


def test_failed_point_is_named_and_the_others_are_kept(tmp_path):
    def point(size):
        if size == 3:
            raise ArithmeticError("three")
        return {"size squared": size**2}

    with pytest.raises(RuntimeError, match=r"point \{'size': 3\} of the sweep failed: ArithmeticError: three"):
        sweep(point, grid(size=[1, 2, 3]), tmp_path)
    assert len(list(tmp_path.glob("points/*.json"))) == 2
    assert {path.name for path in tmp_path.iterdir()} == {"points", "function.txt"}


def damaged(folder):
    sweep(draw, grid(size=[2], seed=[0]), folder)
    next(folder.glob("points/*.json")).write_text('{"parameters": ')
    sweep(draw, grid(size=[2], seed=[0]), folder)


def cut_short(folder):
    sweep(draw, grid(size=[2], seed=[0]), folder)
    table = folder / "table.csv"
    table.write_text(table.read_text()[: len("size,seed,mean,even,name\n2,0")])
    read_table(folder)


def emptied(folder):
    (folder / "table.csv").write_text("")
    read_table(folder)


def shared(folder):
    sweep(draw, grid(size=[2], seed=[0]), folder)
    sweep(written, MODELS, folder)


@pytest.mark.parametrize(
    ("make", "error", "expected"),
    [
        (lambda folder: sweep(draw, [], folder), ValueError, "points: "),
        (lambda folder: sweep(draw, [{"a": 1}, {"b": 1}], folder), ValueError, "points: "),
        (lambda folder: sweep(draw, [{"a": 1}, {"a": 1}], folder), ValueError, "points: "),
        (lambda folder: sweep(draw, [{"a": [1]}], folder), TypeError, "a: "),
        (lambda folder: sweep(draw, [{"size": 1, "mean": 1}], folder), RuntimeError, "unexpected keyword"),
        (lambda folder: sweep(repeated, [{"a": 1}], folder), RuntimeError, r"names of parameters \['a'\]"),
        (lambda folder: sweep(lambda a: {"b": a}, [{"a": 1}], folder), TypeError, "point: "),
        (lambda folder: sweep(draw, MODELS, folder, jobs=1.5), TypeError, "jobs: "),
        (damaged, ValueError, "folder: "),
        (
            shared,
            ValueError,
            "folder: ",
        ),
        (read_table, ValueError, "folder: "),
        (cut_short, ValueError, "folder: "),
        (emptied, ValueError, "folder: "),
    ],
)
def test_bad_arguments_are_named(make, error, expected, tmp_path):
    with pytest.raises(error, match=expected):
        make(Path(tmp_path))
