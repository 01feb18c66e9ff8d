from .plane import PlaneRegions as PlaneRegions
from .plane import regions_in_plane as regions_in_plane
