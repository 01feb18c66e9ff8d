"""Does capacity predict anything?

Two protocols carried out, `ledger/protocol-usefulness.md` and `ledger/protocol-prediction.md`. The first masks inputs
and chooses architectures (`held_out`). The second fits stacks to small samples (`small_samples`; all at once,
`many_fits`), and compares what tells their gaps and their ranks (`effects`).
"""

from capacity_studies.usefulness.effects import (
    chosen_before,
    chosen_by_criteria,
    forecast_study,
    gap_effects,
    gaussian_gap,
    judge,
    slopes,
    small_study,
)
from capacity_studies.usefulness.held_out import (
    choose_architecture,
    even_channels,
    fitted_losses,
    image_masking,
    least,
    masking_losses,
    random_architectures,
    row_masking,
    verdict,
)
from capacity_studies.usefulness.small_samples import GaussianWindows, Windows, grid, library, unexplained

__all__ = [
    "GaussianWindows",
    "Windows",
    "choose_architecture",
    "chosen_before",
    "chosen_by_criteria",
    "even_channels",
    "fitted_losses",
    "forecast_study",
    "gap_effects",
    "gaussian_gap",
    "grid",
    "image_masking",
    "judge",
    "least",
    "library",
    "masking_losses",
    "random_architectures",
    "row_masking",
    "slopes",
    "small_study",
    "unexplained",
    "verdict",
]
