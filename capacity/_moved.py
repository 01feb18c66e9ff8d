"""Names of version 1.0 that stand elsewhere now: in 1.1 they work and say where, from one table."""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from warnings import warn

__all__ = ["MODULES", "NAMES", "found_elsewhere", "with_former"]

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
}


def with_former(module, load):
    """Return the ``__getattr__`` of a module that also knows the names that once stood there; `load` is its own."""

    def getattr_(name):
        former = f"{module}.{name}"
        if former in MODULES:
            _tell(former, MODULES[former])
            return import_module(MODULES[former])
        if former not in NAMES:
            return load(name)
        _tell(former, NAMES[former])
        home, name = NAMES[former].rsplit(".", 1)
        return getattr(import_module(home), name)

    return getattr_


def found_elsewhere():
    """Let modules be imported under the names that they had."""
    if not any(isinstance(finder, _Former) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Former())  # before the finder that would load a second copy of what is in a room


def _tell(former, new):
    warn(f"{former} is deprecated and goes with version 2; use {new}", DeprecationWarning, stacklevel=3)


class _Former(MetaPathFinder, Loader):
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
