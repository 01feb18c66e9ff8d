"""Labelled images: the digits that come with scikit-learn, or any set in the file format of MNIST.

An IDX file starts with two zero bytes, the type of its numbers (8: unsigned bytes) and the number of axes; then come
the length of each axis, as big-endian 32-bit integers, and the numbers themselves in C order.
"""

import gzip
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from capacity._validation import as_generator

__all__ = ["LabelledImages", "labelled_images", "randomised_labels"]

_PARTS = {"train": "train", "test": "t10k"}


@dataclass(frozen=True)
class LabelledImages:
    """Images as rows of pixels between 0 and 1, with the classes that they belong to.

    Attributes
    ----------
    train_inputs, test_inputs : ndarray, shape (samples, pixels)
    train_labels, test_labels : ndarray of int, shape (samples,)
        From 0 on.
    shape : tuple of int
        Rows and columns of an image.
    name : str
        Of the set.
    """

    train_inputs: np.ndarray
    train_labels: np.ndarray
    test_inputs: np.ndarray
    test_labels: np.ndarray
    shape: tuple[int, int]
    name: str

    @property
    def classes(self):
        """Number of classes: one more than the largest label."""
        return int(max(self.train_labels.max(), self.test_labels.max())) + 1

    def standardised(self):
        """The same images, each pixel shifted and scaled to mean 0 and variance 1 over the training images.

        Pixels that are the same in all training images become 0.

        Returns
        -------
        LabelledImages
        """
        mean, deviation = self.train_inputs.mean(axis=0), self.train_inputs.std(axis=0)
        factor = np.divide(1, deviation, out=np.zeros_like(deviation), where=deviation > 0)
        return replace(
            self, train_inputs=(self.train_inputs - mean) * factor, test_inputs=(self.test_inputs - mean) * factor
        )


def labelled_images(folder=None, *, n_test=360, rng=0):
    """Load images of digits, or whatever a folder holds in the file format of MNIST.

    Parameters
    ----------
    folder : path-like, optional
        With the files train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and
        t10k-labels-idx1-ubyte, each of them as it is or compressed, its name then ending in .gz. Default: the 1797
        digits of scikit-learn, 8 x 8 pixels (Alpaydin and Kaynak 1998).
    n_test : int, optional
        How many of scikit-learn's digits are set aside for tests. The files have their own division.
    rng : int or numpy.random.Generator, optional
        Decides which.

    Returns
    -------
    LabelledImages
        Pixels are divided by their largest possible value: 255, or 16 in scikit-learn's digits.

    Examples
    --------
    >>> digits = labelled_images()
    >>> digits.train_inputs.shape, digits.test_inputs.shape, digits.shape, digits.classes
    ((1437, 64), (360, 64), (8, 8), 10)
    """
    return _digits(n_test, rng) if folder is None else _of_folder(Path(folder))


def randomised_labels(labels, share, classes, *, rng=None):
    """Labels of which a share is drawn anew, uniformly and independently of the images (Zhang et al. 2017).

    Parameters
    ----------
    labels : array_like of int, shape (samples,)
        From 0 to classes - 1.
    share : float
        From 0 to 1: the share of the samples that get a random label, rounded to whole samples. By chance one in
        `classes` of these keeps its own.
    classes : int
        Number of classes.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    ndarray of int, shape (samples,)
        With the same `rng`, samples that are drawn anew at one share are so at every larger one, with the same label.

    Examples
    --------
    >>> randomised_labels([0, 1, 2, 0, 1, 2, 0, 1], 0.5, 3, rng=0).shape
    (8,)
    """
    rng, found = as_generator(rng), np.array(labels, dtype=int)
    order, drawn = rng.permutation(len(found)), rng.integers(classes, size=len(found))
    changed = order[: round(share * len(found))]
    found[changed] = drawn[changed]
    return found


def _digits(n_test, rng):
    """Return scikit-learn's digits from its file; to import it takes a second."""
    table = np.loadtxt(Path(find_spec("sklearn").origin).parent / "datasets" / "data" / "digits.csv.gz", delimiter=",")
    order = as_generator(rng).permutation(len(table))
    inputs, labels = table[order, :-1] / 16, table[order, -1].astype(int)
    return LabelledImages(inputs[n_test:], labels[n_test:], inputs[:n_test], labels[:n_test], (8, 8), "digits")


def _of_folder(folder):
    images = {part: _read(folder, f"{prefix}-images-idx3-ubyte", 3) for part, prefix in _PARTS.items()}
    labels = {part: _read(folder, f"{prefix}-labels-idx1-ubyte", 1) for part, prefix in _PARTS.items()}
    shape = images["train"].shape[1:]
    inputs = {part: found.reshape(len(found), -1) / 255 for part, found in images.items()}
    numbers = {part: found.astype(int) for part, found in labels.items()}
    return LabelledImages(inputs["train"], numbers["train"], inputs["test"], numbers["test"], shape, folder.name)


def _read(folder, name, axes):
    """The array in an IDX file of unsigned bytes, compressed or not."""
    path = next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
    if path is None:
        raise FileNotFoundError(
            f"folder: expected {name} or {name}.gz in {folder}, got neither; pass a folder with all four files"
        )
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    magic, wanted = content[:4], bytes([0, 0, 8, axes])
    if magic != wanted:
        raise ValueError(
            f"folder: expected {path.name} to start with the magic number {wanted.hex()}, got "
            f"{magic.hex() or 'no bytes'}; pass IDX files of unsigned bytes"
        )
    start = 4 + 4 * axes
    lengths = np.frombuffer(content[4:start], dtype=">u4").astype(int)
    return np.frombuffer(content, dtype=np.uint8, offset=start).reshape(lengths)
