"""Proof that a book is what it should be: references, copies from other machines, a second build, its own pages."""
