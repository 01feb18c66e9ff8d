"""Figures of the executed chapters: what each draws as data, its files, and the sliders."""
