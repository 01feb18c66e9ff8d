"""Series from files: the numbers that stand there, and a line for whatever cannot be read."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.io import wavfile

from capacity_inspection.readers import read_series
from capacity_inspection.readers.series import described_series

VALUES = np.array([0.5, -1.25, 3.0, 2.0])


def write(tmp_path, text, name="series.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("series")


@st.composite
def tables(draw):
    """Draw a file of text, the column that is asked for, its numbers and the number of the line of each."""
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(1, 4))
    mark = draw(st.sampled_from([",", ";", "\t", " "]))
    finite = st.floats(-1e300, 1e300)
    values = draw(st.lists(st.lists(finite, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    index = draw(st.integers(0, columns - 1))
    assume(np.ptp([row[index] for row in values]) > 0)
    form = draw(st.sampled_from(["{!r}", "{:.17e}", "{:+.17g}", '"{!r}"' if mark != " " else "{!r}"]))
    lines = [mark.join(form.format(value) for value in row) for row in values]
    title = st.text("abß2²_-", min_size=1, max_size=4).map(lambda text: "x" + text)
    titles = draw(st.just([]) | st.lists(title, min_size=columns, max_size=columns, unique=True))
    if titles and mark != " " and columns > 1:
        titles[0] += draw(st.sampled_from(["", f" {mark} 1"]))
    lines = [mark.join(f'"{name}"' if mark in name else name for name in titles)] * bool(titles) + lines
    for at in draw(st.lists(st.integers(0, len(lines)), max_size=2)):
        lines.insert(at, f"# a comment{mark}1")
    numbers = [number for number, line in enumerate(lines, 1) if line[0] != "#"][bool(titles) :]
    names = [index, str(index), *titles[index : index + 1]] + [None] * (columns == 1)
    text = draw(st.sampled_from(["", "\n", "\n \n"])) + draw(st.sampled_from(["\n", "\r\n"])).join(lines)
    numbers = [number + text.count("\n", 0, len(text) - len(text.lstrip())) for number in numbers]
    text = draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text, draw(st.sampled_from(names)), [row[index] for row in values], numbers, (mark, columns, index)


@given(tables(), st.sampled_from([".csv", ".tsv", ".txt", ".DAT"]))
def test_a_column_of_text_is_the_numbers_that_stand_in_it(folder, table, ending):
    text, column, expected, *_ = table
    path = folder / f"series{ending}"
    path.write_bytes(text.encode())
    np.testing.assert_array_equal(read_series(path, column=column), expected)


@given(tables(), st.data())
def test_an_entry_that_is_no_number_is_named_by_its_line_and_never_filled_in(folder, table, data):
    text, column, _, numbers, (mark, columns, index) = table
    number = data.draw(st.sampled_from(numbers[1:]))
    lines = text.splitlines()
    fields = lines[number - 1].split(mark)
    fields[index] = data.draw(
        st.sampled_from(["nan", "-inf", "1_0", "x", *["", "1,5"] * (mark == ";" and columns > 1)])
    )
    lines[number - 1] = mark.join(fields)
    (folder / "series.csv").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"^data: expected .* in line {number}\b"):
        read_series(folder / "series.csv", column=column)


@given(
    hnp.arrays(
        st.sampled_from(["f8", "f4", "f2", ">f8", "i8", "i2", "u1"]),
        hnp.array_shapes(min_dims=1, max_dims=2, min_side=2, max_side=4),
        elements=st.integers(0, 100),
    ),
    st.booleans(),
)
def test_columns_of_arrays_and_of_sound_are_counted_from_zero(folder, array, transposed):
    array = np.asfortranarray(array) if transposed else array
    columns = array.reshape(len(array), -1)
    index = columns.shape[1] - 1
    assume(np.ptp(columns[:, index]) > 0)
    np.save(folder / "series.npy", array)
    np.testing.assert_array_equal(read_series(folder / "series.npy", column=index), columns[:, index])
    if array.dtype in (np.int16, np.uint8, np.float32):
        wavfile.write(folder / "series.wav", 8000, array)
        np.testing.assert_array_equal(read_series(folder / "series.wav", column=index), columns[:, index])


def test_a_first_line_of_numbers_is_said_to_be_an_observation(tmp_path):
    found = {}
    for title in ("2019", "level"):
        path = tmp_path / f"{title}.csv"
        path.write_text(f"{title}\n0.5\n1.5\n")
        found[title] = described_series(path)
    assert found["2019"][0].tolist() == [2019, 0.5, 1.5]
    assert found["2019"][1].endswith("to 1.5; the first line, without a title, is one of them")
    assert found["level"][1] == "2 values, below the title 'level', from 0.5, 1.5 to 1.5"


def test_a_column_goes_by_its_number_or_its_title(tmp_path):
    path = write(tmp_path, "\ufeffdate,level\n" + "\n".join(f"1 May,{value}" for value in VALUES))
    for column in (1, "1", "level"):
        assert np.array_equal(read_series(path, column=column), VALUES)


@pytest.mark.parametrize(
    ("text", "column", "told"),
    [
        ("a,b\n1,2\n3,\n", 1, "number in line 3, column 1 of 'series.csv', got nothing"),
        ("a,b\n1,2\n3\n", 1, "2 columns in line 3 of 'series.csv' as in line 1, got 1"),
        ("1\n2\n\n4\n", None, "an empty line 3 within 'series.csv'"),
        ("level\n1,5\n2,7\n", None, "1 columns in line 2 of 'series.csv' as in line 1, got 2"),
        ("level\n1 1.5\n2 2.5\n", None, "1 columns in line 2 of 'series.csv' as in line 1, got 2"),
        ("a,b\n1,2,3\n4,5,6\n", "b", "2 columns in line 2 of 'series.csv' as in line 1, got 3"),
        (",0\n0,1.5\n1,2.5\n", 1, "titles or numbers in line 1 of 'series.csv', got some of each"),
        ("a,a\n1,2\n3,4\n", "a", "a title that stands once in 'series.csv', got 'a'"),
        ("a,b\n1,2\n3,4\n", "²", "column: expected one of 0: a, 1: b in 'series.csv', got '²'"),
        ("a,b\n1,2\n3,2\n", 1, "a series that varies, got 2 times 2"),
        ("a,b\n1,2\n3,4\n", None, "column: expected one of 0: a, 1: b in 'series.csv', got none"),
        ("a,b\n1,2\n3,4\n", "c", "column: expected one of 0: a, 1: b in 'series.csv', got 'c'"),
        ("1,2\n3,4\n", 2, "column: expected one of 0 to 1 in 'series.csv', got 2"),
        ("1,2\n3,4\n", "-1", "column: expected one of 0 to 1 in 'series.csv', got -1"),
        ("a,b\n1,2\n", 1, "at least two rows, got 1"),
        (
            '"1\n2\n3\n',
            None,
            "columns in line 1 of 'series.csv', got: unexpected end of data; close its quotation marks",
        ),
        ("1\n2\n" + "3" * 200_000, None, "a finite number in line 3, column 0 of 'series.csv'"),
        (f'1\n2\n"{"3" * 200_000}"', None, "columns in line 3 of 'series.csv', got: field larger than"),
        ("# nothing\n", None, "one row per time, got none"),
        ("", None, "got an empty file"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(tmp_path, text, column, told):
    with pytest.raises(ValueError, match=r"^(data|column): expected") as caught:
        read_series(write(tmp_path, text), column=column)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("column", [True, 1.0, ["a"]])
def test_a_column_is_a_number_or_a_title(tmp_path, column):
    with pytest.raises(TypeError, match="column"):
        read_series(write(tmp_path, "1,2\n3,4\n"), column=column)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match="data: expected a file"):
        read_series(write(tmp_path, "1\n2\n", "series.xlsx"))
    with pytest.raises(FileNotFoundError):
        read_series(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes("Höhe\n1\n2\n".encode("latin-1"))
    with pytest.raises(ValueError, match="UTF-8"):
        read_series(tmp_path / "latin.csv")


@pytest.mark.parametrize("array", [np.array(["a", "b"]), np.zeros((2, 2, 2)), np.zeros(1), np.array([1j, 2])])
def test_arrays_of_other_kinds_are_refused(tmp_path, array):
    np.save(tmp_path / "array.npy", array)
    with pytest.raises(ValueError, match="at least two real numbers with one or two axes"):
        read_series(tmp_path / "array.npy")


@pytest.mark.parametrize(
    ("old", "new"), [(b"}", b"`"), (b"'<f8'", b"'<f8("), (b"'<f8'", b"'|O8'"), (b"NUMPY", b"NUMPX"), (b"(3,)", b'("""')]
)
def test_damaged_arrays_are_refused_in_a_line_that_offers_nothing_unsafe(tmp_path, old, new):
    path = tmp_path / "array.npy"
    np.save(path, VALUES[:3])
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(
        ValueError, match=r"data: expected an array of numbers in 'array.npy', got: .*; write it anew$"
    ) as e:
        read_series(path)
    assert "allow_pickle" not in str(e.value)


def test_an_array_of_three_axes_is_samples_where_these_are_asked_for(tmp_path):
    path, samples = tmp_path / "samples.npy", np.arange(24.0).reshape(2, 3, 4)
    np.save(path, samples)
    found, told = described_series(path, samples=True)
    np.testing.assert_array_equal(found, samples)
    assert told == "2 samples of shape (3, 4)"
    with pytest.raises(ValueError, match="leave the column out"):
        described_series(path, column=1, samples=True)
    samples[0, 1, 2] = np.nan
    np.save(path, samples)
    with pytest.raises(ValueError, match="expected finite real numbers"):
        described_series(path, samples=True)


def test_a_negative_length_and_a_damaged_archive_are_refused(tmp_path):
    np.save(tmp_path / "good.npy", VALUES)
    good = (tmp_path / "good.npy").read_bytes()
    for content in (b"PK\x03\x04" + bytes(50), good.replace(b"(4,), ", b"(-4,),")):
        (tmp_path / "bad.npy").write_bytes(content)
        with pytest.raises(ValueError, match=r"data: expected .* in 'bad\.npy'"):
            read_series(tmp_path / "bad.npy")


@pytest.mark.parametrize("kept", [4, 11, 30, 43])
def test_a_file_that_is_cut_short_is_refused(tmp_path, kept):
    wavfile.write(tmp_path / "whole.wav", 8000, VALUES)
    np.save(tmp_path / "whole.npy", VALUES)
    for ending in ("wav", "npy"):
        cut = tmp_path / f"cut.{ending}"
        cut.write_bytes((tmp_path / f"whole.{ending}").read_bytes()[:kept])
        with pytest.raises(ValueError, match=r"data: expected .* 'cut") as caught:
            read_series(cut)
        assert "\n" not in str(caught.value)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(2**30 + 1)  # a hole, which takes no space
    with pytest.raises(ValueError, match=r"data: expected at most 256 MiB, got the file .* pass memory="):
        read_series(path)


def test_an_archive_is_no_array(tmp_path):
    np.savez(tmp_path / "series.npz", VALUES)
    (tmp_path / "series.npz").rename(tmp_path / "series.npy")
    with pytest.raises(ValueError, match=r"data: expected one array in 'series\.npy', got an archive of several"):
        read_series(tmp_path / "series.npy")


@pytest.mark.parametrize("entry", ["NA", "12 %", "$3", "Paris"])
def test_what_is_no_plain_number_is_told_with_both_remedies(tmp_path, entry):
    path = write(tmp_path, f"level\n1.5\n{entry}\n2.5")
    with pytest.raises(ValueError, match=r"line 3, .* got '.*'; interpolate gaps, .*, or write plain numbers"):
        read_series(path)
