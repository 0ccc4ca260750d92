#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character with more joints than engines play: refused with the bake that is within the limit, and written after it."""

import math
import re
import sys
from pathlib import Path

from harness import answer, refusal, run, sinew

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data"))
from make import Document  # noqa: E402 pylint: disable=wrong-import-position

JOINTS, KEYS = 260, 8


def write_worm(path):
    """A square tube along a chain of joints, which waves."""
    document = Document()
    corners = [(0.1 * math.cos(k * math.pi / 2), 0.1 * math.sin(k * math.pi / 2)) for k in range(4)]
    points = [(0.1 * j, y, z) for j in range(JOINTS + 1) for y, z in corners]
    pairs = [(max(j - 1, 0), min(j, JOINTS - 1)) for j in range(JOINTS + 1) for _ in corners]
    squares = [(4 * j + k, 4 * j + (k + 1) % 4) for j in range(JOINTS) for k in range(4)]
    attributes = {"POSITION": document.floats("VEC3", points, bounded=True),
                  "JOINTS_0": document.add("VEC4", 5123, [(a, b, 0, 0) for a, b in pairs]),
                  "WEIGHTS_0": document.floats("VEC4", [(0.3, 0.7, 0, 0) if a != b else (1, 0, 0, 0) for a, b in pairs])}
    indices = document.add("SCALAR", 5125, [(i,) for a, b in squares for i in (a, b, a + 4, b, b + 4, a + 4)])
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
    sinew("bake", project, "--budget", budget)
    reported = answer("export", project, "-o", folder / "worm.glb")
    assert (folder / "worm.glb").exists() and reported["max_percent"] < 0.1, reported


run([too_many_joints_are_refused_with_the_bake_that_helps])
