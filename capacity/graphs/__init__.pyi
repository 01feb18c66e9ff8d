from .construction import from_layers as from_layers
from .construction import make_node as make_node
from .graph import Graph as Graph
from .graph import Node as Node
from .operators import OPERATORS as OPERATORS
from .operators import completed as completed
