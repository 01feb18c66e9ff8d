"""Does a network do as well on new data as on those it learned from, and which number of it says so? (Slides, part 1.)

Growth functions and Vapnik-Chervonenkis dimensions by enumeration; the bounds that follow from them, next to what they
bound, exactly; an example in which uniform convergence fails; the norm-based measures of Neyshabur et al. (2017); and
sharpness, with the rescaling of rectifiers that changes it at will (Dinh et al. 2017).
"""

from capacity_studies.generalization.flatness import (
    alpha_scaled,
    expected_sharpness,
    loss_hessian,
    scaled_hessian,
    sharpness,
)
from capacity_studies.generalization.growth_functions import (
    affine_count,
    affine_labelings,
    monomials,
    sauer_bound,
    shattered_size,
    shatters,
    sine_frequencies,
    threshold_labelings,
)
from capacity_studies.generalization.norms import NormMeasures, classification_margins, norm_measures, rank_correlation
from capacity_studies.generalization.uniform_convergence import (
    NoiseExample,
    expected_deviation_bound,
    sphere_sample,
    swap_spheres,
    threshold_deviation,
    threshold_deviation_tail,
    vc_bound,
    vc_sample_size,
)

__all__ = [
    "NoiseExample",
    "NormMeasures",
    "affine_count",
    "affine_labelings",
    "alpha_scaled",
    "classification_margins",
    "expected_deviation_bound",
    "expected_sharpness",
    "loss_hessian",
    "monomials",
    "norm_measures",
    "rank_correlation",
    "sauer_bound",
    "scaled_hessian",
    "sharpness",
    "shattered_size",
    "shatters",
    "sine_frequencies",
    "sphere_sample",
    "swap_spheres",
    "threshold_deviation",
    "threshold_deviation_tail",
    "threshold_labelings",
    "vc_bound",
    "vc_sample_size",
]
