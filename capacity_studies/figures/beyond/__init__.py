"""The figures of the pages beyond the papers: a module for each chapter, a function for each figure."""
