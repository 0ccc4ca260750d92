# SPDX-License-Identifier: GPL-3.0-or-later
"""A small character that is quickly drawn: a tube along x with an arm to either side, the two mirrored, 1 m long and 12 cm thick."""

import base64
import json
import math
import shutil
import struct
from pathlib import Path

from harness import made, sinew

LENGTH, RADIUS, RINGS, SIDES = 1.0, 0.06, 81, 24
# name, parent, place along x
JOINTS = [("root", None, 0), ("upper_l", 0, 0.02), ("lower_l", 1, 0.3), ("upper_r", 0, -0.02), ("lower_r", 3, -0.3)]
BENT = {"lower_l": (0, 0, 1.2), "lower_r": (0, 0, -1.2)}


def _points():
    """Rings around x, each closed by a point twice where nothing needs it: the ends stay open."""
    for ring in range(RINGS):
        x = LENGTH * (ring / (RINGS - 1) - 0.5)
        for side in range(SIDES):
            turn = 2 * math.pi * side / SIDES
            yield x, RADIUS * math.cos(turn), RADIUS * math.sin(turn)


def _influences(x):
    """Two joints of the side, blended over 12 cm around the elbow; the root in the middle."""
    upper, lower = (1, 2) if x > 0 else (3, 4)
    away = abs(x)
    if away < 0.02:
        return (0, upper, 0, 0), (1 - away / 0.04, away / 0.04, 0, 0)
    low = min(max((away - 0.24) / 0.12, 0), 1)
    return (upper, lower, 0, 0), (1 - low, low, 0, 0)


def _gltf():
    blob, views, accessors = bytearray(), [], []

    def add(code, kind, component, rows, bounded=False):
        data = b"".join(struct.pack("<" + code * len(row), *row) for row in rows)
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": len(data)})
        accessor = {"bufferView": len(views) - 1, "componentType": component, "count": len(rows), "type": kind}
        if bounded:
            accessor |= {"min": [min(c) for c in zip(*rows)], "max": [max(c) for c in zip(*rows)]}
        accessors.append(accessor)
        blob.extend(data + bytes(-len(data) % 4))
        return len(accessors) - 1

    points = list(_points())
    faces = []
    for ring in range(RINGS - 1):
        for side in range(SIDES):
            a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
            faces += [(a,), (b,), (b + SIDES,), (a,), (b + SIDES,), (a + SIDES,)]
    joints, weights = zip(*(_influences(x) for x, _, _ in points))
    primitive = {"attributes": {"POSITION": add("f", "VEC3", 5126, points, True), "JOINTS_0": add("B", "VEC4", 5121, joints),
                                "WEIGHTS_0": add("f", "VEC4", 5126, weights)}, "indices": add("I", "SCALAR", 5125, faces)}
    inverse = add("f", "MAT4", 5126, [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, 0, 0, 1) for _, _, x in JOINTS])
    seconds = add("f", "SCALAR", 5126, [(0,), (1,)], True)
    nodes = []
    for name, parent, x in JOINTS:
        node = {"name": name, "translation": [x - (JOINTS[parent][2] if parent is not None else 0), 0, 0]}
        children = [i for i, (_, above, _) in enumerate(JOINTS) if above == len(nodes)]
        nodes.append(node | ({"children": children} if children else {}))
    bends, samplers = [], []
    for name, (_, _, angle) in BENT.items():
        rotations = add("f", "VEC4", 5126, [(0, 0, 0, 1), (0, 0, math.sin(angle / 2), math.cos(angle / 2))])
        samplers.append({"input": seconds, "output": rotations})
        joint = [row[0] for row in JOINTS].index(name)
        bends.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": "rotation"}})
    nodes.append({"name": "limbs", "mesh": 0, "skin": 0})
    uri = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, len(JOINTS)]}], "nodes": nodes,
            "meshes": [{"name": "limbs", "primitives": [primitive]}],
            "skins": [{"joints": list(range(len(JOINTS))), "inverseBindMatrices": inverse}],
            "animations": [{"name": "bend", "samplers": samplers, "channels": bends}],
            "buffers": [{"uri": uri, "byteLength": len(blob)}], "bufferViews": views, "accessors": accessors}


def write_gltf(path):
    path.write_text(json.dumps(_gltf()))
    return path


def limbs(folder):
    """A project of it, with the pose "bent"."""
    original = Path(made().name) / "limbs.sinew"
    if not original.exists():
        sinew("import", write_gltf(original.with_suffix(".gltf")), "-o", original)
        turns = [word for name, turn in BENT.items() for word in ("--rotate", name + "=" + ",".join(map(str, turn)))]
        sinew("pose", original, "add", "bent", *turns)
    return Path(shutil.copy(original, folder / "limbs.sinew"))
