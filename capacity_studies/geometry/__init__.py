"""Distances between distributions, natural gradients, and how sensitive a tangent space is."""

from capacity_studies.geometry.fisher import (
    apply_score_factor,
    empirical_fisher,
    fisher_information,
    fisher_spectrum,
    fisher_vector_product,
    output_scores,
    parameter_cotangents,
    parameter_tangents,
    sample_scores,
    sampled_fisher,
)
from capacity_studies.geometry.fisher_rao import fisher_rao_from_outputs, fisher_rao_norm, weighted_parameters
from capacity_studies.geometry.kronecker import fisher_block, kronecker_factors, kronecker_step, nearest_kronecker
from capacity_studies.geometry.preconditioning import natural_gradient
from capacity_studies.geometry.score_kernel import fisher_kernel
from capacity_studies.geometry.simplex import congruent_embedding, fisher_distance, simplex_metric
from capacity_studies.geometry.tangent_sensitivity import (
    absolute_moment,
    printed_sensitivity_bound,
    sensitivity_bound,
    squared_sensitivity,
    tangent_sample_sensitivity,
)
from capacity_studies.geometry.tangents import tangent_kernel

__all__ = [
    "absolute_moment",
    "apply_score_factor",
    "congruent_embedding",
    "empirical_fisher",
    "fisher_block",
    "fisher_distance",
    "fisher_information",
    "fisher_kernel",
    "fisher_rao_from_outputs",
    "fisher_rao_norm",
    "fisher_spectrum",
    "fisher_vector_product",
    "kronecker_factors",
    "kronecker_step",
    "natural_gradient",
    "nearest_kronecker",
    "output_scores",
    "parameter_cotangents",
    "parameter_tangents",
    "printed_sensitivity_bound",
    "sample_scores",
    "sampled_fisher",
    "sensitivity_bound",
    "simplex_metric",
    "squared_sensitivity",
    "tangent_kernel",
    "tangent_sample_sensitivity",
    "weighted_parameters",
]
