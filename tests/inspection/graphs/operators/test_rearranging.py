"""A reshape reads the hull, in C order, of what it takes its entries from."""

from capacity_inspection.graphs import Box, make_node


def test_a_reshape_matches_axes_that_hold_the_same_entries():
    node = make_node("y", "reshape", make_node("x", "input", shape=(3, 4, 5)), shape=(3, 1, 20))
    assert node.rule.reads(node, Box((1, 0, 7), (2, 1, 9)), [(3, 4, 5)]) == [Box((1, 1, 2), (2, 2, 4))]
    assert node.rule.reads(node, Box((1, 0, 3), (2, 1, 9)), [(3, 4, 5)]) == [Box((1, 0, 0), (2, 2, 5))]
    back = make_node("z", "reshape", node, shape=(3, 4, 5))
    assert back.rule.reads(back, Box((0, 1, 1), (2, 3, 3)), [(3, 1, 20)]) == [Box((0, 0, 6), (2, 1, 13))]
