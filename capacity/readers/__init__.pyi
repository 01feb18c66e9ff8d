from .installed import installed_file as installed_file
from .weight_files import read_weights as read_weights
