#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters beyond what engines play: more joints are refused with the bake that is within the limit, and written after it; weights of
shapes beyond 0 to 1 are written as two sides.

usage: engine_limits.py SINEW"""

import base64
import json
import math
import re
import struct
import sys
from pathlib import Path

from harness import LONG, answer, refusal, run, sinew
from sequence import read_pc2

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data"))
from make import Document  # noqa: E402 pylint: disable=wrong-import-position

JOINTS, KEYS, SIDES = 257, 5, 3


def write_worm(path):
    """A tube along a chain of joints, which waves."""
    document = Document()
    corners = [(0.1 * math.cos(2 * k * math.pi / SIDES), 0.1 * math.sin(2 * k * math.pi / SIDES)) for k in range(SIDES)]
    points = [(0.1 * j, y, z) for j in range(JOINTS + 1) for y, z in corners]
    pairs = [(max(j - 1, 0), min(j, JOINTS - 1)) for j in range(JOINTS + 1) for _ in corners]
    squares = [(SIDES * j + k, SIDES * j + (k + 1) % SIDES) for j in range(JOINTS) for k in range(SIDES)]
    attributes = {"POSITION": document.floats("VEC3", points, bounded=True),
                  "JOINTS_0": document.add("VEC4", 5123, [(a, b, 0, 0) for a, b in pairs]),
                  "WEIGHTS_0": document.floats("VEC4", [(0.3, 0.7, 0, 0) if a != b else (1, 0, 0, 0) for a, b in pairs])}
    indices = document.add("SCALAR", 5125, [(i,) for a, b in squares for i in (a, b, a + SIDES, b, b + SIDES, a + SIDES)])
    binds = document.floats("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.1 * j, 0, 0, 1) for j in range(JOINTS)])
    times = document.floats("SCALAR", [(k / 10,) for k in range(KEYS)], bounded=True)
    samplers = []
    for j in range(JOINTS):
        angles = [0.02 * math.sin(0.3 * j) * math.sin(0.6 * k) for k in range(KEYS)]
        samplers.append({"input": times, "output": document.floats("VEC4", [(0, 0, math.sin(a), math.cos(a)) for a in angles])})
    nodes = [{"name": f"j{j}", "translation": [0.1 if j else 0, 0, 0], **({"children": [j + 1]} if j + 1 < JOINTS else {})}
             for j in range(JOINTS)]
    path.write_bytes(document.gltf({
        "scenes": [{"nodes": [0, JOINTS]}], "nodes": [*nodes, {"mesh": 0, "skin": 0, "name": "worm"}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
        "skins": [{"joints": list(range(JOINTS)), "inverseBindMatrices": binds}],
        "animations": [{"name": "wave", "samplers": samplers, "channels": [
            {"sampler": j, "target": {"node": j, "path": "rotation"}} for j in range(JOINTS)]}]}))


def too_many_joints_are_refused_with_the_bake_that_helps(folder):
    project = folder / "worm.sinew"
    write_worm(folder / "worm.gltf")
    sinew("import", folder / "worm.gltf", "-o", project)
    line = refusal("export", project, "-o", folder / "worm.glb", "--for", "bevy")
    assert "Bevy plays 256" in line and not (folder / "worm.glb").exists(), line
    assert answer("export", project, "-o", folder / "worm.glb", "--for", "babylon")["engine"] == "babylon"
    (folder / "worm.glb").unlink()
    line = refusal("export", project, "-o", folder / "worm.glb")
    budget, = re.findall(r"'sinew bake P.sinew --budget (\S+)'", line)
    assert budget == "influences=4,joints=255,morphs=0", line
    if not LONG:
        return
    sinew("bake", project, "--budget", budget)
    reported = answer("export", project, "-o", folder / "worm.glb")
    assert (folder / "worm.glb").exists() and reported["max_percent"] < 0.1, reported


def write_face(path, weights):
    """A grid with two shapes; the clip has weights of both at each second."""
    document = Document()
    points = [(x / 4, y / 4, 0) for y in range(5) for x in range(5)]
    faces = [(i,) for y in range(4) for x in range(4) for a in [5 * y + x] for i in (a, a + 1, a + 6, a, a + 6, a + 5)]
    targets = [{"POSITION": document.floats("VEC3", rows, True)}
               for rows in ([(0, 0, 0.3 * y * y) for _, y, _ in points], [(0.4 * (x - 0.25), 0, 0) for x, _, _ in points])]
    primitive = {"attributes": {"POSITION": document.floats("VEC3", points, True)}, "indices": document.add("SCALAR", 5123, faces),
                 "targets": targets}
    times = document.floats("SCALAR", [(float(k),) for k in range(len(weights))], bounded=True)
    values = document.floats("SCALAR", [(w,) for pair in weights for w in pair])
    path.write_bytes(document.gltf({
        "scenes": [{"nodes": [0]}], "nodes": [{"name": "face", "mesh": 0}],
        "meshes": [{"name": "face", "primitives": [primitive], "extras": {"targetNames": ["smile", "blink"]}}],
        "animations": [{"name": "talk", "samplers": [{"input": times, "output": values}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}]}))


def written_weights(path):
    """The names of the shapes of a glTF, and the least and the largest weight in its clip."""
    document = json.loads(path.read_text())
    accessor = document["accessors"][document["animations"][0]["samplers"][0]["output"]]
    view, uri = document["bufferViews"][accessor["bufferView"]], document["buffers"][0]["uri"]
    data = base64.b64decode(uri.split(",")[1]) if uri.startswith("data:") else (path.parent / uri).read_bytes()
    values = struct.unpack_from(f"<{accessor['count']}f", data, view.get("byteOffset", 0) + accessor.get("byteOffset", 0))
    return document["meshes"][0]["extras"]["targetNames"], min(values), max(values)


def frames_of(project, folder):
    sinew("export", project, "--clip", "talk", "--fps", 8, "-o", folder / "talk.pc2")
    return read_pc2(folder / "talk.pc2")


def shapes_of_a_face_that_engines_would_clamp_have_two_sides(folder):
    """As weights that a pose drives. What an engine does with the file is what the clip was."""
    project, file, back = folder / "face.sinew", folder / "face.gltf", folder / "back.sinew"
    write_face(folder / "face-import.gltf", [(0, 0), (1.4, 0.2), (-0.3, 1), (0.5, 0)])
    sinew("import", folder / "face-import.gltf", "-o", project)
    for words, names, least, most in (((), ["smile +", "smile -", "blink"], 0, 1), (("--for", "vrm"), ["smile +", "smile -", "blink"], 0, 1),
                                      (("--for", "three"), ["smile", "blink"], -0.3, 1.4)):
        reported = answer("export", project, "-o", file, *words)
        found = written_weights(file)
        assert found[0] == names and abs(found[1] - least) < 1e-6 and abs(found[2] - most) < 1e-6, (words, found)
        assert reported["max_percent"] < 0.01, reported
        sinew("import", file, "-o", back, "--replace")
        apart = max(math.dist(a, b) for mine, theirs in zip(frames_of(project, folder), frames_of(back, folder), strict=True) for a, b in zip(mine, theirs))
        assert apart < 1e-3, (words, apart)
    sinew("export", project, "-o", file)
    extras = json.loads(file.read_text())["meshes"][0]["extras"]["sinew"]
    assert [(side["target"], side["shape"]) for side in extras["sides"]] == [("smile", "smile +"), ("smile", "smile -")], extras
    assert [round(side["reach"], 6) for side in extras["sides"]] == [1.4, -0.3], extras


def shapes_within_what_engines_play_keep_their_tracks(folder):
    """Beyond 0 to 1 by the noise of a captured face, too."""
    project, file = folder / "face.sinew", folder / "face.gltf"
    for noise in 0, 0.0015:
        write_face(folder / "face-import.gltf", [(-noise, 0), (1 + noise, 0.2), (0.3, 1)])
        sinew("import", folder / "face-import.gltf", "-o", project, "--replace")
        sinew("export", project, "-o", file)
        assert written_weights(file)[0] == ["smile", "blink"], noise
        document = json.loads(file.read_text())
        assert document["accessors"][document["animations"][0]["samplers"][0]["output"]]["count"] == 6, "sampled"


run([too_many_joints_are_refused_with_the_bake_that_helps, shapes_of_a_face_that_engines_would_clamp_have_two_sides,
     shapes_within_what_engines_play_keep_their_tracks],
    long=[too_many_joints_are_refused_with_the_bake_that_helps])
