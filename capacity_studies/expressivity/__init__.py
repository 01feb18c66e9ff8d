"""How many different things can a network do, and how does that grow with its depth? (Raghu et al., survey.)

The length of a curve's image in every layer and the laws of its growth; transitions, activation patterns and
dichotomies, counted, and exactly where the activation is piecewise linear; the linear regions of a network, exactly, in
a plane and on a line, with the effective parameters that a network has there; and the mean field of wide random
networks.
"""

from capacity_studies.expressivity.arc_pieces import ArcPieces, subdivide_arc
from capacity_studies.expressivity.curves import (
    Curve,
    arc,
    image_curves,
    mean_growth,
    segment,
    sum_curves,
    trajectory_lengths,
)
from capacity_studies.expressivity.dichotomies import exact_dichotomies, sampled_dichotomies
from capacity_studies.expressivity.effective_parameters import effective_parameters
from capacity_studies.expressivity.length_growth import (
    expected_growth,
    expected_length,
    growth_lower_bound,
    growth_upper_bound,
    printed_growth_bound,
    sum_moments,
)
from capacity_studies.expressivity.line_regions import LineRegions, regions_on_line
from capacity_studies.expressivity.mean_field import (
    critical_sigma_w,
    fixed_variance,
    gaussian_moments,
    relative_changes,
    squared_growth,
    variance_map,
)
from capacity_studies.expressivity.patterns import activation_patterns, count_pattern_changes, count_patterns
from capacity_studies.expressivity.plane_regions import PlaneRegions, regions_in_plane
from capacity_studies.expressivity.random_arcs import ArcTransitions, random_arc_lengths, random_arc_transitions
from capacity_studies.expressivity.random_dense import he_layers, one_network, random_layers
from capacity_studies.expressivity.region_bounds import activation_region_bound, kink_density
from capacity_studies.expressivity.region_counts import arrangement_regions, sawtooth
from capacity_studies.expressivity.sensitivity import layer_influences, relative_sensitivity
from capacity_studies.expressivity.slices import plane_through
from capacity_studies.expressivity.transitions import count_transitions, expected_transitions, piece_numbers

__all__ = [
    "ArcPieces",
    "ArcTransitions",
    "Curve",
    "LineRegions",
    "PlaneRegions",
    "activation_patterns",
    "activation_region_bound",
    "arc",
    "arrangement_regions",
    "count_pattern_changes",
    "count_patterns",
    "count_transitions",
    "critical_sigma_w",
    "effective_parameters",
    "exact_dichotomies",
    "expected_growth",
    "expected_length",
    "expected_transitions",
    "fixed_variance",
    "gaussian_moments",
    "growth_lower_bound",
    "growth_upper_bound",
    "he_layers",
    "image_curves",
    "kink_density",
    "layer_influences",
    "mean_growth",
    "one_network",
    "piece_numbers",
    "plane_through",
    "printed_growth_bound",
    "random_arc_lengths",
    "random_arc_transitions",
    "random_layers",
    "regions_in_plane",
    "regions_on_line",
    "relative_changes",
    "relative_sensitivity",
    "sampled_dichotomies",
    "sawtooth",
    "segment",
    "squared_growth",
    "subdivide_arc",
    "sum_curves",
    "sum_moments",
    "trajectory_lengths",
    "variance_map",
]
