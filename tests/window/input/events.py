# SPDX-License-Identifier: GPL-3.0-or-later
"""Every event of the mouse counts, in order, however many come between two redraws."""

import math

from harness import sinew
from driver import OneWindow, Window, arm, pose_points
from limbs import write_gltf


def wheel_zooms_towards_the_mouse(window):
    window.key("KP_End", "front")
    for joint in "wrist", "shoulder":
        before = window.report()["joints"]
        window.point(*before[joint][:2])
        for _ in range(3):
            window.tool("click", 4)
            assert len(window.wait("zoom ").split()) == 4
        after = window.report()["joints"]
        assert math.dist(before[joint][:2], after[joint][:2]) < 4, (joint, before[joint], after[joint])
        assert math.dist(before["wrist"][:2], before["elbow"][:2]) < 0.8 * math.dist(after["wrist"][:2], after["elbow"][:2])
        for _ in range(3):
            window.tool("click", 5)
            window.wait("zoom ")


def enter(window, brush):
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.key("Tab", "posing")
    window.click("side/" + brush)
    window.wait("brush ")
    return window.report()


def keys_that_are_released_in_a_field_or_a_dialog_are_released(window):
    """No report here: its key would say so too."""
    state = enter(window, "Draw")
    x, y, _, _ = state["joints"]["elbow"]
    left, top, width, height = state["widgets"]["side/Radius"]

    def stroke():
        window.drag((x, y), [(4, 0), (4, 0)])
        keys = int(window.wait("stroke ").split()[4])
        window.wait("stroke-end")
        return keys

    window.tool("mousemove", "--window", window.id, round(left + width / 2), round(top + height / 2), "keydown", "ctrl", "click", 1)
    window.tool("keyup", "ctrl")
    window.tool("type", "--", "30")
    window.wait("radius 3")
    assert stroke() == 0, "Ctrl seems to be held after a field was typed in"
    window.key("ctrl+p", "palette")
    window.tool("type", "inflate")
    row = window.report()["widgets"]["Find command/Inflate   ·   Brush"]
    window.tool("key", "Escape")
    window.wait("escape")
    window.key("ctrl+p", "palette")
    window.tool("type", "inflate")
    window.point(row[0] + row[2] / 2, row[1] + row[3] / 2)
    window.tool("click", 1)
    window.wait("brush inflate")
    assert stroke() == 0, "Ctrl seems to be held after a brush was picked in the palette"
    window.tool("keydown", "b")
    window.wait("before 1")
    window.key("ctrl+p", "palette")
    window.tool("keyup", "b")
    window.wait("before 0")
    window.key("Escape", "escape")


def every_move_of_a_right_drag_changes_the_radius(window):
    before = enter(window, "Inflate")
    x, y, _, _ = before["joints"]["elbow"]
    window.drag((x, y), [(4, 0)] * 10, button=3)
    assert abs(window.report()["brush_radius"] / before["brush_radius"] - math.exp(0.008 * 40)) < 1e-6


def quick_stroke_has_no_gap_after_the_press(window):
    """One long move of the mouse makes nearly what many short ones along the same path make."""
    project, folder = window.project, window.folder
    plain = pose_points(project, folder, "elbow-130")
    distances = []
    state = enter(window, "Inflate")
    for _ in range(6):
        window.key("bracketleft", "smaller")
    x, y, elbow_x, elbow_y = *state["joints"]["wrist"][:2], *state["joints"]["elbow"][:2]
    dx, dy = round((elbow_x - x) / 12), round((elbow_y - y) / 12)  # along the forearm
    for moves in [(dx, dy)] * 6, [(6 * dx, 6 * dy)]:
        window.drag((x, y), moves)
        window.wait("stroke-end")
        window.report()
        distances.append([math.dist(*pair) for pair in zip(pose_points(project, folder, "elbow-130"), plain)])
        window.key("ctrl+z", "undo")
        window.report()
    slow, quick = (sum(1 for distance in each if distance > 0.05 * max(distances[0])) for each in distances)
    assert slow > 10 and quick > 0.8 * slow, (slow, quick)


def slow_double_click_goes_to_the_example(window):
    """A third of a second apart, as when redraws are slow: SDL takes half a second for a double-click."""
    window.key("Home", "frame")
    x, y, width, height = window.report()["widgets"]["side/wrist-150"]
    window.point(x + width / 4, y + height / 2)
    window.report()
    for _ in range(8):  # a busy machine may send the second click too late
        window.tool("click", "--repeat", 2, "--delay", 350, 1)
        window.report()
        if "example-go wrist-150" in window.lines_read:
            return
    raise AssertionError("no double-click was seen")


def framing_a_clip_takes_in_its_widest_moment(folder):
    """The arms hang down for a moment between those at equal intervals."""
    project = folder / "wave.sinew"
    sinew("import", write_gltf(folder / "wave.gltf", waves=True), "-o", project)
    with Window(folder, project, drawn=True) as window:
        window.key("g", "grid")  # the ground is below whatever is shown
        window.key("Home", "frame")
        x, y, width, height = map(round, window.report()["viewport"])
        rows = x + 4, y + height - 12, x + width - 4, y + height - 2
        still = window.picture()
        window.scrub(0.25)
        window.point(x + 8, y + 90)  # away from the timeline's help
        window.key("Home", "frame")
        down = window.picture()
        assert window.changed(still, down) > 500 and still.differing(down, *rows) == 0


CASES = [framing_a_clip_takes_in_its_widest_moment, *OneWindow(arm).cases(slow_double_click_goes_to_the_example,
         quick_stroke_has_no_gap_after_the_press, wheel_zooms_towards_the_mouse,
         keys_that_are_released_in_a_field_or_a_dialog_are_released, every_move_of_a_right_drag_changes_the_radius)]
