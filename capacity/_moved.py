"""Names of version 1.0 that stand elsewhere now, and keywords: in 1.1 they work and say what to use instead."""

import sys
from functools import wraps
from importlib import import_module
from importlib.machinery import ModuleSpec
from warnings import warn

__all__ = ["MODULES", "NAMES", "former_keyword", "found_elsewhere", "with_former"]

MODULES = {
    "capacity.inspection": "capacity_inspection",
    "capacity.design": "capacity_inspection.design",
    "capacity.bridge": "capacity_studies.bridge",
    "capacity.geometry": "capacity_studies.geometry",
}
NAMES = {
    "capacity.summary": "capacity_inspection.summary",
    "capacity.Report": "capacity_inspection.Report",
    "capacity.tasks.look_back": "capacity_inspection.look_backs.look_back",
    "capacity.tasks.LookBack": "capacity_inspection.look_backs.LookBack",
    "capacity.figures.plot_design": "capacity_inspection.figures.plot_design",
    "capacity.figures.plot_input_map": "capacity_inspection.figures.plot_input_map",
    "capacity.figures.plot_look_back": "capacity_inspection.figures.plot_look_back",
    "capacity.figures.plot_report": "capacity_inspection.figures.plot_report",
    "capacity.figures.plot_steps_back": "capacity_inspection.figures.plot_steps_back",
    "capacity.allocation.BlockedCapacity": "capacity_studies.blocked_capacity.BlockedCapacity",
    "capacity.allocation.spatial_capacity": "capacity_studies.blocked_capacity.spatial_capacity",
    "capacity.statistics.block_bootstrap": "capacity_inspection.look_backs.block_bootstrap",
    "capacity.models.DiagonalStateSpace": "capacity_inspection.models.DiagonalStateSpace",
    "capacity.models.ring_poles": "capacity_inspection.models.ring_poles",
    "capacity.models.s4d_inv_poles": "capacity_inspection.models.s4d_inv_poles",
    "capacity.models.s4d_lin_poles": "capacity_inspection.models.s4d_lin_poles",
    "capacity.allocation.segment_capacity": "capacity_inspection.design.segment_capacity",
    "capacity.fitting.SamplingVariance": "capacity_inspection.reports.SamplingVariance",
    "capacity.fitting.sampling_variance": "capacity_inspection.reports.sampling_variance",
    "capacity.networks.random_convolutional_layers": "capacity_studies.training.random_convolutional_layers",
}
STROKES = {  # of `capacity.figures`, by the module of `capacity_studies.figures` whose figure draws them
    "layers.appendix_a": "plot_chord_and_tangent plot_singular_values",
    "layers.in_between": "plot_interpolation plot_positions plot_rules plot_way",
    "layers.section_2_1_augmented": "plot_augmented_layer plot_copies plot_layer",
    "layers.section_2_3_decoupling": "plot_block_errors plot_coupled_copies plot_coupling_curves plot_coupling_scale"
    " plot_covariance_blocks plot_kink plot_scatter_of_copies",
    "layers.section_2_4_ends": "plot_convergence plot_ends plot_rule_bars",
    "layers.section_3_1_many_layers": "plot_capacity_map",
    "layers.section_3_2_deep_limits": "plot_centres",
    "layers.section_4_1_receptive_field": "plot_growth plot_seen_and_held",
    "layers.section_4_2_shattering": "plot_gradient_curves",
    "linear.appendix_a": "plot_counted_twice plot_two_normals",
    "linear.appendix_b": "plot_difference plot_prediction plot_two_curves",
    "linear.appendix_c": "plot_dilations",
    "linear.appendix_d": "plot_adaptation plot_fixed_weights plot_recovery",
    "linear.section_2_intuitions": "plot_synthetic",
    "linear.section_3_capacity": "plot_chain plot_error_shares plot_free_and_constrained plot_projection",
    "linear.section_4_linear_models": "plot_error_plane",
    "linear.section_5_1_hierarchical": "plot_architecture plot_bound_and_errors plot_layer_stack plot_layer_totals",
    "linear.section_5_2_recurrent": "plot_extended_spectrum plot_poles plot_recurrence",
    "linear.section_6_1_multidimensional": "plot_allocation_per_component plot_boxes",
    "linear.section_6_2_feature_maps": "plot_feature_boxes plot_feature_stack plot_features plot_moments",
    "linear.sensitivity": "plot_autocovariances plot_findings process_styles",
    "strokes": "plot_handed_down",
}
NAMES |= {
    f"capacity.figures.{name}": f"capacity_studies.figures.{home}.{name}"
    for home, names in STROKES.items()
    for name in names.split()
}


def with_former(module, load=None):
    """Return the ``__getattr__`` of a module that knows the names that once stood there, too; `load` is its own."""

    def getattr_(name):
        former = f"{module}.{name}"
        if former in MODULES:
            _tell(former, MODULES[former])
            return import_module(MODULES[former])
        if former not in NAMES:
            if load:
                return load(name)
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _tell(former, NAMES[former])
        home, name = NAMES[former].rsplit(".", 1)
        return getattr(import_module(home), name)

    return getattr_


def former_keyword(former, new):
    """Return a decorator: the function takes a keyword under its former name, too."""

    def decorate(function):
        @wraps(function)
        def called(*arguments, **keywords):
            if former in keywords:
                _tell(f"{function.__name__}({former}=...)", f"{new}=")
                keywords[new] = keywords.pop(former)
            return function(*arguments, **keywords)

        return called

    return decorate


def found_elsewhere():
    """Let modules be imported under the names that they had."""
    if not any(isinstance(finder, _Former) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Former())  # before the finder that would load a second copy of what is in a room


def _tell(former, new):
    warn(f"{former} is deprecated and goes with version 2; use {new}", DeprecationWarning, stacklevel=3)


class _Former:
    """Finds a module of the table, and what is inside it, under its new name."""

    def find_spec(self, fullname, path=None, target=None):
        return ModuleSpec(fullname, self) if _new(fullname) else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        former = module.__name__
        if former in MODULES:
            _tell(former, MODULES[former])
        sys.modules[former] = import_module(_new(former))  # which the import then returns


def _new(fullname):
    for former, new in MODULES.items():
        if f"{fullname}.".startswith(f"{former}."):
            return new + fullname[len(former) :]
    return None
