"""From executed chapters to pages and paper: staging, Jupyter Book, folding of code, the receipt, TeX."""
