"""By how much the capacities of two constraint spaces fail to add up (paper 1, Property 5 and Appendix A).

The excess kappa_{K1}(S) + kappa_{K2}(S) - kappa_{K1 + K2}(S) is the trace over S of the operator P1 + P2 - P of
orthogonal projections. For each pair of principal vectors at an angle theta in (0, pi/2) it has the eigenvalues
+cos(theta) and -cos(theta) on the plane of the pair; on the intersection (theta = 0) it has the eigenvalue 1, on
everything else 0. So the capacities add up for every S exactly if all angles are right: the sum must be *orthogonal*.
"""

from dataclasses import dataclass

import numpy as np

from capacity._validation import check_instance, check_real
from capacity.allocation.constraints import ConstraintSpace
from capacity.linalg.subspaces import principal_angles, subspace_sum

__all__ = ["AdditivityExcess", "additivity_excess"]


@dataclass(frozen=True)
class AdditivityExcess:
    """Failure of capacities to add up.

    Attributes
    ----------
    angles : ndarray, shape (min(kappa_1, kappa_2),)
        Principal angles between the spaces, in radians, in increasing order.
    intersection : int
        Dimension of the intersection, kappa_1 + kappa_2 - kappa.
    operator : ndarray, shape (n, n)
        P1 + P2 - P. The excess along a subspace with orthonormal basis S is the trace of S^T operator S.

    Examples
    --------
    >>> from capacity.allocation import constraint_space
    >>> spaces = [constraint_space(np.eye(2), [[1.0], [slope]]) for slope in (0.0, 1.0)]
    >>> excess = additivity_excess(*spaces)
    >>> np.degrees(excess.angles), excess.intersection, excess.spatial()
    (array([45.]), 0, array([ 0.5, -0.5]))
    """

    angles: np.ndarray
    intersection: int
    operator: np.ndarray

    def spatial(self) -> np.ndarray:
        """Excess per input, shape (n,); it sums to the dimension of the intersection."""
        return np.diag(self.operator).copy()

    @property
    def largest(self) -> float:
        """Largest excess or deficit along any one direction: the cosine of the smallest angle, 0 if orthogonal."""
        return float(np.cos(self.angles[0])) if self.angles.size else 0.0


def additivity_excess(first: ConstraintSpace, second: ConstraintSpace, *, atol: float = 1e-8) -> AdditivityExcess:
    """Measure how far two constraint spaces are from having additive capacities (Property 5, eq. 8).

    Parameters
    ----------
    first, second : ConstraintSpace
        K1 and K2, of inputs of one length.
    atol : float, optional
        Angle (in radians) up to which a direction counts as common.

    Returns
    -------
    AdditivityExcess

    Examples
    --------
    >>> from capacity.allocation import constraint_space
    >>> e = np.eye(2)
    >>> excess = additivity_excess(constraint_space(e, e[:, :1]), constraint_space(e, [[1.0], [1.0]]))
    >>> excess.intersection, excess.spatial()
    (0, array([ 0.5, -0.5]))
    """
    for name, space in (("first", first), ("second", second)):
        check_instance(space, name, ConstraintSpace, "pass constraint_space(covariance, jacobian)")
    atol = check_real(atol, "atol", minimum=0, below=1, remedy="pass an angle in [0, 1) radians")
    total = subspace_sum(first.basis, second.basis, rtol=np.tan(atol / 2)).vectors  # the ratio that it cuts at
    operator = first.vectors @ first.vectors.T + second.vectors @ second.vectors.T - total @ total.T
    smaller = min(first.total, second.total)
    angles = principal_angles(first.vectors, second.vectors) if smaller else np.zeros(0)
    common = first.total + second.total - total.shape[1]
    return AdditivityExcess(angles, common, operator)
