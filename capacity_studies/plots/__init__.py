"""What `capacity.figures` draws."""

from capacity.figures import *  # noqa: F403
