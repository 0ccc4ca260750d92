# SPDX-License-Identifier: GPL-3.0-or-later
"""Posing with the mouse: joints chosen where they stand, turned by rings and by numbers, taken back."""

import math

from harness import answer
from limbs import limbs
from driver import OneWindow, arm


def angles_of(line):
    return [float(word) for word in line.split()[1:4]]


def joint_is_turned_by_the_gizmo_about_one_axis(window):
    window.click("poses/rest")
    window.wait("pose rest")
    window.key("KP_End", "front")
    window.click_joint("elbow")
    x, y, radius, _ = window.report()["gizmo"]
    # From the front the ring about z is a circle: a quarter turn along it, against the clock.
    far, near = round(0.707 * radius), round(0.293 * radius)
    window.drag((x + far, y - far), [(-far, -near), (-far, near)])
    angles = angles_of(window.wait("rotate "))
    assert abs(angles[2] - 90) < 3 and math.hypot(angles[0], angles[1]) < 1, angles
    report = window.report()
    assert report["pose"] == "unnamed" and report["undo"] == "rotate elbow"
    window.key("ctrl+z", "undo")
    assert window.report()["pose"] == "rest"
    window.key("ctrl+shift+z", "redo")
    assert "unnamed" in window.report()["poses"]


def hand_is_dragged_and_a_pinned_hand_stays_while_the_root_moves(window):
    window.click("poses/bent")
    window.wait("pose bent")
    window.key("KP_End", "front")
    before = window.report()["joints"]
    x, y, _, _ = before["lower_l"]
    window.drag((x, y), [(-10, -20), (-20, -30)], "shift")
    window.wait("reach ")
    report = window.report()
    assert report["undo"] == "drag lower_l" and not report["alarmed"], (report["undo"], report["message"])
    after = report["joints"]
    away = [after["lower_l"][i] - after["upper_l"][i] for i in (0, 1)]
    wanted = [before["lower_l"][i] + (-30, -50)[i] - after["upper_l"][i] for i in (0, 1)]
    assert math.hypot(away[0], away[1]) > 20  # it is too near to be reached: the bone points there
    assert abs(math.atan2(away[1], away[0]) - math.atan2(wanted[1], wanted[0])) < 0.05, (away, wanted)
    assert after["upper_l"] == before["upper_l"] and after["lower_r"] == before["lower_r"]
    window.key("ctrl+z", "undo")
    assert window.report()["joints"] == before
    for words in ("Leave out of IK", "Use in IK"):
        window.click("outliner/upper_l", button=3)
        window.click(f"popup/{words}")
        window.wait("joint-stiff")
        x, y, _, _ = before["lower_l"]
        if words == "Leave out of IK":  # no other joint could bring the hand there
            window.drag((x, y), [(-10, -20), (-20, -30)], "shift")
            window.wait("reach ")
            report = window.report()
            assert report["joints"] == before and "left out of IK" in report["message"], report["message"]
    window.click("outliner/lower_r", button=3)
    window.click("popup/Pin")
    window.wait("joint-pin")
    x, y, _, _ = before["root"]
    window.drag((x, y), [(0, -6), (0, -6)], "shift")
    window.wait("reach ")
    report = window.report()
    assert report["undo"] == "drag root", report["undo"]
    assert abs(report["joints"]["root"][1] - (before["root"][1] - 12)) < 2, report["joints"]["root"]
    pinned = report["joints"]["lower_r"]
    assert math.dist(pinned[:2], before["lower_r"][:2]) < 4, (pinned, before["lower_r"])
    assert math.dist(report["joints"]["lower_l"][:2], before["lower_l"][:2]) > 8


def joint_is_turned_by_typed_degrees_and_reset(window):
    window.click("outliner/elbow")
    window.wait("joint elbow")
    window.type_into("side/z##rotation", "200")
    assert angles_of(window.wait("rotate "))[2] == 200
    window.click("side/Reset")
    window.wait("joint-reset")
    assert window.report()["history"][-2:] == ["rotate elbow", "reset elbow"]


def pose_is_named_gone_to_and_kept_by_rotations(window):
    window.click("outliner/elbow")
    window.type_into("side/z##rotation", "70")
    window.wait("rotate ")
    window.report()
    window.key("ctrl+Return", "pose-add")
    window.report()
    window.tool("key", "ctrl+a")
    window.tool("type", "bent")
    window.tool("key", "Return")
    window.wait("pose-add bent")
    assert window.report()["pose"] == "bent" and "unnamed" not in window.report()["poses"]
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.type_into("side/z##rotation", "20")  # a sculpt was made in this pose: it stays as it is
    window.wait("rotate ")
    assert window.report()["pose"] == "unnamed"
    window.click("poses/bent")
    window.wait("pose bent")
    window.key("ctrl+c", "pose-copy")
    window.click("poses/rest")
    window.key("ctrl+v", "pose-paste")
    assert window.report()["pose"] == "unnamed"
    poses = {row["name"] for row in answer("pose", window.project, "list")["poses"]}
    assert {"rest", "bent", "unnamed", "elbow-130"} <= poses


def joint_is_turned_about_the_view_freely_and_by_the_worlds_axes(window):
    window.click("poses/rest")
    window.wait("pose rest")
    window.key("KP_End", "front")
    window.click_joint("elbow")
    x, y, radius, _ = window.report()["gizmo"]
    ring = 1.22 * radius  # a quarter turn about the view, from the right to above
    window.drag((x + ring, y), [(-0.293 * ring, -0.707 * ring), (-0.707 * ring, -0.293 * ring)])
    angles = angles_of(window.wait("rotate "))
    assert abs(angles[2] - 90) < 4 and math.hypot(angles[0], angles[1]) < 1, angles
    window.key("ctrl+z", "undo")
    assert window.report()["pose"] == "rest"
    window.drag((x + 0.2 * radius, y + 0.3 * radius), [(0.2 * radius, 0), (0.2 * radius, 0)])
    angles = angles_of(window.wait("rotate "))
    assert math.hypot(angles[0], angles[2]) < 3 and angles[1] > 10, angles  # to the right: about what is up
    window.key("x", "space")
    window.key("x", "space")
    x, y, radius, _ = window.report()["gizmo"]
    far, near = round(0.707 * radius), round(0.293 * radius)
    window.drag((x + far, y - far), [(-far, -near), (-far, near)])  # now about the world's z, not the joint's
    assert abs(angles_of(window.wait("rotate "))[2]) > 45


def numbers_are_about_the_axes_that_are_chosen(window):
    """Typed in the joint's own, its parent's and the world's axes, below a joint that is turned about z."""
    window.click("outliner/upper_l")
    window.wait("joint upper_l")
    window.type_into("side/z##rotation", 90)
    window.wait("rotate ")
    window.click("outliner/lower_l")
    window.wait("joint lower_l")
    for space, expected in ("World", (0, -40, 0)), ("Parent", (40, 0, 0)), ("Local", (40, 0, 0)):
        window.click("side/" + space)
        window.wait("space")
        window.type_into("side/x##rotation", 40)
        angles = angles_of(window.wait("rotate "))
        assert math.dist(angles, expected) < 0.01, (space, angles)
        window.click("side/Reset")
        window.wait("joint-reset")
    # What is typed and what a ring does are the same: the forearm turns about the world's y, towards the eye.
    window.click("side/World")
    window.wait("space")
    window.type_into("side/y##rotation", 90)
    assert math.dist(angles_of(window.wait("rotate ")), (90, 0, 0)) < 0.01


def trackball_turns_towards_where_it_is_dragged(window):
    window.key("KP_End", "front")
    window.click_joint("lower_l")
    x, y, radius, _ = window.report()["gizmo"]
    window.drag((x - 0.2 * radius, y + 0.35 * radius), [(0, 12), (0, 12)])  # down: about the world's x, the near side downwards
    angles = angles_of(window.wait("rotate "))
    assert abs(angles[0] - math.degrees(24 / radius)) < 1.5 and math.hypot(angles[1], angles[2]) < 1, angles
    window.key("alt+r", "joint-reset")
    window.report()
    before = window.report()
    window.drag((x + 0.2 * radius, y + 0.35 * radius), [(16, 0), (-16, 0)])  # there and back again is nothing
    window.wait("escape")
    after = window.report()
    assert all(after[key] == before[key] for key in ("history", "pose", "joint", "joints")), after["history"]


def history_is_listed_and_jumped_in(window):
    window.click("outliner/elbow")
    for degrees in (20, 40, 60):
        window.type_into("side/z##rotation", str(degrees))
        window.wait("rotate ")
    whole = window.report()["history"]
    window.click("side/History")
    window.wait("tab 3")
    window.click("side/sample small-arm")
    window.wait("history")
    report = window.report()
    assert report["history"] == whole[:1] and report["redo"] == whole[1]
    window.click("side/rotate elbow")  # the topmost of them: the latest
    window.wait("history")
    assert window.report()["history"] == whole


CASES = [*OneWindow(arm).cases(joint_is_turned_by_the_gizmo_about_one_axis, joint_is_turned_by_typed_degrees_and_reset,
         pose_is_named_gone_to_and_kept_by_rotations, history_is_listed_and_jumped_in,
         joint_is_turned_about_the_view_freely_and_by_the_worlds_axes),
         *OneWindow(limbs).cases(hand_is_dragged_and_a_pinned_hand_stays_while_the_root_moves,
         trackball_turns_towards_where_it_is_dragged, numbers_are_about_the_axes_that_are_chosen)]
