"""Sphinx extensions: the generated pages, how claims and figures are shown, numbering, formulas, print."""
