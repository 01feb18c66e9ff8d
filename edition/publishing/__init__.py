"""From executed chapters to pages and paper."""
