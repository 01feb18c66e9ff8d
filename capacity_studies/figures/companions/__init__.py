"""The figures of the companions: a module for each chapter, a function for each figure."""
