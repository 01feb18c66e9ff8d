"""What does a network compute, node by node, and what does each node hand down? (Any trained network, from a graph.)

The graph of a network and its operators; values and receptive fields, and whether these look ahead in time; and the
capacity of one output, handed down through strides, dilations, groups, pools and residual branches to the inputs.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
