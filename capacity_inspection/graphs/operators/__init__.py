"""The operators of a graph: a class each, the table of their names, and the boxes and indices that they read."""
