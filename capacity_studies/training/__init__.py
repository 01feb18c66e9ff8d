"""Training by gradients, and what classifiers are judged by."""

from capacity_studies.training.classification import classification_accuracy, cross_entropy
from capacity_studies.training.convolutional_networks import random_convolutional_layers
from capacity_studies.training.regression import train_regression
from capacity_studies.training.stochastic_gradient import TrainingRun, train_classifier

__all__ = [
    "TrainingRun",
    "classification_accuracy",
    "cross_entropy",
    "random_convolutional_layers",
    "train_classifier",
    "train_regression",
]
