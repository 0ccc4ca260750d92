#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips, by the command line: brought from files without a mesh, under other names and axes, trimmed, renamed, removed, taken back; and
what is refused."""

import base64
import json
import math
import struct

from harness import answer, refusal, run, sinew, tiny_arm


def clips(project):
    return {row["name"]: row for row in answer("clip", project, "list")["clips"]}


def frames(project, clip, path):
    """The points of a clip at its keys."""
    sinew("export", project, "-o", path, "--clip", clip, "--method", "linear-blend")
    return path.read_bytes()[32:]


def largest_difference(first, second):
    assert len(first) == len(second), (len(first), len(second))
    return max(abs(a - b) for (a,), (b,) in zip(struct.iter_unpack("<f", first), struct.iter_unpack("<f", second)))


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def conjugate(q):
    return [-q[0], -q[1], -q[2], q[3]]


def rotated(q, v):
    return product(product(q, [*v, 0]), conjugate(q))[:3]


def motion_of(project, folder, prefix):
    """A glTF with the clips of a project and no mesh, whose joints have other names and other axes: axis j is rotated by TURN[j]."""
    exported = folder / "exported.gltf"
    sinew("export", project, "-o", exported, "--method", "linear-blend")
    document = json.loads(exported.read_text())
    blob = bytearray(base64.b64decode(document["buffers"][0]["uri"].split(",")[1]))
    axes = [[0.5, 0.5, 0.5, 0.5], [0, 0.6, 0, 0.8], [math.sqrt(0.5), 0, 0, math.sqrt(0.5)]]
    joints = document["skins"][0]["joints"]
    above = {child: node for node in joints for child in document["nodes"][node].get("children", ())}
    none = [0, 0, 0, 1]
    axis_of = {node: axes[i % len(axes)] for i, node in enumerate(joints)}

    def rows(index, width):
        view = document["bufferViews"][document["accessors"][index]["bufferView"]]
        count = document["accessors"][index]["count"]
        at = view.get("byteOffset", 0) + document["accessors"][index].get("byteOffset", 0)
        return [list(struct.unpack_from(f"<{width}f", blob, at + 4 * width * k)) for k in range(count)]

    def add(values):
        data = b"".join(struct.pack(f"<{len(row)}f", *row) for row in values)
        blob.extend(bytes(-len(blob) % 4))
        document["bufferViews"].append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        blob.extend(data)
        document["accessors"].append({"bufferView": len(document["bufferViews"]) - 1, "componentType": 5126, "count": len(values),
                                      "type": {3: "VEC3", 4: "VEC4"}[len(values[0])]})
        return len(document["accessors"]) - 1

    def rotation(node, value):
        return product(product(conjugate(axis_of.get(above.get(node), none)), value), axis_of[node])

    for node in joints:
        local = document["nodes"][node]
        local["name"] = prefix + local["name"].upper()
        local["rotation"] = rotation(node, local.get("rotation", none))
        local["translation"] = rotated(conjugate(axis_of.get(above.get(node), none)), local.get("translation", [0, 0, 0]))
    for animation in document["animations"]:
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            if path == "rotation":
                sampler["output"] = add([rotation(node, row) for row in rows(sampler["output"], 4)])
            elif path == "translation":
                inverse = conjugate(axis_of.get(above.get(node), none))
                sampler["output"] = add([rotated(inverse, row) for row in rows(sampler["output"], 3)])
    for node in document["nodes"]:
        node.pop("mesh", None), node.pop("skin", None)
    for key in ("meshes", "skins", "materials", "images", "textures", "samplers"):
        document.pop(key, None)
    document["buffers"] = [{"byteLength": len(blob), "uri": "data:application/octet-stream;base64," + base64.b64encode(blob).decode()}]
    path = folder / "motion.gltf"
    path.write_text(json.dumps(document))
    return path


def clip_of_a_renamed_rig_with_other_axes_plays_the_same_points(folder):
    project = tiny_arm(folder / "arm.sinew")
    motion = motion_of(project, folder, "rig:")
    before = clips(project)
    added = answer("clip", project, "add", motion, "--name", "new")
    assert added["matched"] == 3 and [row["name"] for row in added["clips"]] == ["new-" + name for name in before], added
    for name in before:
        difference = largest_difference(frames(project, name, folder / "a.pc2"), frames(project, "new-" + name, folder / "b.pc2"))
        print(f"{name}: {difference:.3g} m")
        assert difference < 2e-6, difference
    sinew("undo", project)
    assert clips(project) == before


def clips_are_renamed_trimmed_and_removed(folder):
    project = tiny_arm(folder / "arm.sinew")
    sinew("clip", project, "trim", "bend", "--from", 0.25, "--to", 0.75, "--name", "part")
    part = clips(project)["part"]
    assert part["seconds"] == 0.5 and part["joints"] == 2, part
    sinew("clip", project, "name", "part", "middle")
    for moment in (0, 0.2, 0.5):
        sinew("export", project, "--pose", f"bend:{moment + 0.25}", "-o", folder / "a.obj", "--method", "linear-blend")
        sinew("export", project, "--pose", f"middle:{moment}", "-o", folder / "b.obj", "--method", "linear-blend")
        assert (folder / "a.obj").read_text().splitlines()[2:] == (folder / "b.obj").read_text().splitlines()[2:], moment
    sinew("clip", project, "trim", "middle", "--to", 0.25)
    assert clips(project)["middle"]["seconds"] == 0.25
    sinew("clip", project, "remove", "middle")
    assert set(clips(project)) == {"bend", "twist", "both"}
    for _ in range(4):
        sinew("undo", project)
    assert set(clips(project)) == {"bend", "twist", "both"}
    assert "has frames of it; keep the clip, and make a new one with --name" in refusal("clip", project, "trim", "bend", "--to", 0.5)
    assert "is used by 'bend'" in refusal("clip", project, "remove", "bend")
    assert "there is already a clip named 'both'" in refusal("clip", project, "name", "twist", "both")
    assert "clip 'bend' lasts from 0 to 1 s" in refusal("clip", project, "trim", "bend", "--from", 2, "--name", "x", status=2)


BVH = """HIERARCHY
ROOT Base
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT elbow
  {
    OFFSET 30 1.5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT tail
    {
      OFFSET 0 0 10
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 5 0 0
      }
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 0 0 0 0 0 0 0 0 0 0 0
0 3 0 0 0 0 0 0 90 45 0 0
"""


def what_no_joint_takes_is_said_and_a_map_gives_names(folder):
    project = tiny_arm(folder / "arm.sinew")
    motion, names = folder / "wave.bvh", folder / "names.json"
    motion.write_text(BVH)
    result = sinew("clip", project, "add", motion)
    assert "clip wave: 1 joint that it moves is none of the character: tail" in result.stderr, result.stderr
    assert "1 of 3 joints are matched" in result.stdout, result.stdout
    assert "joints of the character that are not matched: shoulder, wrist\n" in result.stdout, result.stdout
    assert "there is already a clip named 'wave'" in refusal("clip", project, "add", motion)
    names.write_text('{"Base": "shoulder", "tail": "wrist"}')
    replaced = answer("clip", project, "add", motion, "--map", names, "--replace")
    assert replaced["matched"] == 3 and replaced["changed"] == [{"clip": "wave"}], replaced
    names.write_text('{"Base": "elbow", "tail": "elbow"}')
    assert "both become 'elbow'" in refusal("clip", project, "add", motion, "--map", names, "--replace")
    names.write_text('{"Base": "shoulder", "tail": "hand"}')
    said = refusal("clip", project, "add", motion, "--map", names, "--replace")
    assert "the character has no joint 'hand', which 'tail' is said to be; 'sinew joint P list' lists its joints" in said, said
    names.write_text('{"Base": "shoulder", "Base": "wrist"}')
    assert "'Base' is there twice" in refusal("clip", project, "add", motion, "--map", names, "--replace")
    names.write_text('{"nobody": "shoulder", "tail": "wrist"}')
    assert "1 of its joints are not in the file, such as 'nobody'" in sinew("clip", project, "add", motion, "--map", names, "--replace").stderr
    names.write_text("[1]")
    assert "expected a JSON of joint names" in refusal("clip", project, "add", motion, "--map", names, "--replace")
    motion.write_text(BVH.replace("elbow", "x1"))
    assert "none of its joints is one of the character (Base, x1, tail; here: shoulder, elbow, wrist)" in refusal("clip", project, "add", motion)
    assert "has clips but no mesh; 'sinew clip CHARACTER.sinew add" in refusal("import", motion, "-o", folder / "new.sinew")


run([
    clip_of_a_renamed_rig_with_other_axes_plays_the_same_points,
    clips_are_renamed_trimmed_and_removed,
    what_no_joint_takes_is_said_and_a_map_gives_names,
])
