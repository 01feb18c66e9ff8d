from .additivity import AdditivityExcess as AdditivityExcess
from .additivity import additivity_excess as additivity_excess
from .closed_form import (
    tensor_train_allocation as tensor_train_allocation,
)
from .closed_form import (
    tensor_train_capacity as tensor_train_capacity,
)
from .conditional import (
    chain_capacities as chain_capacities,
)
from .conditional import (
    conditional_capacity as conditional_capacity,
)
from .conditional import (
    independent_shares as independent_shares,
)
from .conditional import (
    layer_chain as layer_chain,
)
from .conditional import (
    marginal_shares as marginal_shares,
)
from .constraints import (
    ConstraintSpace as ConstraintSpace,
)
from .constraints import (
    LayerConstraints as LayerConstraints,
)
from .constraints import (
    constraint_space as constraint_space,
)
from .constraints import (
    expected_squared_error as expected_squared_error,
)
from .constraints import (
    layer_constraints as layer_constraints,
)
from .constraints import (
    model_constraints as model_constraints,
)
from .distance import AllocationDistance as AllocationDistance
from .distance import allocation_distance as allocation_distance
from .exact import ExactCapacity as ExactCapacity
from .exact import exact_capacity as exact_capacity
from .redundancy import (
    Recovery as Recovery,
)
from .redundancy import (
    generic_redundant_sets as generic_redundant_sets,
)
from .redundancy import (
    recover_with_frozen_layers as recover_with_frozen_layers,
)
from .redundancy import (
    redundant_sets as redundant_sets,
)
from .spectral import per_frequency as per_frequency
