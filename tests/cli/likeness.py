# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares pictures with small stored references, so that another rasteriser passes and a missing part does not.

Pictures are averaged down to 160 x 100 cells, which removes the pixels of edges. A cell differs if its mean with its eight neighbours
has another colour. SINEW_ACCEPT=1 stores the current picture as the reference."""

import os
from pathlib import Path

from picture import Picture, write

COLUMNS, ROWS = 160, 100
FAR = 6      # of 255: a rasteriser's own ways stay below it
STRANGE = 6  # cells of 16,000: one other word has more


def shrunk(picture):
    """Rows of [red, green, blue] for each cell; the picture is a multiple of the cells in size."""
    wide, high = picture.width // COLUMNS, picture.height // ROWS
    assert (wide * COLUMNS, high * ROWS) == (picture.width, picture.height), (picture.width, picture.height)
    cells = []
    for top in range(0, picture.height, high):
        lines = picture.rows[top:top + high]
        cells.append([[sum(sum(line[4 * left + c:4 * (left + wide):4]) for line in lines) / (wide * high) for c in range(3)]
                      for left in range(0, picture.width, wide)])
    return cells


def blurred(cells):
    """The mean of each cell with its neighbours."""
    def near(values, at):
        return values[max(at - 1, 0):at + 2]

    def mean(points):
        return [sum(point[c] for point in points) / len(points) for c in range(3)]
    across = [[mean(near(row, x)) for x in range(COLUMNS)] for row in cells]
    return [[mean([row[x] for row in near(across, y)]) for x in range(COLUMNS)] for y in range(ROWS)]


def strange_cells(one, two):
    """Where two shrunk pictures differ: (column, row, how far)."""
    found = []
    for y, (above, below) in enumerate(zip(blurred(one), blurred(two))):
        for x, (a, b) in enumerate(zip(above, below)):
            far = max(abs(a[c] - b[c]) for c in range(3))
            if far > FAR:
                found.append((x, y, round(far)))
    return found


def check(path, references):
    """The picture at `path` looks like the reference of its name."""
    path, reference = Path(path), Path(references) / Path(path).name
    cells = shrunk(Picture(path))
    if os.environ.get("SINEW_ACCEPT"):
        reference.parent.mkdir(exist_ok=True)
        write(reference, [bytes(round(value) for cell in row for value in cell) for row in cells])
        return
    wanted = Picture(reference)
    found = strange_cells(cells, [[list(wanted.pixel(x, y)) for x in range(COLUMNS)] for y in range(ROWS)])
    worst = max(found, key=lambda cell: cell[2], default=None)
    print(f"{path.stem}: {len(found)} strange cells{f', the worst at {worst[0]}, {worst[1]}: {worst[2]} of 255' if worst else ''}")
    assert len(found) <= STRANGE, f"{path.stem} does not look like {reference}; if it is meant to, SINEW_ACCEPT=1 takes it as the new one"
