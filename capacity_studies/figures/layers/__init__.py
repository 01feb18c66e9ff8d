"""The figures of paper 2: a module for each chapter, a function for each figure."""
