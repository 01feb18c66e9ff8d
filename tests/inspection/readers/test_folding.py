"""Constants are what the library says of its operators, and none is made that is larger than allowed."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

from capacity_inspection.readers._folding import FOLDED, folded

A = np.array([[1.5, -2.0, 3.0], [0.25, 4.0, -6.5]], dtype=np.float32)
B = np.array([[2.0, 1.0, -4.0]], dtype=np.float32)
I = np.array([[7, -7, 3], [-3, 5, 6]])
J = np.array([[2, 2, -2]])


def ints(*numbers):
    return np.array(numbers, dtype=np.int64)


def computed(operator, inputs, attributes, memory=10**6, version=17):
    """What becomes of an operator of constants; None is an input that is left out."""
    names = ["" if each is None else f"x{k}" for k, each in enumerate(inputs)]
    given = {key: numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for key, v in attributes.items()}
    node = helper.make_node(operator, names, ["y"], **given)
    return folded(node, [each if each is None else np.asarray(each) for each in inputs], attributes, memory, version)


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes", "version", "expected"),
    [
        ("Cast", [A], {"to": TensorProto.FLOAT16}, 17, A),
        ("Squeeze", [B], {"axes": [0]}, 7, B[0]),
        ("Unsqueeze", [B], {"axes": [0, 3]}, 9, B[None, ..., None]),
        ("Squeeze", [B, ints(0)], {}, 13, B[0]),
        ("ReduceSum", [A], {"axes": [1], "keepdims": 0}, 11, A.sum(axis=1)),
        ("Slice", [I, ints(2), ints(-(2**40)), ints(1), ints(-1)], {}, 17, I[:, ::-1]),
        ("Clip", [A], {"min": 0.0}, 7, A.clip(0)),
        ("Clip", [A, None, np.float32(1)], {}, 17, A.clip(None, 1)),
        ("Constant", [], {"value_float": 2.5}, 17, np.float32(2.5)),
        ("MatMul", [A, B.T], {}, 17, A @ B.T),
    ],
)
def test_an_operator_is_that_of_its_version(operator, inputs, attributes, version, expected):
    (found,) = computed(operator, inputs, attributes, version=version)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    assert (found == expected).all()


def from_the_library():
    """The library's own cases of one operator, of numbers that NumPy has: what goes in, and what comes out."""
    for case in collect_testcases(None):
        (node, *more), names = case.model.graph.node, [info.name for info in case.model.graph.input]
        for arrays, expected in () if more or node.op_type not in FOLDED else case.data_sets or ():
            given = {name: np.asarray(array) for name, array in zip(names, arrays)}
            if all(array.dtype.kind in "biuf" for array in (*given.values(), *map(np.asarray, expected))):
                yield case, node, [given.get(name) for name in node.input], expected


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_library_s_own_cases_are_computed_or_refused():
    compared, refused = {"Cast"}, set()
    for case, node, inputs, expected in from_the_library():
        name, version = case.name, case.model.opset_import[0].version
        values = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        attributes = {key: numpy_helper.to_array(v) if isinstance(v, TensorProto) else v for key, v in values.items()}
        try:
            found = folded(node, inputs, attributes, 10**7, version)
        except ValueError:
            refused.add(name)
            continue
        for ours, theirs in zip(found, map(np.asarray, expected), strict=True):
            wanted = np.float32 if theirs.dtype == np.float16 else theirs.dtype
            assert (ours.dtype, ours.shape) == (wanted, theirs.shape), name
            np.testing.assert_allclose(ours.astype(float), theirs.astype(float), rtol=1e-3, err_msg=name)
        compared.add(node.op_type)
    assert compared == set(FOLDED)
    assert refused == {"test_range_float16_type_positive_delta"}  # files have no numbers of this type left


@pytest.mark.parametrize(
    ("operator", "inputs"),
    [
        ("ConstantOfShape", [ints(2**40, 2**40)]),
        ("Expand", [A, ints(2**20, 2, 3)]),
        ("Range", [np.array(0), np.array(2**50), np.array(1)]),
        ("Add", [np.ones((10**4, 1)), np.ones((1, 10**4))]),
        ("Where", [np.ones((10**4, 1), bool), np.ones((1, 10**4)), np.float64(1)]),
        ("Gather", [np.ones((1, 10**4)), np.zeros(10**3, dtype=int)]),
        ("Concat", [np.broadcast_to(1.0, (10**5,))] * 2),
    ],
)
def test_a_constant_larger_than_is_allowed_is_not_made(operator, inputs):
    with pytest.raises(ValueError, match=r"expected at most 976\.6 KiB, got an array that is computed"):
        computed(operator, inputs, {"axis": 0} if operator in ("Concat", "Gather") else {})


def test_an_array_that_repeats_a_number_takes_no_memory():
    (found,) = computed("ConstantOfShape", [ints(10**5, 10**4)], {}, 2**33)
    assert found.strides == (0, 0)


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes", "message"),
    [
        ("Reshape", [A, ints(4, -1)], {}, "inputs or attributes do not fit"),  # to the library, before it computes
        ("Add", [A, None], {}, "inputs or attributes do not fit"),
        ("ConstantOfShape", [ints(2)], {"value": A}, "inputs or attributes do not fit"),
        ("Gather", [A, ints(5)], {"axis": 0}, "constants do not fit: .*out of bounds"),
        ("Range", [np.array(0), np.array(3), np.array(0)], {}, "constants do not fit: .*division by zero"),
        ("Div", [I, ints(0)], {}, "an integer is divided by zero"),
        ("Mod", [I, ints(0)], {}, "an integer is divided by zero"),
        ("Cast", [A], {"to": TensorProto.STRING}, "expected real numbers"),
    ],
)
def test_constants_that_do_not_fit_an_operator_are_refused(operator, inputs, attributes, message):
    with pytest.raises(ValueError, match=message):
        computed(operator, inputs, attributes)
