from .images import LabelledImages as LabelledImages
from .images import labelled_images as labelled_images
from .images import randomised_labels as randomised_labels
from .photographs import photograph as photograph
from .photographs import photograph_patches as photograph_patches
from .real_rows import dataset_rows as dataset_rows
from .row_prediction import RowPrediction as RowPrediction
from .tones import tone_spectrogram as tone_spectrogram
