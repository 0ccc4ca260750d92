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
BORDER = 0.3  # where the limbs are divided
BENT = {"lower_l": (0, 0, 1.2), "lower_r": (0, 0, -1.2)}


def _points(begin, end, radius, rings):
    """Rings around x, each closed by a point twice where nothing needs it: the ends stay open."""
    for ring in range(rings):
        x = begin + (end - begin) * ring / (rings - 1)
        for side in range(SIDES):
            angle = 2 * math.pi * side / SIDES
            yield x, radius * math.cos(angle), radius * math.sin(angle)


def _influences(x):
    """Two joints of the side, blended over 12 cm around the elbow; the root in the middle."""
    upper, lower = (1, 2) if x > 0 else (3, 4)
    away = abs(x)
    if away < 0.02:
        return (0, upper, 0, 0), (1 - away / 0.04, away / 0.04, 0, 0)
    low = min(max((away - 0.24) / 0.12, 0), 1)
    return (upper, lower, 0, 0), (1 - low, low, 0, 0)


def _gltf(dressed, waves, divided=False, rough=0, offset=0):
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

    def tube(name, begin, end, radius, rings, split=False):
        """Split: each face has points of its own, as hard edges and texture seams give a mesh."""
        points = list(_points(begin, end, radius, rings))
        faces = []
        for ring in range(rings - 1):
            for side in range(SIDES):
                a, b = ring * SIDES + side, ring * SIDES + (side + 1) % SIDES
                faces += [(a,), (b,), (b + SIDES,), (a,), (b + SIDES,), (a + SIDES,)]
        if split:
            points, faces = [points[corner] for (corner,) in faces], [(corner,) for corner in range(len(faces))]
        joints, weights = zip(*(_influences(x) for x, _, _ in points))
        points = [(x + offset + rough * math.sin(i), y, z) for i, (x, y, z) in enumerate(points)]
        attributes = {"POSITION": add("f", "VEC3", 5126, points, True), "JOINTS_0": add("B", "VEC4", 5121, joints),
                      "WEIGHTS_0": add("f", "VEC4", 5126, weights)}
        return {"name": name, "primitives": [{"attributes": attributes, "indices": add("I", "SCALAR", 5125, faces)}]}

    meshes = [tube("limbs", -LENGTH / 2, LENGTH / 2, RADIUS, RINGS)] if not divided else [
        tube("limbs", -LENGTH / 2, BORDER, RADIUS, 65, split=True), tube("hand", BORDER, LENGTH / 2, RADIUS, 17)]
    if dressed:
        meshes.append(tube("sleeve", 0.2, 0.4, 1.4 * RADIUS, 17))
    if dressed == "both":
        meshes.append(tube("right sleeve", -0.2, -0.4, 1.4 * RADIUS, 17))
    if dressed == "rings":
        meshes += [tube(f"ring-{i}", 0.28, 0.32, (1.5 + 0.1 * i) * RADIUS, 3) for i in range(12)]
    inverse = add("f", "MAT4", 5126, [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -offset - x, 0, 0, 1) for _, _, x in JOINTS])
    shares = {0: 0, 0.2: 0, 0.25: 1, 0.3: 0, 1: 0} if waves else {0: 0, 1: 1}  # of the clip's angles, by time
    seconds = add("f", "SCALAR", 5126, [(time,) for time in shares], True)
    nodes = []
    for name, parent, x in JOINTS:
        node = {"name": name, "translation": [x - (JOINTS[parent][2] if parent is not None else -offset), 0, 0]}
        children = [i for i, (_, above, _) in enumerate(JOINTS) if above == len(nodes)]
        nodes.append(node | ({"children": children} if children else {}))
    bends, samplers = [], []
    for name, angle in {"upper_l": -1.5, "upper_r": 1.5}.items() if waves else ((name, vector[2]) for name, vector in BENT.items()):
        halves = [share * angle / 2 for share in shares.values()]
        rotations = add("f", "VEC4", 5126, [(0, 0, math.sin(half), math.cos(half)) for half in halves])
        samplers.append({"input": seconds, "output": rotations})
        joint = [row[0] for row in JOINTS].index(name)
        bends.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": "rotation"}})
    first = len(nodes)
    nodes += [{"name": mesh["name"], "mesh": i, "skin": 0} for i, mesh in enumerate(meshes)]
    uri = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, *range(first, len(nodes))]}], "nodes": nodes, "meshes": meshes,
            "skins": [{"joints": list(range(len(JOINTS))), "inverseBindMatrices": inverse}],
            "animations": [{"name": "bend", "samplers": samplers, "channels": bends}],
            "buffers": [{"uri": uri, "byteLength": len(blob)}], "bufferViews": views, "accessors": accessors}


def write_gltf(path, dressed=False, waves=False, divided=False, rough=0, offset=0):
    """With a second mesh, "sleeve", a third on the right ("both"), or twelve rings ("rings"); or with a clip in which the arms hang down for a moment instead of bending; or in two meshes; or with points that
    are nearly, but not quite, the reflections of each other; or with its middle beside x = 0."""
    path.write_text(json.dumps(_gltf(dressed, waves, divided, rough, offset)))
    return path


def limbs(folder, dressed=False, divided=False, rough=0, offset=0):
    """A project of it, with the pose "bent"; dressed: with a second mesh, "sleeve", over the left elbow, a third ("both"), or twelve rings, too ("rings"); divided: in two meshes that
    meet at the left elbow, "limbs", which is split at each face, and "hand"; rough: in metres, not quite symmetric; offset: of its middle from x = 0, in metres."""
    kind = f"limbs-{dressed}-{divided}-{rough}-{offset}"
    original = Path(made().name) / f"{kind}.sinew"
    if not original.exists():
        sinew("import", write_gltf(original.with_suffix(".gltf"), dressed, divided=divided, rough=rough, offset=offset), "-o", original)
        rotations = [word for name, vector in BENT.items() for word in ("--rotate", name + "=" + ",".join(map(str, vector)))]
        sinew("pose", original, "add", "bent", *rotations)
    return Path(shutil.copy(original, folder / "limbs.sinew"))
