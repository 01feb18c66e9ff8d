"""The pages as they were read, for those that only look at them: a doctree is read from the disk once."""

from functools import lru_cache

__all__ = ["doctree_to_look_at"]


@lru_cache(maxsize=256)
def doctree_to_look_at(env, docname):
    """Return the doctree of a page; who changes it asks the environment for one of their own."""
    return env.get_doctree(docname)
