"""Distances between distributions, natural gradients, and how sensitive a tangent space is.

What `capacity.geometry` offers is at hand here, too.
"""

from capacity import geometry
from capacity.geometry import *  # noqa: F403
from studies.geometry.fisher_rao import fisher_rao_from_outputs, fisher_rao_norm, weighted_parameters
from studies.geometry.preconditioning import natural_gradient
from studies.geometry.score_kernel import fisher_kernel
from studies.geometry.simplex import congruent_embedding, fisher_distance, simplex_metric
from studies.geometry.tangent_sensitivity import (
    absolute_moment,
    printed_sensitivity_bound,
    sensitivity_bound,
    squared_sensitivity,
    tangent_sample_sensitivity,
)

__all__ = [
    *geometry.__all__,
    "absolute_moment",
    "congruent_embedding",
    "fisher_distance",
    "fisher_kernel",
    "fisher_rao_from_outputs",
    "fisher_rao_norm",
    "natural_gradient",
    "printed_sensitivity_bound",
    "sensitivity_bound",
    "simplex_metric",
    "squared_sensitivity",
    "tangent_sample_sensitivity",
    "weighted_parameters",
]
