"""The operators of a graph, a class each, and the table of their names."""
