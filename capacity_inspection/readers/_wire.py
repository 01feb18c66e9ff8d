"""Messages of protocol buffers, looked through before they are parsed: whether they are whole, and what they become.

A message of two bytes becomes an object of some two hundred, so that the length of a file says little about the memory
that its parsing takes. Source: the encoding as documented by Protocol Buffers; the sizes of objects were measured.
"""

from collections.abc import Sequence
from typing import Any

__all__ = ["parsed_bytes"]

_MESSAGE, _FIELD, _INTEGER = 256, 64, 24  # bytes in memory of a message, of another field, of a packed integer
_DEPTH = 60  # the libraries refuse a depth of 100


def parsed_bytes(content: Sequence[int], descriptor: Any, limit: int) -> int:
    """At least the bytes that a message of a type takes in memory when it is parsed; it stops beyond a limit."""
    fields: dict[str, dict] = {}
    size = len(content)
    open_messages = [(0, len(content), descriptor, 0)]
    while open_messages and size <= limit:
        position, end, kind, depth = open_messages.pop()
        known = fields.setdefault(kind.full_name, dict(kind.fields_by_number)) if kind else {}
        if depth > _DEPTH:
            raise ValueError(f"messages are nested more than {_DEPTH} deep")
        while position < end and size <= limit:
            key, position = _varint(content, position, end)
            field, wire = known.get(key >> 3), key & 7
            size += _FIELD
            length = {1: 8, 5: 4}.get(wire, 0)
            if wire == 0:
                _, position = _varint(content, position, end)
            elif wire == 2:
                length, position = _varint(content, position, end)
            elif not length:
                raise ValueError(f"no part of a message begins at byte {position}")
            if length > end - position:
                raise ValueError(f"{length} bytes are announced at byte {position}, {end - position} are there")
            if wire == 2 and field is not None and field.message_type is not None:
                size += _MESSAGE
                open_messages.append((position, position + length, field.message_type, depth + 1))
            elif wire == 2 and field is not None and field.cpp_type in (1, 2, 3, 4, 8):  # integers, packed
                size += _INTEGER * length
            position += length
    return size


def _varint(content, position, end):
    """An integer of 7 bits a byte, the lowest first, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        if position >= end:
            break
        byte = content[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
    raise ValueError(f"a number has no end at byte {position}")
