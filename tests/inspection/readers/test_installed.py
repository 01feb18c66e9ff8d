"""Files of installed wheels are found without importing the packages."""

import sys

import pytest

from capacity_inspection.readers import installed_file

PITCH = "basic_pitch/saved_models/icassp_2022/nmp.onnx"


def test_the_trained_network_of_the_pitch_tracker_is_found_and_its_package_is_not_imported():
    found = installed_file("basic-pitch", PITCH)
    assert found.is_file()
    assert found.as_posix().endswith(PITCH)
    assert "basic_pitch" not in sys.modules


def test_the_end_of_a_path_will_do_where_it_is_the_end_of_one_only():
    assert installed_file("basic-pitch", "icassp_2022/nmp.onnx") == installed_file("basic-pitch", PITCH)
    with pytest.raises(ValueError, match=r"path: expected the end of one path, got '__init__.py', with which"):
        installed_file("basic-pitch", "__init__.py")
    assert installed_file("numpy", "numpy/__init__.py").parent.name == "numpy"


def test_a_distribution_that_is_not_there_is_named_with_the_command_that_installs_its_files():
    with pytest.raises(FileNotFoundError, match=r"'no-such-thing'.*--no-deps no-such-thing"):
        installed_file("no-such-thing", "file")


@pytest.mark.parametrize("path", ["nmp.onn", "capacity/none.onnx", "mp.onnx", "bin/basic-pitch"])
def test_a_file_that_the_distribution_does_not_have_is_refused(path):
    with pytest.raises(FileNotFoundError, match=r"path: expected a file of basic-pitch 0\.4\.0"):
        installed_file("basic-pitch", path)


@pytest.mark.parametrize("path", ["/etc/passwd", "../../../bin/basic-pitch", "basic_pitch/../numpy/__init__.py", ""])
def test_a_path_that_leads_elsewhere_is_refused(path):
    with pytest.raises(ValueError, match="expected a path below the packages"):
        installed_file("basic-pitch", path)
