"""Images, photographs, rows and sounds that the companions and the pages beyond look at."""

from capacity_studies.data.images import LabelledImages, labelled_images, randomised_labels
from capacity_studies.data.photographs import photograph, photograph_patches
from capacity_studies.data.real_rows import dataset_rows
from capacity_studies.data.row_prediction import RowPrediction
from capacity_studies.data.tones import tone_spectrogram

__all__ = [
    "LabelledImages",
    "RowPrediction",
    "dataset_rows",
    "labelled_images",
    "photograph",
    "photograph_patches",
    "randomised_labels",
    "tone_spectrogram",
]
