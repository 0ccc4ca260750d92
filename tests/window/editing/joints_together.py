# SPDX-License-Identifier: GPL-3.0-or-later
"""Several joints rotated together, joints with limits and joints that move, and the sliders of morph targets, with the mouse and the keys;
each is one step that is undone. The command line sets the same."""

import base64
import json
import math
import shutil
import sqlite3
import struct
from contextlib import closing

from harness import answer, obj_points, refusal, sinew, write_moved_obj
from limbs import RINGS, SIDES, limbs, write_gltf
from driver import opened, pose_points, stroke

TALL = (1100, 1000)


def angles_of(line):
    return [float(word) for word in line.split()[1:4]]


def shaped(folder, others=0):
    """The limbs with a morph target "swell", which moves all points 5 cm up; and others that do the same."""
    path = write_gltf(folder / "shaped.gltf")
    document = json.loads(path.read_text())
    data = struct.pack("<3f", 0, 0, 0.05) * (RINGS * SIDES)
    document["buffers"].append({"uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(), "byteLength": len(data)})
    document["bufferViews"].append({"buffer": 1, "byteLength": len(data)})
    document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "count": RINGS * SIDES,
                                  "type": "VEC3", "min": [0, 0, 0.05], "max": [0, 0, 0.05]})
    document["meshes"][0]["primitives"][0]["targets"] = [{"POSITION": len(document["accessors"]) - 1}] * (1 + others)
    names = ["swell", *(f"other {i}" for i in range(others))]
    document["meshes"][0] |= {"extras": {"targetNames": names}, "weights": [0] * len(names)}
    path.write_text(json.dumps(document))
    sinew("import", path, "-o", folder / "shaped.sinew")
    return folder / "shaped.sinew"


def height(project, folder, pose):
    points = pose_points(project, folder, pose)
    return sum(z for _, _, z in points) / len(points)


def shape_is_set_by_its_slider_and_kept_in_the_pose(folder):
    project = shaped(folder)
    with opened(project, TALL) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        x, y, width, bar = window.report()["widgets"]["side/swell##shape"]
        window.drag((x + 2, y + bar / 2), [(width / 4, 0), (width / 4, 0)])
        line = window.wait("shape-weight ")
        assert 0.2 < float(line.split()[1]) < 0.99, line
        state = window.report()
        assert state["pose"] == "unnamed" and state["undo"] == "set morph target swell", (state["pose"], state["undo"])
        window.type_into("side/swell##shape", "1")
        window.wait("shape-weight 1 swell")
        window.report()
        assert abs(height(project, folder, "unnamed") - 0.05) < 1e-5
        window.click("side/Reset morph targets")
        window.wait("shape-weights-reset")
        window.report()
        assert abs(height(project, folder, "unnamed")) < 1e-5
        window.key("ctrl+z", "undo")
        window.report()
        assert abs(height(project, folder, "unnamed") - 0.05) < 1e-5
    sinew("pose", project, "add", "half", "--shape", "swell=0.5")
    assert abs(height(project, folder, "half") - 0.025) < 1e-5
    assert "no morph target" in refusal("pose", project, "add", "other", "--shape", "grin=1")


def filter_of_shapes_ends_with_its_character(folder):
    first = shaped(folder, others=9)
    second = shutil.copy(first, folder / "second.sinew")
    shapes = lambda: sum(name.endswith("##shape") for name in window.report()["widgets"])
    with opened(first, TALL) as window:
        assert shapes() > 5
        window.click("side/##shape-filter")
        window.write("swell")
        assert shapes() == 1
        window.key("ctrl+o", "open")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(second)
        window.wait(f"open {second}")
        assert shapes() > 5


def stroke_on_a_shape_changes_the_shape(folder):
    project = shaped(folder)
    shapes = lambda: answer("shape", project, "list")["shapes"][0]
    assert shapes() == {"name": "swell", "points": RINGS * SIDES}, shapes()
    before = blob(project)
    with opened(project, TALL) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("KP_End", "front")
        window.click("side/Edit##swell")
        window.wait("shape-edit swell")
        state = window.report()
        assert state["pose"] == "unnamed" and not state["alarmed"], (state["pose"], state["message"])
        assert abs(height(project, folder, "unnamed") - 0.05) < 1e-5
        window.key("Tab", "posing")
        window.report()
        state = stroke(window, joint="upper_l", brush="Inflate")
        assert state["undo"] == "sculpt morph target swell" and state["groups"] == {} and not state["alarmed"], (state["undo"], state["message"])
        changed = blob(project)
        assert changed != before
        window.key("ctrl+z", "undo")
        window.report()
        assert blob(project) == before
        window.key("ctrl+shift+z", "redo")
        window.report()
        assert blob(project) == changed
    # The rest is as it was; a file replaces the shape.
    assert abs(height(project, folder, "rest")) < 1e-6
    sinew("pose", project, "add", "on", "--shape", "swell=1")
    sinew("export", project, "-o", folder / "on.obj", "--pose", "on")
    write_moved_obj(folder / "on.obj", folder / "raised.obj", lambda p: (0, 0, 0.1))
    answer("shape", project, "edit", "swell", "--file", folder / "raised.obj")
    raised = pose_points(project, folder, "on")
    assert max(math.dist(p, q) for p, q in zip(raised, obj_points(folder / "raised.obj"))) < 1e-5
    sinew("undo", project)
    assert blob(project) == changed
    assert "'grin'" in refusal("shape", project, "edit", "grin", "--file", folder / "raised.obj")


def shape_is_edited_in_a_pose_of_its_own(folder):
    """Showing a shape changes no pose that is in view, and strokes in another pose of that shape do not change it."""
    project = shaped(folder)
    sinew("pose", project, "add", "bent", "--rotate", "lower_l=0,0,1")
    sinew("pose", project, "add", "on", "--shape", "swell=1")
    before = blob(project), pose_points(project, folder, "bent")
    with opened(project, TALL) as window:
        window.click("poses/bent")
        window.wait("pose bent")
        window.click("side/Edit##swell")
        window.wait("shape-edit swell")
        assert window.report()["pose"] == "unnamed"
        assert pose_points(project, folder, "bent") == before[1]
        window.click("poses/on")
        window.wait("pose on")
        window.key("KP_End", "front")
        window.key("Tab", "posing")
        window.report()
        state = stroke(window, joint="upper_l", brush="Inflate")
        assert state["undo"] == "show a morph target", (state["undo"], state["message"])
    assert blob(project) == before[0]


def blob(project):
    """The shape's bytes."""
    with closing(sqlite3.connect(project)) as database:
        return database.execute("SELECT points, vectors FROM morph").fetchone()


def rotation(project, folder, pose, before, after):
    """The angle of a part of the left arm about z, from where its points at rest at two places along x go."""
    rest, posed = pose_points(project, folder, "rest"), pose_points(project, folder, pose)

    def middle(x):
        near = [q for p, q in zip(rest, posed) if abs(p[0] - x) < 0.01]
        return [sum(q[c] for q in near) / len(near) for c in (0, 1)]

    (x0, y0), (x1, y1) = middle(before), middle(after)
    return math.degrees(math.atan2(y1 - y0, x1 - x0))


def selected_joints_rotate_together(folder):
    project = limbs(folder)
    with opened(project, TALL) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("KP_End", "front")
        window.click_joint("upper_l")
        x, y, _, _ = window.report()["joints"]["lower_l"]
        window.point(x, y)
        window.tool("keydown", "ctrl", "click", 1)
        window.wait("joint-also lower_l")
        window.tool("keyup", "ctrl")
        window.type_into("side/z##rotation", "30")
        window.wait("rotate ")
        state = window.report()
        assert state["undo"] == "rotate upper_l and 1 other", state["undo"]
        # The upper arm turned by 30°, the lower one by 30° more.
        assert abs(rotation(project, folder, "unnamed", 0.06, 0.2) - 30) < 0.5
        assert abs(rotation(project, folder, "unnamed", 0.4, 0.48) - 60) < 0.5
        window.key("ctrl+z", "undo")
        assert window.report()["pose"] == "rest"
        # By a ring.
        gx, gy, radius, _ = window.report()["gizmo"]
        far, near = round(0.707 * radius), round(0.293 * radius)
        window.drag((gx + far, gy - far), [(-far, -near), (-far, near)])
        angle = angles_of(window.wait("rotate "))[2]
        window.report()
        low = rotation(project, folder, "unnamed", 0.4, 0.48)
        assert abs((low - 2 * angle + 180) % 360 - 180) < 1.5, (angle, low)
        window.click("outliner/lower_r")  # a plain click selects one joint alone
        window.wait("joint lower_r")
        window.type_into("side/z##rotation", "20")
        window.wait("rotate ")
        assert window.report()["undo"] == "rotate lower_r"


def limit_holds_in_numbers_rings_and_reach(folder):
    project = limbs(folder)
    with opened(project, TALL) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        window.key("KP_End", "front")
        window.click_joint("lower_l")
        line = window.drag_number("side/Limit##joint", 60, "joint-limit ")
        assert 40 < float(line.split()[1]) <= 60 and window.report()["undo"] == "limit joint lower_l", line
        window.key("ctrl+z", "undo")
        window.type_into("side/Limit##joint", "40")
        window.wait("joint-limit 40 lower_l")
        assert window.report()["undo"] == "limit joint lower_l"
        window.type_into("side/z##rotation", "90")
        window.wait("rotate ")
        window.report()
        assert abs(rotation(project, folder, "unnamed", 0.4, 0.48) - 40) < 0.5
        # By a ring: a quarter turn.
        window.key("ctrl+z", "undo")
        assert window.report()["pose"] == "rest"
        gx, gy, radius, _ = window.report()["gizmo"]
        far, near = round(0.707 * radius), round(0.293 * radius)
        window.drag((gx + far, gy - far), [(-far, -near), (-far, near)])
        window.wait("rotate ")
        window.report()
        assert abs(rotation(project, folder, "unnamed", 0.4, 0.48) - 40) < 0.5
        # By inverse kinematics: the upper arm turns to bring the lower joint up, by 25° at most.
        window.key("ctrl+z", "undo")
        window.click_joint("upper_l")
        window.type_into("side/Limit##joint", "25")
        window.wait("joint-limit 25 upper_l")
        state = window.report()
        x, y, _, _ = state["joints"]["lower_l"]
        length = x - state["joints"]["upper_l"][0]
        window.drag((x, y), [(-0.1 * length, -0.45 * length), (-0.2 * length, -0.45 * length)], "shift")  # about 50°
        window.wait("reach ")
        state = window.report()
        assert state["undo"] == "drag lower_l" and not state["alarmed"], (state["undo"], state["message"])
        assert abs(rotation(project, folder, "unnamed", 0.06, 0.2) - 25) < 0.5
    joints = {row["name"]: row for row in answer("joint", project, "list")["joints"]}
    assert abs(joints["lower_l"]["limit_degrees"] - 40) < 1e-9 and joints["lower_r"]["limit_degrees"] == 0
    assert "limit of 40 degrees" in sinew("pose", project, "add", "far", "--rotate", "lower_l=0,0,1.5").stderr
    assert abs(rotation(project, folder, "far", 0.4, 0.48) - 40) < 0.5
    sinew("joint", project, "limit", "lower_l", 0)
    sinew("pose", project, "set", "far", "--rotate", "lower_l=0,0,1.5")
    assert abs(rotation(project, folder, "far", 0.4, 0.48) - math.degrees(1.5)) < 0.5
    assert "0: no limit" in refusal("joint", project, "limit", "lower_l", "much", status=2)


def joint_moves_where_it_may(folder):
    project = limbs(folder)
    with opened(project, TALL) as window:
        window.click("poses/rest")
        window.wait("pose rest")
        window.click("outliner/lower_l")
        window.wait("joint lower_l")
        assert "side/x##move" not in window.report()["widgets"]
        window.click("side/Joint may move")
        window.wait("joint-moves")
        window.type_into("side/x##move", "100")
        window.wait("translate 10 0 0 lower_l")
        state = window.report()
        assert state["undo"] == "move lower_l" and not state["alarmed"], (state["undo"], state["message"])
        assert abs(max(x for x, _, _ in pose_points(project, folder, "unnamed")) - 0.6) < 1e-5
        window.key("ctrl+z", "undo")
        window.key("ctrl+z", "undo")
        assert "side/x##move" not in window.report()["widgets"]
    assert "only rotates" in refusal("pose", project, "add", "far", "--move", "lower_l=0.1,0,0")
    sinew("joint", project, "moves", "lower_l", "on")
    sinew("pose", project, "add", "far", "--move", "lower_l=0.1,0,0")
    assert abs(max(x for x, _, _ in pose_points(project, folder, "far")) - 0.6) < 1e-5


CASES = [shape_is_set_by_its_slider_and_kept_in_the_pose, filter_of_shapes_ends_with_its_character,
         stroke_on_a_shape_changes_the_shape, shape_is_edited_in_a_pose_of_its_own, selected_joints_rotate_together,
         limit_holds_in_numbers_rings_and_reach, joint_moves_where_it_may]
