"""Axes for the tests of the plots; saving a figure is an error in them."""

import pytest
from drawings import ax
from matplotlib.figure import Figure

__all__ = ["ax", "nothing_is_saved"]


@pytest.fixture(autouse=True)
def nothing_is_saved(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a plot saved its figure")

    monkeypatch.setattr(Figure, "savefig", refuse)
