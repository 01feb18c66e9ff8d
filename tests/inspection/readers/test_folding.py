"""Constants are what the library's reference computes, and none is made that is larger than allowed."""

import numpy as np
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from capacity_inspection.readers._folding import FOLDED, folded

A = np.array([[1.5, -2.0, 3.0], [0.25, 4.0, -6.5]], dtype=np.float32)
B = np.array([[2.0, 1.0, -4.0]], dtype=np.float32)
I = np.array([[7, -7, 3], [-3, 5, 6]])
J = np.array([[2, 2, -2]])
T = np.array([True, False, True])


def ints(*numbers):
    return np.array(numbers, dtype=np.int64)


CASES = [
    ("Abs", [I], {}),
    ("Add", [A, B], {}),
    ("And", [T, ~T], {}),
    ("Cast", [A], {"to": 7}),
    ("Cast", [I], {"to": 1}),
    ("Ceil", [A], {}),
    ("Clip", [A, np.float32(-0.5), np.float32(0.25)], {}),
    ("Concat", [A, B, A], {"axis": -2}),
    ("Constant", [], {"value_ints": [1, 2]}),
    ("Constant", [], {"value_float": 2.5}),
    ("Constant", [], {"value_floats": [2.5, -1.0]}),
    ("Constant", [], {"value": A}),
    ("ConstantOfShape", [ints(2, 3)], {"value": np.array([7], dtype=np.int32)}),
    ("ConstantOfShape", [ints(2, 3)], {}),
    ("Cos", [A], {}),
    ("Div", [I, J], {}),
    ("Div", [A, B], {}),
    ("Equal", [I, ints(7)], {}),
    ("Exp", [A], {}),
    ("Expand", [B, ints(2, 1)], {}),
    ("Flatten", [np.arange(24.0).reshape(2, 3, 4)], {"axis": -1}),
    ("Floor", [A], {}),
    ("Gather", [A, ints(0, -1)], {"axis": 1}),
    ("Gather", [I, np.array(1)], {}),
    ("Greater", [A, B], {}),
    ("GreaterOrEqual", [I, J], {}),
    ("Identity", [A], {}),
    ("IsNaN", [A], {}),
    ("Less", [A, B], {}),
    ("LessOrEqual", [A, B], {}),
    ("Log", [abs(A)], {}),
    ("Max", [A, B, -A], {}),
    ("Min", [A, B], {}),
    ("Mod", [I, J], {}),
    ("Mul", [I, J], {}),
    ("Neg", [A], {}),
    ("Not", [T], {}),
    ("Or", [T, ~T], {}),
    ("Pow", [A, np.float32(2)], {}),
    ("Range", [np.array(1), np.array(9), np.array(3)], {}),
    ("Reciprocal", [A], {}),
    ("ReduceL1", [A], {"axes": [1]}),
    ("ReduceL2", [A], {"axes": [0], "keepdims": 0}),
    ("ReduceSumSquare", [A], {"axes": [1]}),
    ("ReduceMax", [A], {"axes": [1], "keepdims": 0}),
    ("ReduceMean", [A], {"axes": [0]}),
    ("ReduceMin", [A], {}),
    ("ReduceProd", [I], {"keepdims": 0}),
    ("ReduceSum", [I, ints(-1)], {"keepdims": 0}),
    ("ReduceSum", [I], {"noop_with_empty_axes": 1}),
    ("Reshape", [A, ints(3, -1)], {}),
    ("Reshape", [A, ints(0, 3, 1)], {}),
    ("ScatterND", [A, np.array([[0, 1], [1, 2]]), np.float32([7, 8])], {}),
    ("ScatterND", [A, ints(1)[:, None], np.zeros((1, *A.shape[1:]), np.float32)], {}),
    ("Shape", [A], {}),
    ("Shape", [A], {"start": -1}),
    ("Sin", [A], {}),
    ("Size", [A], {}),
    ("Slice", [I, ints(2), ints(-(2**40)), ints(1), ints(-1)], {}),
    ("Slice", [I, ints(-2, 0), ints(2**62, 1)], {}),
    ("Split", [A, ints(1, 2)], {"axis": 1}),
    ("Sqrt", [abs(A)], {}),
    ("Squeeze", [B], {}),
    ("Squeeze", [B, ints(0)], {}),
    ("Sub", [A, B], {}),
    ("Sum", [A, B, A], {}),
    ("Transpose", [A], {}),
    ("Transpose", [A[None]], {"perm": [1, 0, 2]}),
    ("Trilu", [A, np.array(1)], {}),
    ("Trilu", [I], {"upper": 0}),
    ("Unsqueeze", [A, ints(0, -1)], {}),
    ("Where", [T, A, B], {}),
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


def test_every_operator_is_compared():
    assert {case[0] for case in CASES} == set(FOLDED)


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
