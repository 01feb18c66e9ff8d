"""A message is looked through without being parsed: whether it is whole, and how much memory it becomes."""

import pytest
from onnx import ModelProto, TensorProto, helper
from onnx_models import model, node, number_of

from capacity_inspection.readers import installed_file
from capacity_inspection.readers._wire import parsed_bytes

KIND = ModelProto.DESCRIPTOR
SMALL = model([node("Relu", ["x"], ["y"], name="first")], [1, 3, 8]).SerializeToString()


def field(number, content):
    return number_of(number << 3 | 2) + number_of(len(content)) + content


def test_messages_and_fields_are_counted_with_the_bytes_that_hold_them():
    graph = field(7, field(1, field(4, b"Relu")) + field(1, b""))  # a graph of two nodes, one with an operator
    assert parsed_bytes(graph, KIND, 10**6) == len(graph) + 4 * 64 + 3 * 256


def test_integers_that_are_packed_into_a_byte_each_are_counted_as_they_will_be():
    shape = field(7, field(5, field(1, bytes(1000))))  # an array with a thousand axes
    assert parsed_bytes(shape, KIND, 10**6) == len(shape) + 3 * 64 + 2 * 256 + 24 * 1000
    raw = field(7, field(5, field(9, bytes(1000))))
    assert parsed_bytes(raw, KIND, 10**6) == len(raw) + 3 * 64 + 2 * 256


def test_a_trained_network_becomes_hardly_more_than_it_was():
    content = installed_file("basic-pitch", "icassp_2022/nmp.onnx").read_bytes()
    found = parsed_bytes(content, KIND, 2**30)
    assert len(content) < found < 4 * len(content)
    ModelProto().ParseFromString(content)


def test_it_stops_where_the_limit_is_exceeded():
    many = field(7, field(1, b"") * 100_000)  # two bytes each, a hundred and fifty in memory
    assert parsed_bytes(many, KIND, 2**30) > 30_000_000
    assert 10_000 < parsed_bytes(many, KIND, len(many) + 10_000) < len(many) + 11_000


def test_a_message_cut_short_anywhere_is_noticed_unless_it_ends_between_two_fields():
    whole = 0
    for length in range(1, len(SMALL)):
        try:
            parsed_bytes(SMALL[:length], KIND, 10**6)
            whole += 1
        except ValueError:
            continue
        ModelProto().ParseFromString(SMALL[:length])
    assert whole == 2  # before and after the graph, which holds all else


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "bytes are announced at byte"),
        (b"\x80" * 12, "has no end"),
        (b"\x0b", "no part of a message begins"),
        (b"\x09\0\0\0\0", "8 bytes are announced at byte 1, 4 are there"),
    ],
)
def test_what_is_no_message_is_refused(content, message):
    with pytest.raises(ValueError, match=message):
        parsed_bytes(content, KIND, 10**6)


def test_messages_that_are_nested_deeply_are_refused_before_the_library_sees_them():
    graph = b""
    for _ in range(70):
        graph = field(1, field(5, field(6, graph)))  # node, attribute, graph
    with pytest.raises(ValueError, match="nested more than 60 deep"):
        parsed_bytes(field(7, graph), KIND, 10**6)


def test_numbers_that_are_not_packed_are_counted_too():
    tensor = helper.make_tensor("a", TensorProto.INT64, [3], [1, 2, 3])
    loose = b"".join(number_of(7 << 3) + number_of(value) for value in tensor.int64_data)
    content = field(7, field(5, loose))
    assert parsed_bytes(content, KIND, 10**6) == len(content) + 5 * 64 + 2 * 256
