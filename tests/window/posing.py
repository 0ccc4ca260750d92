#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing with the mouse: joints chosen where they stand, turned by rings and by numbers, taken back."""

import math

from harness import answer, run
from stage import Window, arm
from under_xvfb import under_xvfb


def turns_of(line):
    return [float(word) for word in line.split()[1:4]]


def joint_is_turned_by_the_gizmo_about_one_axis(folder):
    with Window(folder, arm(folder)) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("KP_End", "front")
        window.click_joint("elbow")
        x, y, radius, _ = window.report()["gizmo"]
        # From the front the ring about z is a circle: a quarter turn along it, against the clock.
        far, near = round(0.707 * radius), round(0.293 * radius)
        window.drag((x + far, y - far), [(-far, -near), (-far, near)])
        turn = turns_of(window.wait("turn "))
        assert abs(turn[2] - 90) < 3 and math.hypot(turn[0], turn[1]) < 1, turn
        report = window.report()
        assert report["pose"] == "scratch" and report["undo"] == "turn elbow"
        window.key("ctrl+z", "undo")
        assert window.report()["pose"] == "rest"
        window.key("ctrl+shift+z", "redo")
        assert "scratch" in window.report()["poses"]


def joint_is_turned_by_typed_degrees_and_reset(folder):
    with Window(folder, arm(folder)) as window:
        window.click("outliner/elbow")
        window.wait("joint elbow")
        window.type_into("side/z##turn", "200")
        assert turns_of(window.wait("turn "))[2] == 200
        window.click("side/Reset")
        window.wait("joint-reset")
        assert window.report()["history"][-2:] == ["turn elbow", "reset elbow"]


def pose_is_named_gone_to_and_kept_by_turns(folder):
    project = arm(folder)
    with Window(folder, project) as window:
        window.click("outliner/elbow")
        window.type_into("side/z##turn", "70")
        window.wait("turn ")
        window.report()
        window.key("ctrl+Return", "pose-add")
        window.report()
        window.tool("key", "ctrl+a")
        window.tool("type", "bent")
        window.tool("key", "Return")
        window.wait("pose-add bent")
        assert window.report()["pose"] == "bent" and "scratch" not in window.report()["poses"]
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        window.type_into("side/z##turn", "20")  # a sculpt was made in this pose: it stays as it is
        window.wait("turn ")
        assert window.report()["pose"] == "scratch"
        window.click("poses/bent")
        window.wait("pose bent")
        window.key("ctrl+c", "pose-copy")
        window.click("poses/rest")
        window.key("ctrl+v", "pose-paste")
        assert window.report()["pose"] == "scratch"
    poses = {row["name"] for row in answer("pose", project, "list")["poses"]}
    assert {"rest", "bent", "scratch", "elbow-130"} <= poses


def joint_is_turned_about_the_view_freely_and_by_the_worlds_axes(folder):
    with Window(folder, arm(folder)) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("KP_End", "front")
        window.click_joint("elbow")
        x, y, radius, _ = window.report()["gizmo"]
        ring = 1.22 * radius  # a quarter turn about the view, from the right to above
        window.drag((x + ring, y), [(-0.293 * ring, -0.707 * ring), (-0.707 * ring, -0.293 * ring)])
        turn = turns_of(window.wait("turn "))
        assert abs(turn[2] - 90) < 4 and math.hypot(turn[0], turn[1]) < 1, turn
        window.key("ctrl+z", "undo")
        assert window.report()["pose"] == "rest"
        window.drag((x + 0.2 * radius, y + 0.3 * radius), [(0.2 * radius, 0), (0.2 * radius, 0)])
        turn = turns_of(window.wait("turn "))
        assert math.hypot(turn[0], turn[2]) < 3 and turn[1] > 10, turn  # to the right: about what is up
        window.key("x", "space")
        window.key("x", "space")
        x, y, radius, _ = window.report()["gizmo"]
        far, near = round(0.707 * radius), round(0.293 * radius)
        window.drag((x + far, y - far), [(-far, -near), (-far, near)])  # now about the world's z, not the joint's
        assert abs(turns_of(window.wait("turn "))[2]) > 45


def history_is_listed_and_jumped_in(folder):
    with Window(folder, arm(folder)) as window:
        window.click("outliner/elbow")
        for degrees in (20, 40, 60):
            window.type_into("side/z##turn", str(degrees))
            window.wait("turn ")
        whole = window.report()["history"]
        window.click("side/History")
        window.wait("tab 3")
        window.click("side/sample arm")
        window.wait("history")
        report = window.report()
        assert report["history"] == whole[:1] and report["redo"] == whole[1]
        window.click("side/turn elbow")  # the topmost of them: the latest
        window.wait("history")
        assert window.report()["history"] == whole


if __name__ == "__main__":
    under_xvfb()
    run([joint_is_turned_by_the_gizmo_about_one_axis, joint_is_turned_by_typed_degrees_and_reset,
         joint_is_turned_about_the_view_freely_and_by_the_worlds_axes, pose_is_named_gone_to_and_kept_by_turns, history_is_listed_and_jumped_in])
