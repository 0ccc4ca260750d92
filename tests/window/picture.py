# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the pictures that the window writes: PNG, 8 bits, RGBA."""

import struct
import zlib


def _unfilter(kind, row, above):
    """One row as it was before PNG's prediction; both are bytearrays."""
    for i, byte in enumerate(row):
        left = row[i - 4] if i >= 4 else 0
        up, corner = above[i], above[i - 4] if i >= 4 else 0
        if kind == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
            predicted = near[2]
        else:
            predicted = (0, left, up, (left + up) // 2)[kind]
        row[i] = (byte + predicted) & 255
    return row


class Picture:
    """Rows of RGBA bytes, top row first."""

    def __init__(self, path):
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
                assert (depth, color) == (8, 6), "not 8-bit RGBA"
            packed += body if kind == b"IDAT" else b""
            at += length + 12
        raw, stride = zlib.decompress(packed), 4 * self.width
        self.rows, above = [], bytearray(stride)
        for y in range(self.height):
            start = y * (stride + 1)
            row = bytearray(raw[start + 1:start + 1 + stride])
            above = row if raw[start] == 0 else _unfilter(raw[start], row, above)
            self.rows.append(above)

    def differing(self, other, left, top, right, bottom):
        """How many pixels of a rectangle differ clearly."""
        count = 0
        for y in range(top, bottom):
            one, two = self.rows[y], other.rows[y]
            if one[4 * left:4 * right] != two[4 * left:4 * right]:
                count += sum(max(abs(one[i + c] - two[i + c]) for c in range(3)) > 2 for i in range(4 * left, 4 * right, 4))
        return count
