"""Photographs that come with packages, and patches of them."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from capacity_studies.data import photograph, photograph_patches
from capacity_studies.data.photographs import installed_sample


@pytest.mark.parametrize(("name", "shape"), [("china", (427, 640)), ("flower", (427, 640)), ("hopper", (600, 512))])
def test_photographs_are_grey_values_of_their_known_size(name, shape):
    image = photograph(name)
    assert image.shape == shape
    assert 0 <= image.min() < 0.2 < 0.8 < image.max() <= 1


def test_grey_is_the_mean_of_the_three_colours():
    colours = plt.imread(installed_sample("grace_hopper.jpg")).astype(float)
    np.testing.assert_allclose(3 * 255 * photograph("hopper"), colours.sum(axis=2), rtol=1e-14)


def test_each_patch_is_somewhere_in_the_photograph_of_its_label_and_no_block_is_on_both_sides():
    patches = photograph_patches(side=8, block=64, n_train=20, n_test=10, rng=1)
    assert patches.classes == 3
    assert np.bincount(patches.train_labels).tolist() == [20] * 3
    assert np.bincount(patches.test_labels).tolist() == [10] * 3
    for label, name in enumerate(("china", "flower", "hopper")):
        image, tiles, blocks = photograph(name), {}, []
        for i in range(0, image.shape[0] // 64 * 64, 8):
            for j in range(0, image.shape[1] // 64 * 64, 8):
                tiles.setdefault(image[i : i + 8, j : j + 8].tobytes(), set()).add((i // 64, j // 64))
        for inputs, labels in (
            (patches.train_inputs, patches.train_labels),
            (patches.test_inputs, patches.test_labels),
        ):
            places = [tiles[x.reshape(8, 8).tobytes()] for x in inputs[labels == label]]
            blocks.append(set().union(*[found for found in places if len(found) == 1]))  # black ones occur elsewhere
        assert min(map(len, blocks)) > 3
        assert not blocks[0] & blocks[1]


def test_all_patches_of_a_share_of_the_blocks_are_trained_on_where_there_are_no_more():
    patches = photograph_patches(block=128, share=0.5, n_train=10**4, n_test=10**4)
    blocks = [np.bincount(labels) // 16**2 for labels in (patches.train_labels, patches.test_labels)]
    np.testing.assert_array_equal(blocks, [[8, 8, 8], [7, 7, 8]])
    assert len(patches.train_inputs) == len(patches.train_labels)
