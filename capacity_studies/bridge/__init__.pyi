from .layer_ranks import rectifier_rank as rectifier_rank
from .layer_ranks import sample_constraints as sample_constraints
from .layer_ranks import smallest_difference as smallest_difference
from .layer_ranks import smallest_split as smallest_split
from .noisy_constraints import effective_dimension as effective_dimension
from .noisy_constraints import shared_matrix as shared_matrix
from .noisy_constraints import soft_capacity as soft_capacity
