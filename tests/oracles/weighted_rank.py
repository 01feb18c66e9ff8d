"""The optima of hierarchical models with few channels: the lowest loss that any weights can reach.

Paper 1, Figure 4 (centre); this book, Section 5.1, where Gauss-Newton ends far below L-BFGS-B.

With 4 to 7 channels, six layers of two taps restrict their 64 coefficients in one way only: as a matrix of the upper by
the lower half of the binary digits of the lag, they have rank c. A matrix A has rank c if A N = 0 for 8 - c independent
columns N. Given N, the best A solves a linear problem; N is found by damped Newton steps from several starts, in 16 or
12 numbers instead of 144 or 312 weights. (So with four layers and 2 or 3 channels.)
"""

import numpy as np


def lowest_losses(covariance, target, rank, starts=6, seed=0):
    """Minima of (a - target)^T covariance (a - target), lowest first, over coefficients a by lag of this rank."""
    side = int(np.sqrt(len(target)))
    root = np.linalg.cholesky(covariance)
    right = np.linalg.svd(target.reshape(side, side))[2].T
    rng = np.random.default_rng(seed)

    def residual(shift):
        """The distance to the nearest coefficients with A N = 0, in coordinates in which the loss is its square."""
        null = right[:, rank:] + right[:, :rank] @ shift.reshape(rank, side - rank)
        constraints = np.kron(np.eye(side), null.T)
        scaled = np.linalg.solve(root, constraints.T)
        return scaled @ np.linalg.solve(scaled.T @ scaled, constraints @ target)

    found = [_descend(residual, 0.3 * rng.standard_normal(rank * (side - rank))) for _ in range(starts)]
    return np.sort(found)


def _descend(residual, at, steps=200):
    """Levenberg-Marquardt; derivatives by complex steps, which are exact to rounding."""
    now, damping = residual(at), 1e-3
    for _ in range(steps):
        jacobian = np.stack([residual(at + 1e-30j * e).imag / 1e-30 for e in np.eye(at.size)], axis=1)
        curvature, before = jacobian.T @ jacobian, now @ now
        while damping < 1e12:
            step = np.linalg.solve(curvature + damping * np.diag(np.diag(curvature)), -jacobian.T @ now)
            new = residual(at + step)
            if new @ new < before:
                break
            damping *= 4
        else:
            break
        at, now, damping = at + step, new, damping / 5
        if now @ now > before * (1 - 1e-12):
            break
    return now @ now


if __name__ == "__main__":
    process = (1 + np.arange(65)) ** -0.5  # autocovariances of the process of long memory
    covariance = process[np.abs(np.subtract.outer(range(64), range(64)))]
    for channels in (4, 6):
        print(channels, "channels:", lowest_losses(covariance, np.linalg.solve(covariance, process[1:]), channels))
