# SPDX-License-Identifier: GPL-3.0-or-later
"""A pen's pressure and tilt reach the brush, a mouse stays as it is, and the stabiliser smooths a shaking hand. The second argument is
the window of tablet.c, in which the mouse is a pen."""

import sys
from pathlib import Path

from limbs import limbs
from driver import Window, draw_plainly, enter, stroke

TABLET = str(Path(sys.argv[2], "window", "test-window-tablet").resolve())
SHAKING = [(6, 6 if step % 2 else -6) for step in range(10)]


def prefer(folder, *lines):
    draw_plainly(folder)
    with (folder / "config" / "sinew" / "preferences").open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def numbers(window, name):
    """Those of the commands of that name, one row each."""
    return [[float(word) for word in line.split()[1:]] for line in window.lines_read if line.split()[0] == name]


def pressure_and_tilt_change_strength_and_radius(folder):
    prefer(folder, "pen-radius yes", "pen-tilt yes")
    with Window(folder, limbs(folder), program=(TABLET,)) as window:
        enter(window, "bent")
        report = stroke(window, "lower_l", brush="Inflate")
        assert set(report["examples"]) == {"bent"}
        assert numbers(window, "stroke")[0][2:] == [0.25, 0, 0.375], numbers(window, "stroke")
        dabs = numbers(window, "dab")
        assert dabs and all(dab[2:] == [0.25, 0.375] for dab in dabs), dabs


def mouse_has_full_pressure_and_the_stabiliser_smooths_its_path(folder):
    with Window(folder, limbs(folder), size=(1000, 800)) as window:
        enter(window, "bent")
        stroke(window, "lower_l", brush="Inflate", moves=SHAKING)
        free = numbers(window, "dab")
        assert numbers(window, "stroke")[0][2:] == [1, 0, 1] and all(dab[2:] == [1, 1] for dab in free), free
        window.click("side/Pen…")
        line = window.drag_number("popup/Stabiliser", 20, "prefer stabiliser ")  # the slider's middle is 40
        assert 40 < int(line.split()[-1]) <= 80, line
        window.type_into("popup/Stabiliser", "30")
        window.wait("prefer stabiliser 30")
        window.tool("key", "Escape")  # closes the list
        window.lines_read.clear()
        assert window.report()["sculpting"]
        stroke(window, "lower_l", moves=SHAKING)
        steady = numbers(window, "dab")
        span = [max(dab[1] for dab in dabs) - min(dab[1] for dab in dabs) for dabs in (free, steady)]
        assert steady and span[1] < 0.6 * span[0], span
    assert "stabiliser 30" in (folder / "config" / "sinew" / "preferences").read_text(encoding="utf-8")


CASES = [pressure_and_tilt_change_strength_and_radius, mouse_has_full_pressure_and_the_stabiliser_smooths_its_path]
