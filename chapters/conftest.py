"""`pytest --nbval` finds chapters, which are notebooks in plain text, and compares each with its reference."""


def pytest_collect_file(file_path, parent):
    """Collect chapters with code where nbval would collect notebooks."""
    if parent.config.option.nbval and file_path.suffix == ".md":
        from nbval_chapters import ReferenceFile, at_quick_scale

        part = parent.config.getoption("part", "all")
        if any(file_path == chapter.path for chapter in at_quick_scale(part)[0].values() if chapter.is_executable()):
            return ReferenceFile.from_parent(parent, path=file_path)
    return None
