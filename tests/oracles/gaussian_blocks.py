"""The correction of eq. 14: covariance of two copies of Gaussian inputs behind piecewise-linear units.

Paper 2, eqs 12-14, where the block of outputs i and j is nu Sigma; this book, Section 2.3, has what is missing.

The book uses Price's theorem. Here the plane of the two arguments is cut into sectors. The inputs are a part that is
linear in two standard normal numbers, which are what the arguments consist of, and an independent rest. The gains
depend only on the angle of those two numbers, by the signs of the arguments, and on each of four sectors they are
constant; the integrals of cos^2, sin cos and sin^2 over a sector are elementary. Nothing is sampled or expanded.
"""

import numpy as np


def block(covariance, first, second, slopes):
    """E[eta_i eta_j y y^T] for normal y; the gain eta of an argument p.y is one of two slopes, below and above 0."""
    below, above = np.array(slopes) * np.sqrt(2 / np.sum(np.square(slopes)))  # so that E[eta^2] = 1
    both = np.stack([first, second])
    root = np.linalg.cholesky(both @ covariance @ both.T)  # the arguments are root @ (cos t, sin t) times a radius
    inputs = np.linalg.solve(root, both @ covariance).T  # covariances of the inputs with the two normal numbers
    zeros = [np.arctan2(-x, y) + turn for x, y in root for turn in (0, np.pi)]
    angles = np.sort(np.mod(zeros, 2 * np.pi))
    mean, moments = 0.0, np.zeros((2, 2))
    for start, end in zip(angles, [*angles[1:], angles[0] + 2 * np.pi]):
        middle = (start + end) / 2
        gain = np.prod(np.where(root @ [np.cos(middle), np.sin(middle)] > 0, above, below))
        turn, wide, high = end - start, np.sin(2 * end) - np.sin(2 * start), np.cos(2 * start) - np.cos(2 * end)
        mean += gain * turn / (2 * np.pi)
        moments += gain * np.array([[turn + wide / 2, high / 2], [high / 2, turn - wide / 2]]) / (2 * np.pi)
    return mean * (covariance - inputs @ inputs.T) + inputs @ moments @ inputs.T


if __name__ == "__main__":
    for name, slopes in {"leaky ReLU": (0.2, 1), "ReLU": (0, 1), "absolute value": (-1, 1)}.items():
        print(f"{name}: {block(np.eye(3), [1, 0, 0], [0.6, 0.8, 0], slopes).round(6).tolist()}")
