# SPDX-License-Identifier: GPL-3.0-or-later
"""Left and right with the mouse and the keys: poses copied, pasted and mirrored, examples mirrored and mirrored again, what follows
when one is deleted, muted or shown alone; each a step that is undone."""

import math

from harness import answer
from limbs import limbs
from driver import opened, pose_points


def pose_of(project, name, folder, method=None):
    """The places of points in a pose, by their place at rest."""
    rest, posed = pose_points(project, folder, "rest"), pose_points(project, folder, name, method)
    return {tuple(round(c, 4) + 0.0 for c in p): q for p, q in zip(rest, posed)}


def assert_mirrored(one, other, tolerance=1e-5):
    for (x, y, z), p in one.items():
        q = other[(-x + 0.0, y, z)]
        assert math.dist((-p[0], p[1], p[2]), q) < tolerance, ((x, y, z), p, q)


def bend(window, joint, axis, degrees):
    window.click("outliner/" + joint)
    window.wait("joint " + joint)
    window.type_into(f"side/{axis}##rotation", degrees)
    window.wait("rotate ")


def keep_pose(window, name):
    window.tool("key", "ctrl+Return", "ctrl+a")
    window.write(name)
    window.wait("pose-add " + name)


def pose_is_copied_pasted_and_mirrored(folder):
    project = limbs(folder)
    with opened(project) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        bend(window, "lower_l", "z", 50)
        bend(window, "upper_l", "y", 20)
        keep_pose(window, "left")
        window.key("ctrl+c", "pose-copy")
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("ctrl+v", "pose-paste")
        assert window.report()["undo"] == "paste a pose"
        keep_pose(window, "pasted")
        window.key("ctrl+m", "pose-mirror")
        assert window.report()["undo"] == "mirror the pose"
        # What was pasted was turned round in place; pasting again and mirroring by the tile gives the same.
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("ctrl+v", "pose-paste")
        window.report()
        window.click("outliner/Mirror")
        window.wait("pose-mirror")
        keep_pose(window, "right")
        state = window.report()
        assert not state["alarmed"] and state["poses"][-3:] == ["left", "pasted", "right"], state["poses"]
    source, pasted, image = (pose_of(project, name, folder) for name in ("left", "pasted", "right"))
    assert_mirrored(source, image)
    assert_mirrored(source, pasted)
    assert max(math.dist(source[p], image[p]) for p in source) > 0.05


def stroke(window, joint, *moves):
    x, y, _, _ = window.report()["joints"][joint]
    window.drag((x, y), moves)
    window.wait("stroke-end")
    state = window.report()
    assert not state["alarmed"], state["message"]
    return state


def choose(window, example):
    window.click("side/" + example)
    window.wait("example " + example)


def press(window, name, done):
    window.click("side/" + name)
    window.wait(done)
    state = window.report()
    assert not state["alarmed"], state["message"]
    return state


LEFT, RIGHT = "Left lower 60°", "Right lower 60°"  # the examples, and their poses


def sculpt_left(window):
    """An example of the bent left limb, chosen."""
    window.key("KP_End", "front")
    bend(window, "lower_l", "z", 60)
    window.key("Tab", "posing")
    stroke(window, "lower_l", (-3, -5), (-3, -5))
    window.key("Tab", "posing")
    choose(window, LEFT)


def example_is_mirrored_updated_and_deleted(folder):
    project = limbs(folder)
    with opened(project, (1100, 900), drawn=True) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        sculpt_left(window)
        state = press(window, "Mirror", "example-mirror")
        assert state["undo"] == f"mirror example {LEFT}" and state["message"].startswith(f"mirror example {LEFT}: example {RIGHT} in pose "), state["message"]
        assert set(state["examples"]) == {LEFT, RIGHT} and {LEFT, RIGHT} <= set(state["poses"]), state["poses"]
        assert state["groups"].keys() == {"Left lower", "Right lower"} and state["groups"]["Right lower"]["joints"] == ["lower_r"]
        source, image = (pose_of(project, name, folder) for name in (LEFT, RIGHT))
        assert_mirrored(source, image, 1e-4)
        # A second stroke on the left, and Mirror brings the right one after it.
        choose(window, LEFT)
        press(window, "Go to", "example-go")
        window.key("Tab", "posing")
        stroke(window, "lower_l", (0, 6), (0, 6))
        window.key("Tab", "posing")
        again = pose_of(project, LEFT, folder)
        assert max(math.dist(source[p], again[p]) for p in source) > 1e-3
        press(window, "Mirror", "example-mirror")
        state = window.report()
        assert set(state["examples"]) == {LEFT, RIGHT}, state["examples"]
        assert_mirrored(again, pose_of(project, RIGHT, folder), 1e-4)
        window.key("ctrl+z", "undo")
        window.report()
        assert_mirrored(source, pose_of(project, RIGHT, folder), 1e-4)
        window.key("ctrl+shift+z", "redo")
        window.report()
        # In the mirrored pose its own sculpt acts alone; muted or alone elsewhere it does not.
        choose(window, RIGHT)
        state = press(window, "Go to", "example-go")
        assert state["pose"] == RIGHT and state["examples"][RIGHT] > 0.99 and abs(state["examples"][LEFT]) < 0.01
        whole = window.picture()
        assert press(window, "Mute", "example-mute")["muted"] == [RIGHT]
        assert window.changed(whole, window.picture()) > 20
        press(window, "Mute", "example-mute")
        choose(window, LEFT)
        assert press(window, "Solo", "example-solo")["solo"] == LEFT
        assert window.changed(whole, window.picture()) > 20
        press(window, "Solo", "example-solo")
        assert window.changed(whole, window.picture()) == 0
        choose(window, RIGHT)
        state = press(window, "Delete", "example-remove")
        assert set(state["examples"]) == {LEFT} and RIGHT in state["poses"]
        window.key("ctrl+z", "undo")
        assert set(window.report()["examples"]) == {LEFT, RIGHT}
        assert window.changed(whole, window.picture()) == 0
    assert len(answer("example", project, "list")["examples"]) == 2


def update_is_mirrored_like_a_sculpt(folder):
    """Update takes what is shown at the example's own pose, here the skin without its sculpt; Mirror brings the other side after it."""
    project = limbs(folder)
    with opened(project, (1100, 900)) as window:
        sculpt_left(window)
        press(window, "Mirror", "example-mirror")
        sculpted = pose_of(project, RIGHT, folder)
        press(window, "Mute", "example-mute")
        window.click("poses/rest")
        window.wait("pose rest")
        elsewhere = window.report()
        window.click("side/Update", state=elsewhere)  # greyed: it is not the example's pose
        assert window.report()["history"] == elsewhere["history"]
        press(window, "Go to", "example-go")
        assert press(window, "Update", "example-update")["undo"] == f"update example {LEFT}"
        press(window, "Mute", "example-mute")
        source, linear = pose_of(project, LEFT, folder), pose_of(project, LEFT, folder, "linear-blend")
        assert max(math.dist(source[p], linear[p]) for p in source) < 1e-5
        press(window, "Mirror", "example-mirror")
    plain = pose_of(project, RIGHT, folder)
    assert max(math.dist(plain[p], sculpted[p]) for p in plain) > 1e-3
    assert_mirrored(pose_of(project, LEFT, folder), plain)


def rename(window, row, name, done):
    window.click(row, 3)
    window.report()
    window.click("popup/Rename")
    window.report()
    window.tool("key", "ctrl+a")
    window.write(name)
    window.wait(f"{done} {name}")


def name_without_a_side_is_mirrored_by_its_joint(folder):
    """The example of the other side is called after its joint, and found again by its pose whatever it is called; mirrored back it is the
    first one. The group is that of the other joint, or itself if it is driven by the joints of both sides."""
    with opened(limbs(folder), (1100, 1000)) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        sculpt_left(window)
        rename(window, "side/" + LEFT, "crook", "example-name")
        rename(window, "side/Left lower##group", "crooks", "group-name")
        choose(window, "crook")
        state = press(window, "Mirror", "example-mirror")
        assert state["message"].startswith(f"mirror example crook: example {RIGHT} in pose ") and set(state["examples"]) == {"crook", RIGHT}, state["message"]
        assert state["groups"] == {"crooks": {"joints": ["lower_l"], "examples": ["crook"]},
                                   "crooks-mirrored": {"joints": ["lower_r"], "examples": [RIGHT]}}, state["groups"]
        rename(window, "side/" + RIGHT, "hook", "example-name")
        for example, image in ("crook", "hook"), ("hook", "crook"):
            choose(window, example)
            state = press(window, "Mirror", "example-mirror")
            said = f"mirror example {example}: example {image} in pose ", f"mirror example {example}: nothing to change"
            assert state["message"].startswith(said) and set(state["examples"]) == {"crook", "hook"}, state["message"]
        assert state["poses"] == ["rest", "bent", LEFT, RIGHT], state["poses"]
        choose(window, "hook")
        press(window, "Delete", "example-remove")
        window.click("side/crooks##group")
        window.wait("group crooks")
        window.click("side/##group-joint")
        window.click("list/Right lower##lower_r")
        window.wait("group-joint lower_r")
        window.report()
        choose(window, "crook")
        state = press(window, "Mirror", "example-mirror")
        assert state["groups"]["crooks"] == {"joints": ["lower_l", "lower_r"], "examples": ["crook", RIGHT]}, state["groups"]


CASES = [pose_is_copied_pasted_and_mirrored, example_is_mirrored_updated_and_deleted]
LONG = [update_is_mirrored_like_a_sculpt, name_without_a_side_is_mirrored_by_its_joint]
