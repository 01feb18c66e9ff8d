"""Sphinx extensions: the generated pages, how claims and figures are shown, numbering, offline MathJax, print."""
