"""The floors of the package `capacity`: a module imports from strictly lower rows only.

This is their one declaration: a test enforces it, and the page of the programming interface is grouped by it.
"""

import ast
import pkgutil
from pathlib import Path

import capacity

__all__ = ["FLOORS", "files", "imported", "modules", "row"]

# Floor by floor, each in rows from the lowest to the highest.
FLOORS = {
    "Foundations": (
        ("checks",),
        (
            "coupling",
            "extended",
            "finite_field",
            "fourier",
            "gains",
            "random_walks",
            "samples",
            "scaling",
            "subspaces",
            "toeplitz",
        ),
        ("activations", "autocovariances", "diffusion", "impulse", "overlap"),
        ("processes",),
        ("datasets", "multivariate"),
    ),
    "Models": (
        ("frozen", "functions", "models", "networks", "tensor_trains"),
        ("convolutions", "random_convolutions", "recurrences"),
    ),
    "Analyses": (
        ("allocation", "augmented", "feature_maps", "fitting", "paths", "transition"),
        ("augmented_covariance", "feature_processes"),
        (
            "complexity",
            "conditional",
            "decoupling",
            "differential",
            "expressivity",
            "fisher",
            "gradient_field",
            "propagation",
            "receptive_field",
            "redundancy",
            "regions",
            "shattered_gradients",
            "shattering",
            "variable_projection",
        ),
        ("sweeps",),
    ),
    "Figures": (("figures",),),
}


def modules():
    """Return the names of the modules that the package has."""
    return sorted(found.name for found in pkgutil.iter_modules(capacity.__path__) if not found.name.startswith("_"))


def files():
    """Return the full names of the package's files that hold code, those of subpackages included."""
    found = pkgutil.walk_packages(capacity.__path__, "capacity.")
    return sorted(each.name for each in found if not each.ispkg)


def row(name):
    """Return the height of a module: the number of rows below its own.

    Raises
    ------
    ValueError
        If the module has no floor.
    """
    rows = [row for rows in FLOORS.values() for row in rows]
    for height, names in enumerate(rows):
        if name in names:
            return height
    raise ValueError(f"capacity.{name} has no floor; give it a row in edition/floors.py above all that it imports")


def imported(name):
    """Return what the files of a module import, at any depth of their code: dotted names."""
    place = Path(capacity.__file__).parent / name
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    found = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                source = f"{'.' * node.level}{node.module or ''}"
                found |= {f"{source}.{alias.name}" if source == "capacity" else source for alias in node.names}
    return found
