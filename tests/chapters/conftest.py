"""`pytest --nbval` finds the references of the chapters, as `chapters/conftest.py` lets it find the chapters."""


def pytest_collect_file(file_path, parent):
    """Collect references where nbval would collect notebooks."""
    if parent.config.option.nbval and file_path.suffix == ".json":
        from nbval_chapters import ReferenceFile

        return ReferenceFile.from_parent(parent, path=file_path)
    return None
