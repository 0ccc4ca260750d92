# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the pictures that the program writes, with libpng's simplified interface, because pure Python would take seconds."""

import copy
import ctypes


class _Image(ctypes.Structure):
    """png_image of png.h."""
    _fields_ = [("opaque", ctypes.c_void_p), ("version", ctypes.c_uint32), ("width", ctypes.c_uint32), ("height", ctypes.c_uint32),
                ("format", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("colors", ctypes.c_uint32), ("failed", ctypes.c_uint32),
                ("message", ctypes.c_char * 64)]


VERSION, RGB, RGBA = 1, 2, 3
libpng = ctypes.CDLL("libpng16.so.16")


class Picture:
    """Rows of RGBA bytes, top row first."""

    def __init__(self, path):
        image = _Image(version=VERSION)
        read = libpng.png_image_begin_read_from_file(ctypes.byref(image), str(path).encode())
        assert read, f"{path}: {image.message.decode()}"
        assert image.format in (RGB, RGBA), f"{path} is not 8-bit RGB or RGBA"
        image.format = RGBA
        self.width, self.height, stride = image.width, image.height, 4 * image.width
        pixels = ctypes.create_string_buffer(stride * image.height)
        read = libpng.png_image_finish_read(ctypes.byref(image), None, pixels, stride, None)
        assert read, f"{path}: {image.message.decode()}"
        raw = pixels.raw
        self.rows = [raw[y * stride:(y + 1) * stride] for y in range(self.height)]

    def part(self, left, top, right, bottom):
        """A rectangle of it."""
        made = copy.copy(self)
        made.width, made.height = right - left, bottom - top
        made.rows = [row[4 * left:4 * right] for row in self.rows[top:bottom]]
        return made

    def count(self, fits):
        """How many pixels (red, green, blue) fit."""
        return sum(fits(row[i:i + 3]) for row in self.rows for i in range(0, len(row), 4))

    def pixel(self, x, y):
        return tuple(self.rows[y][4 * x:4 * x + 3])

    def differing(self, other, left, top, right, bottom, most=float("inf")):
        """How many pixels of a rectangle differ clearly; it stops counting beyond `most`."""
        count = 0
        for y in range(top, bottom):
            one, two = self.rows[y][4 * left:4 * right], other.rows[y][4 * left:4 * right]
            if count > most:
                break
            if one != two:
                pairs = zip(memoryview(one).cast("I"), memoryview(two).cast("I"))
                count += sum(max(abs(one[i + c] - two[i + c]) for c in range(3)) > 2
                             for i in (4 * x for x, (a, b) in enumerate(pairs) if a != b))
        return count


def write(path, rows):
    """Rows of RGB bytes, top row first, as a PNG."""
    image = _Image(version=VERSION, width=len(rows[0]) // 3, height=len(rows), format=RGB)
    written = libpng.png_image_write_to_file(ctypes.byref(image), str(path).encode(), 0, b"".join(rows), len(rows[0]), None)
    assert written, f"{path}: {image.message.decode()}"
