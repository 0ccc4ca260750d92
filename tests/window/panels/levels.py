# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail in the window: made, shown by number or by their size in pixels, coloured by their distance, and removed."""

import re

from harness import answer, sinew
from driver import OneWindow, opened

SIZE = (1100, 1010)


def leveled(folder):
    """The small arm, without corrective, and two levels."""
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    sinew("lod", project, "make", "--level", "triangles=30%", "--level", "triangles=5%")
    return project


def open_stack(window):
    window.click("side/Stack")
    window.wait("tab 1")


def rows(window):
    return [name for name in window.report()["widgets"] if name.startswith("side/Level ")]


def levels_are_made_in_one_step_and_shown_by_a_click(folder):
    project = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", project)
    with opened(project, SIZE, drawn=True) as window:
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        open_stack(window)
        before = window.report()["history"]
        window.click("side/Make levels…")
        window.tool("key", "ctrl+a")
        window.write("triangles=30% triangles=5%")
        window.wait("lod-make triangles")
        state = window.report()
        assert len(state["history"]) == len(before) + 1 and "made 2 levels" in state["message"], (state["message"], state["history"])
        assert rows(window) == ["side/Level 1", "side/Level 2"] and state["level"] == 0
        mesh = window.picture()
        window.click("side/Level 2")
        window.wait("level 2")
        state = window.report()
        assert state["level_drawn"] == 2 and any("triangles" in word for word in state["words"]), state["words"]
        coarse = window.picture()
        assert window.changed(mesh, coarse) > 200
        window.click("side/Mesh##level-0")
        window.wait("level 0")
        assert window.report()["level_drawn"] == 0 and window.changed(mesh, window.picture()) == 0


def pixels_choose_a_level_and_colours_show_how_far_it_is(window):
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    open_stack(window)
    window.click("side/By size")
    window.wait("level -1")
    near = window.report()["level_drawn"]
    x, y = window.middle()
    window.point(x, y)
    window.tool("click", "--repeat", 40, 5)
    window.wait("zoom")
    far = window.report()["level_drawn"]
    assert near < 2 and far == 2, (near, far)
    window.key("Home", "frame")
    window.click("side/Level 2")
    window.wait("level 2")
    plain = window.picture()
    window.click("side/View")
    window.wait("tab 2")
    window.click("side/##heat")
    window.click("list/Level")
    window.wait("field level")
    assert window.report()["shown"] == "level" and window.changed(plain, window.picture()) > 1000
    window.key("Tab", "posing")  # a stroke takes the points of the mesh
    assert window.report()["level_drawn"] == 0


def levels_follow_the_project_and_are_removed_in_a_step(window):
    open_stack(window)
    window.click("side/Level 1")
    window.wait("level 1")
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.key("alt+shift+r", "pose-reset")
    assert window.report()["level_drawn"] == 1, "the levels of the project after the change"
    window.click("side/Remove level 1")
    window.wait("lod-remove-one 1")
    state = window.report()
    assert rows(window) == ["side/Level 2"] and state["level_drawn"] == 0, state["message"]
    window.key("ctrl+z", "undo")
    assert rows(window) == ["side/Level 1", "side/Level 2"] and window.report()["level_drawn"] == 0


def with_a_finished_level(window):
    """The state then."""
    while True:
        state = window.report_at_once()
        assert state["busy"], f"the levels were done before they could be cancelled: {state['message']}"
        if any(re.match(r"side/collapsing edges of level [3-9]", word) for word in state["words"]):
            return state


def a_stop_keeps_the_levels_that_are_finished(folder):
    project = folder / "arm.sinew"
    sinew("sample", "arm", "-o", project)
    sinew("mesh", project, "subdivide")
    with opened(project, SIZE) as window:
        open_stack(window)
        window.click("side/Make levels…")
        window.tool("key", "ctrl+a")
        window.write(" ".join(f"triangles={95 - 10 * n}%" for n in range(9)))
        window.wait("lod-make triangles")
        window.click("side/Cancel", state=with_a_finished_level(window))
        window.wait("cancel")
        message = window.report()["message"]
        assert "stopped early" in message and rows(window), message
    kept = answer("lod", project, "list")["levels"]
    assert 0 < len(kept) < 9 and all(level["rms_percent"] > 0 for level in kept), kept


CASES = [*OneWindow(leveled, size=SIZE, drawn=True).cases(pixels_choose_a_level_and_colours_show_how_far_it_is,
         levels_follow_the_project_and_are_removed_in_a_step), levels_are_made_in_one_step_and_shown_by_a_click]
LONG = [a_stop_keeps_the_levels_that_are_finished]
