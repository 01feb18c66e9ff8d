"""The points of a sweep on disk: written one by one by whoever computes them, and merged into one table."""

import numpy as np
import pytest

from capacity._point_store import PointStore, digest, evaluate
from capacity.sweeps import read_table

POINTS = [{"n": 1, "name": "a"}, {"n": 2, "name": "a"}]


def test_a_point_is_missing_until_it_is_saved_also_for_another_process(tmp_path):
    store = PointStore.open(tmp_path, POINTS, "square")
    assert store.missing() == POINTS
    store.save(POINTS[1], {"square": 4})
    assert store.missing() == PointStore.open(tmp_path, POINTS, "square").missing() == POINTS[:1]


def test_the_table_has_the_points_in_their_order_however_they_came(tmp_path):
    store = PointStore.open(tmp_path, POINTS, "square")
    for point in reversed(POINTS):
        store.save(point, {"square": point["n"] ** 2})
    table = store.table()
    assert {name: column.tolist() for name, column in table.items()} == {
        "n": [1, 2],
        "name": ["a", "a"],
        "square": [1, 4],
    }
    assert (tmp_path / "table.csv").read_text() == "n,name,square\n1,a,1\n2,a,4\n"


def test_what_some_points_lack_leaves_a_column_what_it_is(tmp_path):
    store = PointStore.open(tmp_path, POINTS, "square")
    store.save(POINTS[0], {"whole": 1, "half": 0.5, "even": False, "word": "a"})
    store.save(POINTS[1], {"square": 4})
    for table in (store.table(), read_table(tmp_path)):
        np.testing.assert_array_equal(table["whole"], [1.0, np.nan])
        np.testing.assert_array_equal(table["half"], [0.5, np.nan])
        np.testing.assert_array_equal(table["even"], [0.0, np.nan])
        np.testing.assert_array_equal(table["square"], [np.nan, 4.0])
        assert {table[name].dtype for name in ("whole", "half", "even", "square")} == {np.dtype(float)}
        assert table["word"].tolist() == ["a", ""]


def test_the_table_of_unfinished_points_is_not_written(tmp_path):
    store = PointStore.open(tmp_path, POINTS, "square")
    store.save(POINTS[0], {"square": 1})
    with pytest.raises(FileNotFoundError):
        store.table()
    assert not (tmp_path / "table.csv").exists()


def test_the_file_of_another_point_is_refused(tmp_path):
    store = PointStore.open(tmp_path, POINTS, "square")
    for point in POINTS:
        store.save(point, {"square": point["n"] ** 2})
    first, second = tmp_path.glob("points/*.json")
    first.write_bytes(second.read_bytes())
    with pytest.raises(ValueError, match="folder: "):
        store.table()


def test_a_point_at_nan_is_found_again(tmp_path):
    store = PointStore.open(tmp_path, [{"n": np.nan}], "square")
    store.save({"n": np.nan}, {"square": 1.0})
    assert store.table()["square"].tolist() == [1.0]


def test_a_digest_depends_on_names_and_values_and_on_nothing_else():
    assert digest({"a": 1, "b": 2}) == digest({"b": np.int64(2), "a": 1})
    assert len({digest(each) for each in ({"a": 1}, {"a": 2}, {"b": 1}, {"a": "1"}, {"a": 1.5})}) == 5


def test_results_are_pythons_own_numbers_and_a_failing_point_is_named():
    assert type(evaluate(lambda n: {"root": np.sqrt(n)}, {"n": 4})["root"]) is float
    with pytest.raises(RuntimeError, match=r"the point \{'n': 0\} of the sweep failed: ZeroDivisionError"):
        evaluate(lambda n: {"inverse": 1 // n}, {"n": 0})
    with pytest.raises(RuntimeError, match="root: "):
        evaluate(lambda n: {"root": np.ones(n)}, {"n": 4})
