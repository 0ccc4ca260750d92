# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl+Z while the mouse button is down: the stroke or drag in progress is undone, and older history stays as it is."""

import math

from driver import arm, opened, pose_points

KEPT = ("history", "undo", "redo", "pose", "poses", "examples", "joints")


def press(window, x, y, button=1):
    window.point(x, y)
    window.tool("mousedown", button)


def move(window, dx, dy, done):
    window.tool("mousemove_relative", "--", dx, dy)
    return window.wait(done)


def assert_kept(before, after):
    changed = [key for key in KEPT if before.get(key) != after.get(key)]
    assert not changed, [(key, before.get(key), after.get(key)) for key in changed]


def sculpted(window):
    """Sculpting, with one stroke in the history."""
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.key("Tab", "posing")
    window.click("side/Inflate")
    window.wait("brush ")
    x, y, _, _ = window.report()["joints"]["elbow"]
    window.drag((x, y), ((6, 0), (6, 0)))
    window.wait("stroke-end")
    return window.report()


def undo_in_a_stroke_undoes_that_stroke_alone(folder):
    project = arm(folder)
    first = pose_points(project, folder, "elbow-130")
    with opened(project, drawn=True) as window:
        before = sculpted(window)
        assert before["undo"] == "inflate elbow-130"
        after_first, picture = pose_points(project, folder, "elbow-130"), window.picture()
        x, y, _, _ = before["joints"]["wrist"]
        press(window, x, y)
        window.wait("stroke ")
        move(window, 6, 0, "dab ")
        window.key("ctrl+z", "drag-cancel")
        window.tool("mousemove_relative", "--", 6, 0)
        window.tool("mouseup", 1)
        window.point(x, y)
        assert_kept(before, window.report())
        assert pose_points(project, folder, "elbow-130") == after_first
        assert window.changed(picture, window.picture()) < 2000  # the brush alone
        window.key("ctrl+z", "undo")
        assert window.report()["redo"] == "inflate elbow-130"
        assert math.dist(sum(pose_points(project, folder, "elbow-130"), ()), sum(first, ())) < 1e-6
        press(window, x, y)
        window.wait("stroke ")
        move(window, 6, 0, "dab ")
        window.tool("key", "ctrl+shift+z")  # would be fused into the stroke
        move(window, 6, 0, "dab ")
        window.tool("mouseup", 1)
        window.wait("stroke-end")
        state = window.report()
        assert not state.get("redo") and state["undo"] == "inflate elbow-130" and len(state["history"]) == len(before["history"]), state["redo"]


def stroke_after_undo_does_not_bring_back_what_was_undone(folder):
    """The stroke begins before the undo is done."""
    project = arm(folder)
    first = pose_points(project, folder, "elbow-130")
    with opened(project) as window:
        before = sculpted(window)
        undone = pose_points(project, folder, "elbow-130")
        farthest = max(range(len(first)), key=lambda i: math.dist(first[i], undone[i]))
        assert math.dist(first[farthest], undone[farthest]) > 1e-4
        x, y, _, _ = before["joints"]["wrist"]
        window.point(x, y)
        window.tool("key", "ctrl+z", "mousedown", 1, "mousemove_relative", "--", 5, 0, "mouseup", 1)
        window.wait("stroke-end")
        state = window.report()
        assert len(state["history"]) == len(before["history"]) and not state.get("redo"), state["history"]
        second = pose_points(project, folder, "elbow-130")
        assert math.dist(second[farthest], first[farthest]) < 1e-6 and max(map(math.dist, second, first)) > 1e-4


def undo_in_a_turn_undoes_that_turn_alone(folder):
    with opened(arm(folder)) as window:
        window.click("outliner/elbow")
        window.wait("joint elbow")
        window.type_into("side/z##rotation", 40)
        window.wait("rotate ")
        window.key("KP_End", "front")
        window.point(*window.middle())  # the gizmo is placed where the mouse is over the viewport
        before = window.report()
        x, y, radius, _ = before["gizmo"]
        press(window, x + 0.707 * radius, y - 0.707 * radius)
        move(window, -20, -10, "try-rotate ")
        window.key("ctrl+z", "drag-cancel")
        window.tool("mousemove_relative", "--", -20, 10)
        window.tool("mouseup", 1)
        assert_kept(before, window.report())
        bx, by, width, height = before["widgets"]["side/z##rotation"]
        press(window, bx + width / 2, by + height / 2)
        window.tool("mousemove_relative", "--", 15, 0)
        move(window, 15, 0, "try-rotate ")
        window.key("ctrl+z", "drag-cancel")
        window.tool("mousemove_relative", "--", 15, 0)
        window.tool("mouseup", 1)
        assert_kept(before, window.report())
        window.key("ctrl+z", "undo")
        window.report()
        window.key("ctrl+shift+z", "redo")
        window.report()
        window.click("poses/unnamed")  # the turn of before is there
        window.wait("pose unnamed")
        window.point(*window.middle())
        assert_kept(before, window.report())


def undo_in_a_drag_of_the_radius_restores_it(folder):
    with opened(arm(folder)) as window:
        before = sculpted(window)
        x, y, _, _ = before["joints"]["wrist"]
        press(window, x, y, button=3)
        grown = float(move(window, 40, 0, "radius ").split()[1])
        window.tool("key", "ctrl+z")
        shrunk = float(window.wait("radius ").split()[1])
        assert grown > 1.2 * shrunk and abs(shrunk - 100 * before["brush_radius"]) < 1e-6, (grown, shrunk)
        window.tool("mouseup", 3)
        assert_kept(before, window.report())


def undo_in_a_drag_of_a_row_drops_nothing(folder):
    with opened(arm(folder), (1000, 1000)) as window:
        before = sculpted(window)
        rows = [before["widgets"][name] for name in ("side/wrist##group", "side/elbow##group")]

        def drag(key, share):
            """From a place of its own, so that two presses are no double click."""
            (fx, fy), (tx, ty) = ((x + share * width, y + height / 2) for x, y, width, height in rows)
            window.point(fx, fy)
            window.report()
            window.tool("mousedown", 1)
            for part in 0.3, 0.7, 1:  # drawn between the moves: what is dragged is known by redraws
                window.report()
                window.point(fx + part * (tx - fx), fy + part * (ty - fy))
            window.report()
            window.tool("key", key)
            window.tool("mouseup", 1)
            return window.report()

        for key, share in ("ctrl+z", 0.2), ("Escape", 0.3):
            assert_kept(before, drag(key, share))
        assert list(before["groups"]) == ["elbow", "wrist"] == list(window.report()["groups"])
        refused = drag("ctrl+y", 0.4)
        assert list(refused["groups"]) == ["wrist", "elbow"] and refused["redo"] == before["redo"], refused["groups"]


CASES = [undo_in_a_stroke_undoes_that_stroke_alone, stroke_after_undo_does_not_bring_back_what_was_undone,
         undo_in_a_turn_undoes_that_turn_alone, undo_in_a_drag_of_the_radius_restores_it, undo_in_a_drag_of_a_row_drops_nothing]
