"""Constants are what the library's reference computes, and none is made that is larger than allowed."""

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.reference import ReferenceEvaluator

from capacity_inspection.readers._folding import FOLDED, folded

A = np.array([[1.5, -2.0, 3.0], [0.25, 4.0, -6.5]], dtype=np.float32)
B = np.array([[2.0, 1.0, -4.0]], dtype=np.float32)
I = np.array([[7, -7, 3], [-3, 5, 6]])
J = np.array([[2, 2, -2]])


def ints(*numbers):
    return np.array(numbers, dtype=np.int64)


CASES = [  # beside the library's own, which are of the newest version: of older ones, and of numbers far out
    ("Cast", [A], {"to": 7}),
    ("Cast", [I], {"to": 1}),
    ("Constant", [], {"value_float": 2.5}),
    ("Expand", [B, ints(2, 1)], {}),
    ("ReduceL1", [A], {"axes": [1]}),
    ("ReduceL2", [A], {"axes": [0], "keepdims": 0}),
    ("ReduceSumSquare", [A], {"axes": [1]}),
    ("ReduceMax", [A], {"axes": [1], "keepdims": 0}),
    ("ReduceMean", [A], {"axes": [0]}),
    ("ReduceProd", [I], {"keepdims": 0}),
    ("Reshape", [A, ints(0, 3, 1)], {}),
    ("Slice", [I, ints(2), ints(-(2**40)), ints(1), ints(-1)], {}),
    ("Slice", [I, ints(-2, 0), ints(2**62, 1)], {}),
]


def from_reference(operator, inputs, attributes, outputs):
    """Outputs of one operator as the library's reference computes them."""
    names = [f"x{k}" for k in range(len(inputs))]
    given = {key: numpy_helper.from_array(v) if isinstance(v, np.ndarray) else v for key, v in attributes.items()}
    ends = [f"y{k}" for k in range(outputs)]
    node = helper.make_node(operator, names, ends, **given)
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for name, a in zip(names, inputs)
    ]
    graph = helper.make_graph([node], "one", infos, [helper.make_tensor_value_info(name, 1, None) for name in ends])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return ReferenceEvaluator(made).run(None, dict(zip(names, map(np.asarray, inputs))))


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes"), CASES, ids=[f"{k}-{case[0]}" for k, case in enumerate(CASES)]
)
def test_an_operator_of_constants_gives_what_the_library_gives(operator, inputs, attributes):
    found = folded(operator, [np.asarray(each) for each in inputs], attributes, 10**6)
    expected = from_reference(operator, [np.asarray(each) for each in inputs], attributes, len(found))
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def from_the_library():
    """The library's own cases of one operator, of numbers that NumPy has: what goes in, and what comes out."""
    for case in collect_testcases(None):
        (node, *more), names = case.model.graph.node, [info.name for info in case.model.graph.input]
        for arrays, expected in () if more or node.op_type not in FOLDED else case.data_sets or ():
            given = {name: np.asarray(array) for name, array in zip(names, arrays)}
            if all(array.dtype.kind in "biuf" for array in (*given.values(), *map(np.asarray, expected))):
                yield case.name, node, [given.get(name) for name in node.input], expected


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_library_s_own_cases_are_computed_or_refused():
    compared, refused = {"Cast"}, set()
    for name, node, inputs, expected in from_the_library():
        values = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        attributes = {key: numpy_helper.to_array(v) if isinstance(v, TensorProto) else v for key, v in values.items()}
        try:
            found = folded(node.op_type, inputs, {"num_outputs": len(node.output)} | attributes, 10**7)
        except ValueError:
            refused.add(name)
            continue
        for ours, theirs in zip(found, map(np.asarray, expected), strict=True):
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), name
            np.testing.assert_allclose(ours.astype(float), theirs.astype(float), rtol=1e-3, err_msg=name)
        compared.add(node.op_type)
    assert compared == set(FOLDED)
    assert all(any(kind in name for kind in ("scatternd", "empty_set", "blocked")) for name in refused)


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
        folded(operator, inputs, {"axis": 0}, 10**6)


def test_an_array_that_repeats_a_number_takes_no_memory():
    (found,) = folded("ConstantOfShape", [ints(10**5, 10**4)], {}, 2**33)
    assert found.strides == (0, 0)


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes"),
    [
        ("Reshape", [A, ints(4, -1)], {}),
        ("Reshape", [A, ints(-1, -1)], {}),
        ("Reshape", [A, ints(-2, -3)], {}),
        ("Squeeze", [A, ints(0)], {}),
        ("Unsqueeze", [A, ints(5)], {}),
        ("Unsqueeze", [A, ints(0, 0)], {}),
        ("Div", [I, ints(0)], {}),
        ("Gather", [A, ints(5)], {"axis": 0}),
        ("Concat", [A], {"axis": 7}),
        ("Transpose", [A], {"perm": [0, 0]}),
        ("Add", [A, None], {}),
        ("Add", [A, np.ones(7)], {}),
        ("Slice", [A, ints(0), ints(1, 2)], {}),
        ("Slice", [A, ints(0), ints(1), ints(0), ints(0)], {}),
        ("Split", [A, ints(1, 1)], {"axis": 1}),
        ("Split", [A], {"axis": 1, "num_outputs": 4}),
        ("Mod", [I, ints(0)], {}),
        ("ScatterND", [A, ints(0).reshape(1, 1), A[:1]], {"reduction": "add"}),
        ("Range", [np.array(0), np.array(3), np.array(0)], {}),
        ("Cast", [A], {"to": 8}),
        ("Cast", [A], {}),
        ("Constant", [], {}),
        ("ConstantOfShape", [ints(-2)], {}),
        ("ConstantOfShape", [ints(2)], {"value": A}),
    ],
)
def test_constants_that_do_not_fit_an_operator_are_refused(operator, inputs, attributes):
    with pytest.raises(ValueError, match=r".+"):
        folded(operator, inputs, attributes, 10**6)
