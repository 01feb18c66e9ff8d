"""Files of data of a built book, which may have come damaged from elsewhere."""

import json

__all__ = ["AGAIN", "read_json"]

AGAIN = "fetch or build that copy again"


def read_json(path):
    """Return the content of a file of JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: expected JSON, got something else ({error}); {AGAIN}") from None
