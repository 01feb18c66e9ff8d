"""Values that the text of a chapter shows: records of scrapbook's form, which MyST-NB reads."""

from IPython.core.formatters import format_display_data
from IPython.display import publish_display_data

__all__ = ["glue"]

RECORD = "application/papermill.record/"  # before the type of what is kept and not displayed


def glue(name, value, display=True):
    """Keep a value under a name for the text of the book; without `display` the notebook does not show it."""
    prefix = "" if display else RECORD
    data, metadata = format_display_data(value)
    metadata["scrapbook"] = {"name": name, "mime_prefix": prefix}
    publish_display_data({f"{prefix}{kind}": content for kind, content in data.items()}, metadata)
