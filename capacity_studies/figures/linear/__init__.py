"""The figures of paper 1: a module for each chapter, a function for each figure."""
