"""The figures of the chapters: a module for each chapter, a function for each figure."""
