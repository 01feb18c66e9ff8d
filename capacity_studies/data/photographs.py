"""Three photographs that come with scikit-learn and Matplotlib: their grey values, and small patches to be told apart.

`china` and `flower` are published under CC BY 2.0, `hopper` is in the public domain.
"""

import importlib
import importlib.util
from pathlib import Path

import numpy as np

from capacity._validation import as_generator
from capacity_studies.data.images import LabelledImages

__all__ = ["installed_sample", "photograph", "photograph_patches"]

_NAMES = {"china": "china.jpg", "flower": "flower.jpg", "hopper": "grace_hopper.jpg"}


def photograph(name):
    """Grey values of a photograph, the mean of its three colours.

    Parameters
    ----------
    name : {'china', 'flower', 'hopper'}
        A temple and a flower, of scikit-learn; a portrait of Grace Hopper, of Matplotlib.

    Returns
    -------
    ndarray, shape (rows, columns)
        Between 0 and 1.
    """
    if name == "hopper":
        colours = np.asarray(importlib.import_module("PIL.Image").open(installed_sample(_NAMES[name])))
    else:
        colours = importlib.import_module("sklearn.datasets").load_sample_image(_NAMES[name])
    return colours.mean(axis=2) / 255


def installed_sample(file):
    """Path of a file of Matplotlib's sample data, found without importing Matplotlib.

    Parameters
    ----------
    file : str
        Its name, such as 'eeg.dat'.

    Returns
    -------
    Path
    """
    folder = importlib.util.find_spec("matplotlib").submodule_search_locations[0]
    return Path(folder) / "mpl-data" / "sample_data" / file


def photograph_patches(*, side=8, block=64, share=2 / 3, n_train=600, n_test=300, rng=0):
    """Disjoint square patches of the three photographs, labelled by the photograph that they are of.

    Neighbouring patches are alike, so that patches divided one by one would put almost the same image on both sides.
    Here whole blocks go to one side.

    Parameters
    ----------
    side, block : int
        Pixels along an edge of a patch, and of a block; the first divides the second.
    share : float
        Share of the blocks of each photograph that goes to training.
    n_train, n_test : int
        Patches of each photograph, or all where it has fewer.
    rng : int or numpy.random.Generator, optional
        Decides which blocks and which patches.

    Returns
    -------
    LabelledImages
        Labels 0, 1 and 2: temple, flower, portrait.

    Examples
    --------
    >>> patches = photograph_patches(n_train=100, n_test=50)
    >>> patches.train_inputs.shape, patches.test_inputs.shape, patches.classes
    ((300, 64), (150, 64), 3)
    """
    rng, inputs, labels = as_generator(rng), ([], []), ([], [])
    for label, name in enumerate(_NAMES):
        blocks = _tiles(photograph(name), block)
        blocks = blocks[rng.permutation(len(blocks))]
        cut = round(share * len(blocks))
        for part, (chosen, count) in enumerate(zip((blocks[:cut], blocks[cut:]), (n_train, n_test))):
            patches = np.concatenate([_tiles(one, side) for one in chosen]).reshape(-1, side**2)
            inputs[part].append(patches[rng.permutation(len(patches))[:count]])
            labels[part].append(np.full(len(inputs[part][-1]), label))
    joined = [np.concatenate(part) for both in zip(inputs, labels) for part in both]
    return LabelledImages(*joined, (side, side), "patches")


def _tiles(image, side):
    """Disjoint squares of an image, shape (tiles, side, side); what is left over at the ends is dropped."""
    rows, columns = (length // side for length in image.shape)
    whole = image[: rows * side, : columns * side].reshape(rows, side, columns, side)
    return whole.swapaxes(1, 2).reshape(-1, side, side)
