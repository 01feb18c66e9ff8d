"""Axes for the tests of the plots; saving a figure is an error in them."""

from drawings import ax, nothing_is_saved

__all__ = ["ax", "nothing_is_saved"]
