from .convolutional import central_gradient as central_gradient
from .convolutional import forward as forward
from .convolutional import random_weights as random_weights
from .dense import DenseNetwork as DenseNetwork
