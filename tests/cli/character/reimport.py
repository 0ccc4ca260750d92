#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character that was changed in another program is imported again: sculpts, groups and layers are kept, or the error says what differs."""

import functools
import json
import math
import shutil
import struct
from pathlib import Path

from harness import LONG, answer, made, obj_points, refusal, run, sinew, steps, tiny_arm, write_moved_obj


def read_glb(path):
    bytes_ = path.read_bytes()
    length = struct.unpack_from("<I", bytes_, 12)[0]
    return json.loads(bytes_[20:20 + length]), bytearray(bytes_[28 + length:])


def write_glb(path, document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    path.write_bytes(struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(binary)) +
                     struct.pack("<II", len(text), 0x4E4F534A) + text +
                     struct.pack("<II", len(binary), 0x004E4942) + bytes(binary))


def place_of(document, accessor):
    """Offset, stride and count of an accessor's elements."""
    a = document["accessors"][accessor]
    view = document["bufferViews"][a["bufferView"]]
    size = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]] * {5121: 1, 5123: 2, 5125: 4, 5126: 4}[a["componentType"]]
    return view.get("byteOffset", 0) + a.get("byteOffset", 0), view.get("byteStride", size), a["count"]


def attribute(document, name):
    return document["meshes"][0]["primitives"][0]["attributes"][name]


FILES = "arm.glb", "p.sinew", "posed.obj", "sculpt.obj"


def sculpted_arm(folder):
    """Copies of the arm as a .glb, and of a project of it with a bulge sculpted at a bent elbow and fitted."""
    make_sculpted_arm()
    glb, project, _, sculpt = (Path(shutil.copy(Path(made().name) / name, folder)) for name in FILES)
    return glb, project, sculpt


@functools.cache
def make_sculpted_arm():
    folder = Path(made().name)
    glb, project, posed, sculpt = (folder / name for name in FILES)
    tiny_arm(folder / "arm.sinew")
    sinew("export", folder / "arm.sinew", "--method", "linear-blend", "-o", glb)
    sinew("import", glb, "-o", project)
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1.2")
    sinew("export", project, "--pose", "bent", "-o", posed)
    points = obj_points(posed)
    middle = points[len(points) // 2]
    write_moved_obj(posed, sculpt,
                    lambda p: (0, 0.03 * math.exp(-sum((a - b) ** 2 for a, b in zip(p, middle)) / 0.01), 0))
    sinew("example", project, "add", "--name", "bent", "--pose", "bent", "--file", sculpt)
    sinew("fit", "inverse-psd", project)


def example_error(project):
    return next(row["erms"] for row in answer("measure", project)["errors"]
                if row["against"] == "examples" and row["method"] == "stack")


def changed(glb, path, change):
    document, binary = read_glb(glb)
    change(document, binary)
    write_glb(path, document, binary)
    return path


def same_file_again_changes_nothing(folder):
    glb, project, _ = sculpted_arm(folder)
    before = answer("history", project)["history"]
    said = answer("reimport", project, glb)
    assert said["joints_moved"] == said["points_moved"] == said["skins_changed"] == said["examples_moved"] == 0, said
    assert said["clips_renewed"] == 3 and said["examples"] == 1
    assert answer("history", project)["history"] == before


def reverse_nodes(document, _):
    count = len(document["nodes"])
    reversed_index = lambda i: count - 1 - i
    document["nodes"].reverse()
    for node in document["nodes"]:
        if "children" in node:
            node["children"] = [reversed_index(i) for i in node["children"]]
    for scene in document["scenes"]:
        scene["nodes"] = [reversed_index(i) for i in scene["nodes"]]
    for skin in document["skins"]:
        skin["joints"] = [reversed_index(i) for i in skin["joints"]]
        if "skeleton" in skin:
            skin["skeleton"] = reversed_index(skin["skeleton"])
    for animation in document["animations"]:
        for channel in animation["channels"]:
            channel["target"]["node"] = reversed_index(channel["target"]["node"])


def joints_in_another_order_keep_the_sculpt(folder):
    glb, project, _ = sculpted_arm(folder)
    said = answer("reimport", project, changed(glb, folder / "turned.glb", reverse_nodes))
    assert said["joints_added"] == said["joints_gone"] == said["joints_moved"] == said["examples_moved"] == 0, said
    assert example_error(project) < 1e-3
    while answer("history", project)["history"][1]["undone"] is False:
        sinew("undo", project)


def shift_weights(document, binary):
    """A tenth of every weight that is neither nothing nor all goes to the point's other joint."""
    offset, stride, count = place_of(document, attribute(document, "WEIGHTS_0"))
    for i in range(count):
        weights = list(struct.unpack_from("<4f", binary, offset + i * stride))
        if 0.05 < weights[0] < 0.95:
            share = 0.1 * weights[0]
            weights[0] -= share
            weights[1] += share
        struct.pack_into("<4f", binary, offset + i * stride, *weights)


def new_weights_leave_the_sculpt_as_sculpted(folder):
    glb, project, sculpt = sculpted_arm(folder)
    said = answer("reimport", project, changed(glb, folder / "weights.glb", shift_weights))
    assert said["skins_changed"] == 1 and said["examples_moved"] == 0 and said["points_moved"] == 0, said
    assert said["refitted"] == ["inverse-psd"], said
    assert example_error(project) < 1e-3
    sinew("export", project, "--pose", "bent", "-o", folder / "now.obj")
    wanted, found = obj_points(sculpt), obj_points(folder / "now.obj")
    posed = obj_points(folder / "posed.obj")
    edited = [i for i in range(len(wanted)) if math.dist(wanted[i], posed[i]) > 1e-3]
    assert len(edited) > 50
    assert max(math.dist(wanted[i], found[i]) for i in edited) < 1e-5
    sinew("undo", project)
    assert [row["undone"] for row in answer("history", project)["history"]][-2:] == [False, True]
    assert example_error(project) < 1e-3


def widen(document, binary):
    """Everything twice as large: points, joints, binds, and the translations of clips."""
    offset, stride, count = place_of(document, attribute(document, "POSITION"))
    for i in range(count):
        point = struct.unpack_from("<3f", binary, offset + i * stride)
        struct.pack_into("<3f", binary, offset + i * stride, *(2 * x for x in point))
    accessor = document["accessors"][attribute(document, "POSITION")]
    accessor["min"] = [2 * x for x in accessor["min"]]
    accessor["max"] = [2 * x for x in accessor["max"]]
    for node in document["nodes"]:
        if "translation" in node:
            node["translation"] = [2 * x for x in node["translation"]]
    offset, stride, count = place_of(document, document["skins"][0]["inverseBindMatrices"])
    for i in range(count):
        matrix = list(struct.unpack_from("<16f", binary, offset + i * stride))
        matrix[12:15] = [2 * x for x in matrix[12:15]]
        struct.pack_into("<16f", binary, offset + i * stride, *matrix)
    for animation in document["animations"]:
        for channel in animation["channels"]:
            if channel["target"]["path"] == "translation":
                raise AssertionError("the arm's clips only turn")


def sculpt_follows_a_rig_that_moved(folder):
    glb, project, sculpt = sculpted_arm(folder)
    said = answer("reimport", project, changed(glb, folder / "wide.glb", widen))
    assert said["joints_moved"] > 0 and said["points_moved"] > 0 and said["examples_moved"] == 1, said
    assert said["refitted"] == ["inverse-psd"], said
    sinew("export", project, "--pose", "bent", "-o", folder / "now.obj")
    sinew("export", project, "--pose", "bent", "--method", "linear-blend", "-o", folder / "below.obj")
    wanted, posed = obj_points(sculpt), obj_points(folder / "posed.obj")
    found, below = obj_points(folder / "now.obj"), obj_points(folder / "below.obj")
    for w, p, f, b in zip(wanted, posed, found, below):
        assert math.dist([x - y for x, y in zip(w, p)], [x - y for x, y in zip(f, b)]) < 1e-4


def drop_a_face(document, _):
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["indices"]]
    accessor["count"] -= 3


def rename_the_elbow(document, _):
    next(node for node in document["nodes"] if node.get("name") == "elbow")["name"] = "knee"


def incompatible_character_is_refused_with_the_difference(folder):
    glb, project, _ = sculpted_arm(folder)
    before = project.read_bytes()
    assert "joint P name elbow" in refusal("reimport", project, changed(glb, folder / "joint.glb", rename_the_elbow))
    (folder / "broken.glb").write_bytes(glb.read_bytes()[:1000])
    assert "broken.glb" in refusal("reimport", project, folder / "broken.glb")
    refusal("reimport", project, folder / "missing.glb")
    assert project.read_bytes() == before
    assert sorted(path.name for path in folder.iterdir() if "tmp" in path.name or path.name.startswith(".")) == []


def other_faces_are_taken_where_nothing_needs_the_points(folder):
    """Binding layers follow the new weights."""
    project, wide, arm = (folder / name for name in ("p.sinew", "wide.glb", "finer.sinew"))
    tiny_arm(arm)
    steps(arm, "example remove elbow-130", "example remove wrist-150")
    sinew("export", arm, "--method", "linear-blend", "-o", folder / "arm.glb")
    sinew("mesh", arm, "subdivide")
    sinew("export", arm, "--weights", "exact", "-o", wide)
    sinew("import", folder / "arm.glb", "-o", project)
    posed = "stack add dual-quaternion", "pose add bent --rotate elbow=0,0,1.2"
    steps(project, *posed)
    before = answer("info", project)["meshes"][0]["points"]
    said = answer("reimport", project, wide)
    assert said["meshes_replaced"] == 1 and said["meshes_added"] == said["meshes_gone"] == 0, said
    assert [row["name"] for row in answer("stack", project, "list")["layers"] if not row["muted"]] == ["dual-quaternion"]
    sinew("import", wide, "-o", folder / "new.sinew")
    steps(folder / "new.sinew", *posed)
    found, wanted = (obj_points(sinew("export", path, "--pose", "bent", "-o", path.with_suffix(".obj")) and path.with_suffix(".obj"))
                     for path in (project, folder / "new.sinew"))
    assert len(found) == len(wanted) > 3 * before and max(map(math.dist, found, wanted)) < 1e-6
    if not LONG:
        return
    sinew("undo", project)
    assert answer("info", project)["meshes"][0]["points"] == before
    sinew("export", project, "--pose", "bent", "-o", folder / "posed.obj")
    sinew("example", project, "add", "--name", "mine", "--pose", "bent", "--file", folder / "posed.obj")
    said = answer("reimport", project, wide)
    assert said["meshes_remeshed"] == said["examples"] == 1 and said["meshes_replaced"] == 0, said


def stack_errors(project):
    return {row["against"]: row["erms"] for row in answer("measure", project)["errors"] if row["method"] == "stack"}


def work_on_a_mesh_follows_other_faces(folder):
    """Sculpts, targets and a fitted corrective, to the nearest places of a mesh with four times the faces; and back with one undo."""
    project, finer, wide = (folder / name for name in ("p.sinew", "finer.sinew", "wide.glb"))
    tiny_arm(project)
    tiny_arm(finer)
    sinew("mesh", finer, "subdivide")
    sinew("export", finer, "--method", "linear-blend", "-o", wide)
    sinew("fit", "pose-regression", project, "--set", "displacements=6")
    sinew("fit", "inverse-psd", project)
    before, points = stack_errors(project), answer("info", project)["meshes"][0]["points"]
    said = answer("reimport", project, wide)
    assert said["meshes_remeshed"] == 1 and said["targets_resampled"] == 3 and said["points_without_partner"] == 0, said
    assert said["refitted"] == ["inverse-psd"], said
    assert answer("info", project)["meshes"][0]["points"] > 3 * points
    after = stack_errors(project)
    assert after.keys() == before.keys() and after["examples"] < 1e-3, after
    assert all(abs(after[name] - before[name]) < 0.1 * before[name] for name in before if name != "examples"), (before, after)
    assert not any(row["stale"] for row in answer("stack", project, "list")["layers"])
    sinew("undo", project)
    assert stack_errors(project) == before
    if not LONG:
        return
    sinew("fit", "rotational-regression", project, "--set", "proxies=0", "--clip", "bend", "--frames", "every:12")
    why = refusal("reimport", project, wide)
    assert "layer 'rotational-regression' cannot follow" in why and "a gradient for each triangle" in why, why


def dropped_face_keeps_the_sculpt(folder):
    glb, project, _ = sculpted_arm(folder)
    said = answer("reimport", project, changed(glb, folder / "face.glb", drop_a_face))
    assert said["meshes_remeshed"] == 1 and said["points_moved"] == 0, said
    assert example_error(project) < 1e-3


run([other_faces_are_taken_where_nothing_needs_the_points, same_file_again_changes_nothing,
     joints_in_another_order_keep_the_sculpt, new_weights_leave_the_sculpt_as_sculpted,
     sculpt_follows_a_rig_that_moved, work_on_a_mesh_follows_other_faces, dropped_face_keeps_the_sculpt,
     incompatible_character_is_refused_with_the_difference],
    long=[other_faces_are_taken_where_nothing_needs_the_points, work_on_a_mesh_follows_other_faces])
