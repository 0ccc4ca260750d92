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
        channels = [map(sum, zip(*(line[4 * x + c::4 * wide] for line in lines for x in range(wide)))) for c in range(3)]
        cells.append([[value / (wide * high) for value in cell] for cell in zip(*channels)])
    return cells


def strange_cells(one, two):
    """Where two shrunk pictures differ in the mean of each cell with its neighbours: (column, row, how far)."""
    apart = [[[a - b for a, b in zip(*cells)] for cells in zip(*rows)] for rows in zip(one, two)]
    # Where a mean is far, one of the cells is.
    places = {(column, row) for y, cells in enumerate(apart) for x, cell in enumerate(cells) if max(map(abs, cell)) > FAR
              for column in range(max(x - 1, 0), min(x + 2, COLUMNS)) for row in range(max(y - 1, 0), min(y + 2, ROWS))}
    found = []
    for x, y in sorted(places):
        near = [cell for row in apart[max(y - 1, 0):y + 2] for cell in row[max(x - 1, 0):x + 2]]
        far = max(abs(sum(channel)) for channel in zip(*near)) / len(near)
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
    found = strange_cells(cells, shrunk(Picture(reference)))
    worst = max(found, key=lambda cell: cell[2], default=None)
    print(f"{path.stem}: {len(found)} strange cells{f', the worst at {worst[0]}, {worst[1]}: {worst[2]} of 255' if worst else ''}")
    assert len(found) <= STRANGE, f"{path.stem} does not look like {reference}; if it is meant to, SINEW_ACCEPT=1 takes it as the new one"
