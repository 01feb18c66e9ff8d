"""Capacity allocation analysis of linear models and neural network layers, after Jonathan Donier (2019)."""

__version__ = "0.1.0"
