#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window asked for about one character arrives when another one is open: it is dropped."""

from harness import run
from driver import Window
from under_xvfb import under_xvfb

SIDE = 160  # points along an edge of a mesh that takes seconds to subdivide


def grid(folder):
    path = folder / "heavy.obj"
    points = [f"v {x / SIDE} {y / SIDE} 0\n" for y in range(SIDE) for x in range(SIDE)]
    corners = [y * SIDE + x + 1 for y in range(SIDE - 1) for x in range(SIDE - 1)]
    path.write_text("".join([*points, *(f"f {c} {c + 1} {c + SIDE + 1} {c + SIDE}\n" for c in corners)]), encoding="utf-8")
    return path


def press(window, places, *names):
    """One after the other, without waiting for what they do."""
    words = []
    for name in names:
        x, y, width, height = places[name]
        words += ["mousemove", "--window", window.id, round(x + width / 2), round(y + height / 2), "click", 1]
    window.tool(*words)


def subdivision_of_a_character_is_not_shown_on_the_next_one(folder):
    with Window(folder, grid(folder), size=(760, 600)) as window:
        window.click("side/View")
        window.wait("tab 2")
        places = window.report()["widgets"]
        window.click("##MainMenuBar/File")
        places.update(window.report()["widgets"])
        window.tool("key", "Escape")
        press(window, places, "side/Twice", "##MainMenuBar/File", "##Menu_00/New sample arm")
        window.wait("sample")
        early = window.report_at_once()
        while not early["path"].endswith("arm.sinew"):
            early = window.report_at_once()
        window.key("alt+shift+r", "pose-reset")  # the document after it has the same meshes
        assert early["busy"], "subdivided before the next character was open: this shows nothing"
        state = window.report()
        assert state["undo"] == "reset all joints" and not state["alarmed"], (state["undo"], state["message"])
        x, y = window.middle()
        window.point(x, 2 * y)  # where nothing answers to the mouse
        arrived = window.picture()
        window.click("side/Off")
        window.wait("subdivide 0")
        window.point(x, 2 * y)
        different = window.changed(arrived, window.picture())
        assert different == 0, different


if __name__ == "__main__":
    under_xvfb()
    run([subdivision_of_a_character_is_not_shown_on_the_next_one])
