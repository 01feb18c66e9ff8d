"""Figures of the executed chapters: what each draws as data, its files, the sliders and the live pictures."""
