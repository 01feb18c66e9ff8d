import gzip
import struct
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from capacity_studies.data import labelled_images, randomised_labels

FASHION = Path("/usr/share/datasets/fashion-mnist")
NAMES = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"]


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def idx(array):
    return struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.astype(np.uint8).tobytes()


@pytest.fixture
def arrays(rng):
    shapes = [(7, 3, 4), (7,), (5, 3, 4), (5,)]
    return {name: rng.integers(0, 256 if len(shape) == 3 else 10, shape) for name, shape in zip(NAMES, shapes)}


def write(folder, arrays, compress=()):
    for name, array in arrays.items():
        content = idx(array)
        if name in compress:
            (folder / f"{name}.gz").write_bytes(gzip.compress(content))
        else:
            (folder / name).write_bytes(content)


def test_the_digits_are_those_of_scikit_learn():
    images, theirs = labelled_images(n_test=300, rng=1), load_digits()
    assert (len(images.test_labels), images.shape, images.classes) == (300, (8, 8), 10)
    order = np.random.default_rng(1).permutation(len(theirs.target))
    np.testing.assert_array_equal(np.vstack([images.test_inputs, images.train_inputs]), theirs.data[order] / 16)
    np.testing.assert_array_equal(np.append(images.test_labels, images.train_labels), theirs.target[order])


@pytest.mark.parametrize("compress", [(), NAMES[:3]])
def test_idx_files_are_read_as_they_were_written(tmp_path, arrays, compress):
    write(tmp_path, arrays, compress)
    images = labelled_images(tmp_path)
    assert images.shape == (3, 4)
    assert images.name == tmp_path.name
    assert np.array_equal(255 * images.train_inputs, arrays[NAMES[0]].reshape(7, 12))
    assert images.train_labels.tolist() == arrays[NAMES[1]].tolist()
    assert np.array_equal(255 * images.test_inputs, arrays[NAMES[2]].reshape(5, 12))
    assert images.test_labels.tolist() == arrays[NAMES[3]].tolist()


def test_standardised_pixels_have_mean_0_and_variance_1_over_the_training_images():
    images = labelled_images()
    found = images.standardised()
    constant = np.ptp(images.train_inputs, axis=0) == 0
    assert np.allclose(found.train_inputs.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(found.train_inputs.var(axis=0), np.where(constant, 0, 1))
    assert (found.test_inputs[:, constant] == 0).all()
    for one, other in zip(images.test_inputs.T[~constant], found.test_inputs.T[~constant]):  # the same shift and scale
        assert np.ptp(other) == 0 or abs(np.corrcoef(one, other)[0, 1]) == pytest.approx(1)
    assert not np.allclose(found.test_inputs.mean(axis=0), 0, atol=1e-3)
    assert found.train_labels is images.train_labels


def test_a_missing_file_is_named(tmp_path, arrays):
    write(tmp_path, arrays)
    (tmp_path / NAMES[2]).unlink()
    with pytest.raises(FileNotFoundError, match=f"folder: expected {NAMES[2]} or .*gz in .*, got neither; pass"):
        labelled_images(tmp_path)


@pytest.mark.parametrize("damage", [lambda content: b"\0\0\x0d" + content[3:], lambda content: content[:-1]])
def test_numbers_of_another_type_and_a_file_that_is_cut_off_are_not_read(tmp_path, arrays, damage):
    write(tmp_path, arrays)
    (tmp_path / NAMES[0]).write_bytes(damage((tmp_path / NAMES[0]).read_bytes()))
    with pytest.raises(ValueError, match=r"magic number|cannot reshape"):
        labelled_images(tmp_path)


@pytest.mark.skipif(not FASHION.is_dir(), reason="Debian's package dataset-fashion-mnist is not installed")
def test_a_published_set_is_read():
    images = labelled_images(FASHION)
    assert (images.train_inputs.shape, images.test_inputs.shape, images.classes) == ((60000, 784), (10000, 784), 10)
    assert np.bincount(images.train_labels).tolist() == [6000] * 10


def test_a_share_of_the_labels_is_drawn_anew_and_larger_shares_keep_what_smaller_ones_drew():
    labels = np.arange(1000) % 10
    found = [randomised_labels(labels, share, 10, rng=3) for share in (0, 0.25, 0.5, 1)]
    np.testing.assert_array_equal(found[0], labels)
    assert [int((f != labels).sum()) for f in found] == pytest.approx([0, 225, 450, 900], abs=40)
    for less, more in pairwise(found):
        changed = less != labels
        np.testing.assert_array_equal(more[changed], less[changed])
    assert np.bincount(found[-1], minlength=10) == pytest.approx([100] * 10, abs=40)


@pytest.mark.parametrize(("share", "count"), [(0.5, 4), (0.6, 4), (0.7, 5), (1.0, 7)])  # of seven, halves to even
def test_as_many_labels_are_drawn_as_the_share_rounds_to(share, count):
    found = randomised_labels(np.full(7, -1), share, 3, rng=0)
    assert np.count_nonzero(found >= 0) == count
