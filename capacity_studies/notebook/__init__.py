"""What a notebook calls beside the science: checks of claims with their bounds, live pictures, sliders."""
