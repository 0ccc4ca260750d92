# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint drives a sculpt: the one that moves the points under the brush, said at once, changed with one click."""

import math

from harness import sinew
from limbs import limbs
from driver import Window, arm, enter, opened, pose_points, stroke

TALL = (1100, 1000)  # the whole right panel


def posed(folder, **angles):
    """A project with the pose "posed", of rotations about z."""
    project = limbs(folder)
    rotations = [word for joint, angle in angles.items() for word in ("--rotate", f"{joint}=0,0,{angle}")]
    sinew("pose", project, "add", "posed", *rotations)
    return project


def stroked_joint_drives_its_sculpt_and_one_click_changes_it(folder):
    with opened(posed(folder, lower_l=0.8, upper_l=0.5, lower_r=-1.6), TALL) as window:
        enter(window, "posed")
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["groups"] == {"Left lower": {"joints": ["lower_l"], "examples": ["posed"]}}, report["groups"]
        assert report["message"].startswith("Left lower drives the new example posed.") and not report["alarmed"], report["message"]
        assert "side/Left lower##lower_l-driver" in report["widgets"] and "side/Right lower##lower_r-driver" not in report["widgets"]
        window.click("side/Left upper##upper_l-driver", state=report)
        window.wait("driver upper_l")
        changed = window.report()
        assert changed["groups"] == {"Left upper": {"joints": ["upper_l"], "examples": ["posed"]}}, changed["groups"]
        assert changed["group"] == "Left upper" and abs(changed["examples"]["posed"] - 1) < 1e-3, changed["examples"]
        assert len(changed["history"]) == len(report["history"]) + 1
        window.key("ctrl+z", "undo")
        assert window.report()["groups"] == report["groups"]
        report = stroke(window, "lower_r")  # the shares follow the sculpt
        assert "side/Right lower##lower_r-driver" in report["widgets"] and report["groups"]["Left lower"]["examples"] == ["posed"], report["groups"]
        window.key("ctrl+z", "undo")
        assert "side/Right lower##lower_r-driver" not in window.report()["widgets"]


def driver_that_moves_no_stroked_point_is_warned_of(folder):
    """But not where a joint is too little bent to be measured."""
    with opened(posed(folder, lower_r=-1.6, lower_l=0.03), TALL) as window:
        enter(window, "posed")
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["alarmed"] and "Right lower drives posed but does not move these points" in report["message"], report["message"]
        window.key("Tab", "posing")
        assert "side/Right lower does not move these points" in window.report()["words"]
        window.click("side/##group-joint")
        window.click("list/Left lower##lower_l")
        window.wait("group-joint lower_l")
        report = window.report()
        assert report["groups"]["Right lower"]["joints"] == ["lower_r", "lower_l"], report["groups"]
        assert not any("does not move" in words for words in report["words"]), report["words"]


def strokes_before_the_first_is_stored_make_one_example(folder):
    with opened(limbs(folder)) as window:
        window.click("outliner/lower_l")
        window.type_into("side/z##rotation", 60)
        window.wait("rotate ")
        window.key("Tab", "posing")
        x, y, _, _ = window.report()["joints"]["lower_l"]
        for _ in range(3):
            window.drag((x, y), ((6, 0), (6, 0)))
        report = window.report()
        assert set(report["examples"]) == {"Left lower 60°"} and list(report["groups"]) == ["Left lower"], report["groups"]
        assert report["history"][-3:] == ["grab Left lower 60°"] * 3, report["history"]


def names_tell_examples_apart_follow_the_driver_and_stay_as_the_user_wrote_them(folder):
    """A second example of the same angle has its direction, and one of two joints both; a name that is typed stays."""
    with opened(limbs(folder), TALL) as window:
        for rotations, name, pose in ((("z 60",), "Left lower 60°", None), (("z -60",), "Left lower 60° down", None),
                                  (("z 30", "x 20"), "Left lower 36°", None)):
            window.click("poses/rest")
            window.wait("pose rest")
            window.click("outliner/lower_l")
            for rotation in rotations:
                axis, degrees = rotation.split()
                window.type_into(f"side/{axis}##rotation", degrees)
                window.wait("rotate ")
            window.click("side/Add")
            window.wait("example-add")
            report = window.report()
            assert report["example"] == name and report["pose"] == (pose or name), (report["example"], report["pose"])
        assert report["groups"] == {"Left lower": {"joints": ["lower_l"], "examples": ["Left lower 60°", "Left lower 60° down",
                                                                                       "Left lower 36°"]}}, report["groups"]
        window.click("poses/rest")
        window.wait("pose rest")
        for joint, degrees in (("upper_l", 20), ("lower_l", 45)):
            window.click(f"outliner/{joint}")
            window.type_into("side/z##rotation", degrees)
            window.wait("rotate ")
        window.key("Tab", "posing")
        report = stroke(window, "lower_l", brush="Inflate")
        assert report["example"] == "Left lower 45°" and report["pose"] == "Left lower 45°, Left upper 20°", report["pose"]
        window.click("side/Left upper##upper_l-driver")
        window.wait("driver upper_l")
        report = window.report()
        assert report["example"] == "Left upper 20°" and report["group"] == "Left upper", report["example"]


def width_is_dragged_on_the_curve_and_on_the_cone_as_one_step(folder):
    project = arm(folder)
    with Window(folder, project, size=TALL) as window:
        window.click("side/elbow-130")
        window.wait("group elbow")
        before = window.report()
        x, y, width, height = before["widgets"]["side/group-width"]
        handle = x + width / 2, y + height / 2
        window.point(*handle)
        window.tool("click", 1)
        window.report()
        window.tool("mousedown", 1)
        window.report()
        window.tool("mousemove_relative", "--", 15, 0)
        assert window.report()["widgets"]["side/group-width"][0] > x + 10
        window.tool("key", "Escape")
        window.tool("mouseup", 1)
        same = window.report()  # neither a click nor a cancelled drag changes anything
        assert same["history"] == before["history"] and same["widgets"]["side/group-width"][0] == x, same["history"]
        assert same["message"] == before["message"], same["message"]
        window.drag(handle, ((8, 0), (8, 0), (8, 0)))
        window.wait("set width@elbow=")
        after = window.report()
        assert after["widgets"]["side/group-width"][0] > x + 20 and not after["alarmed"], after["message"]
        assert len(after["history"]) == len(before["history"]) + 1
        assert abs(after["examples"]["elbow-130"]) < 1.001
        window.key("ctrl+z", "undo")
        assert abs(window.report()["widgets"]["side/group-width"][0] - x) < 1
        width_is_dragged_on_the_cone(window)
        handle_is_where_the_weight_has_fallen_and_a_kernel_without_a_scale_has_none(window)


def cone_of_a_group_without_joints_stands_at_the_joint_that_moves_its_sculpt(folder):
    """Another joint, which the method does not choose, is rotated more."""
    project, sculpt = limbs(folder), folder / "sculpt.obj"
    sinew("pose", project, "add", "both", "--rotate", "lower_l=0,0,0.6", "--rotate", "upper_r=0,0,-1.4")
    lines = ["v {} {} {}".format(px, py, pz + (0.02 if 0.27 < x < 0.33 else 0))
             for (x, _, _), (px, py, pz) in zip(pose_points(project, folder, "rest"), pose_points(project, folder, "both"))]
    sinew("export", project, "-o", sculpt, "--pose", "both")
    sculpt.write_text("\n".join(lines + [line for line in sculpt.read_text().splitlines() if line.startswith("f")]) + "\n")
    sinew("group", project, "add", "free")
    sinew("example", project, "add", "--name", "both", "--pose", "both", "--file", sculpt, "--group", "free")
    sinew("fit", "inverse-psd", project)
    with opened(project, TALL) as window:
        window.click("poses/both")
        window.wait("pose both")
        window.key("KP_End", "front")
        window.click("side/free##group")
        window.wait("group free")
        window.click("##MainMenuBar/View")
        window.click("##Menu_00/Driver cone")
        window.wait("driver-cone")
        for chosen in False, True:  # without and with the drivers of the example, which are found in the background
            if chosen:
                window.click("side/both")
                window.wait("example both")
            state = window.report()
            assert state["groups"]["free"]["joints"] == [], state["groups"]
            x, y, _, _ = state["words"]["over/driver-cone"]
            left, right = (math.dist((x, y), state["joints"][name][:2]) for name in ("lower_l", "lower_r"))
            assert left < right, (left, right)


def handle_is_where_the_weight_has_fallen_and_a_kernel_without_a_scale_has_none(window):
    """With a kernel of distances the handle sets the distance that brings the edge near to where it is dropped."""
    for falloff in "linear", "thin-plate", "bell":
        window.click("side/##falloff")
        window.click(f"list/{falloff.capitalize()}")
        window.wait(f"group-falloff {falloff}")
        before = window.report()
        assert ("side/group-width" in before["widgets"]) == ("over/driver-disc" in before["words"]) == (falloff == "bell"), falloff
    x, y, width, height = before["widgets"]["side/group-width"]
    window.drag((x + width / 2, y + height / 2), ((8, 0), (8, 0), (8, 0)))
    window.wait("set width@elbow=")
    after = window.report()
    assert 12 < after["widgets"]["side/group-width"][0] - x < 30, (x, after["widgets"]["side/group-width"])


def width_is_dragged_on_the_cone(window):
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.click("##MainMenuBar/View")
    window.click("##Menu_00/Driver cone")
    window.wait("driver-cone")
    before = window.report()
    x, y, _, _ = before["words"]["over/driver-disc"]
    middle = before["joints"]["wrist"]  # of a bend of more than a right angle there is a disc around the bone's end
    step = [(x - middle[0]) / 6, (y - middle[1]) / 6]
    window.drag((x, y), [step, step])
    window.wait("set width@elbow=")
    after = window.report()
    assert not after["alarmed"] and len(after["history"]) == len(before["history"]) + 1, after["message"]
    window.key("ctrl+z", "undo")
    again = window.report()["words"]["over/driver-disc"]
    assert abs(again[0] - x) < 1 and abs(again[1] - y) < 1, (again, x, y)


CASES = [cone_of_a_group_without_joints_stands_at_the_joint_that_moves_its_sculpt,
         stroked_joint_drives_its_sculpt_and_one_click_changes_it, strokes_before_the_first_is_stored_make_one_example,
         width_is_dragged_on_the_curve_and_on_the_cone_as_one_step]
LONG = [driver_that_moves_no_stroked_point_is_warned_of,
        names_tell_examples_apart_follow_the_driver_and_stay_as_the_user_wrote_them]
