#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes small/: three glTF characters of a few KB, so that tests of import and export have something to read where there is no
folder of large test data.  usage: make.py FOLDER

  tentacle.glb   a skinned tube: a seam of texture coordinates, a picture, a morph target, tracks of every interpolation
  leaf.gltf      no skin: two morph targets that start at a half
  pair.glb       two meshes with a skin each, under a node that turns and scales them
"""

import base64
import json
import math
import struct
import sys
import zlib
from pathlib import Path

CODES = {5126: "f", 5125: "I", 5123: "H", 5121: "B"}


class Document:
    """A glTF document that grows by accessors and images."""

    def __init__(self):
        self.blob, self.views, self.accessors = bytearray(), [], []

    def view(self, data):
        self.views.append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data)})
        self.blob.extend(data + bytes(-len(data) % 4))
        return len(self.views) - 1

    def add(self, kind, component, rows, bounded=False):
        """The index of a new accessor. Numbers are rounded, so that every machine writes the same bytes."""
        rows = [tuple(round(x, 6) if component == 5126 else x for x in row) for row in rows]
        data = b"".join(struct.pack("<" + CODES[component] * len(row), *row) for row in rows)
        accessor = {"bufferView": self.view(data), "componentType": component, "count": len(rows), "type": kind}
        if bounded:
            accessor |= {"min": [min(c) for c in zip(*rows)], "max": [max(c) for c in zip(*rows)]}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def floats(self, kind, rows, bounded=False):
        return self.add(kind, 5126, rows, bounded)

    def json(self, rest, **buffer):
        return {"asset": {"version": "2.0"}, "scene": 0, **rest, "bufferViews": self.views, "accessors": self.accessors,
                "buffers": [{"byteLength": len(self.blob), **buffer}]}

    def glb(self, rest):
        text = json.dumps(self.json(rest), separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(self.blob), b"BIN\0") + self.blob
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def gltf(self, rest):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.blob).decode()
        return json.dumps(self.json(rest, uri=uri), indent=1).encode()


def png():
    """A picture of 2 × 2 pixels. Nothing is compressed, so that every zlib writes the same."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"\0" + bytes((200, 120, 90, 90, 60, 40)) + b"\0" + bytes((90, 60, 40, 200, 120, 90))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows, 0))
            + chunk(b"IEND", b""))


def rotation(axis, angle):
    return tuple(math.sin(angle / 2) * x for x in axis) + (math.cos(angle / 2),)


def tube(document, height, radius, rings, sides, foot=(0, 0, 0)):
    """A tube that stands on its foot: points with a seam, normals, texture coordinates and faces."""
    points, normals, uvs, faces = [], [], [], []
    for ring in range(rings):
        along = ring / (rings - 1)
        for side in range(sides + 1):
            angle = 2 * math.pi * (side % sides) / sides
            x, z = math.cos(angle), math.sin(angle)
            points.append((foot[0] + radius * x, foot[1] + height * along, foot[2] + radius * z))
            normals.append((x, 0, z))
            uvs.append((side / sides, along))
    for ring in range(rings - 1):
        for side in range(sides):
            a = ring * (sides + 1) + side
            b = a + sides + 1
            faces += [(a,), (b,), (a + 1,), (a + 1,), (b,), (b + 1,)]
    attributes = {"POSITION": document.floats("VEC3", points, True), "NORMAL": document.floats("VEC3", normals),
                  "TEXCOORD_0": document.floats("VEC2", uvs)}
    return points, attributes, document.add("SCALAR", 5123, faces)


def add_weights(document, attributes, points, places):
    """Two joints a point, by height between the joints' heights."""
    joints, weights = [], []
    for _, y, _ in points:
        below = max(i for i, place in enumerate(places) if place <= y + 1e-9)
        above = min(below + 1, len(places) - 1)
        share = (y - places[below]) / (places[above] - places[below]) if above > below else 0
        joints.append((below, above if share > 0 else 0, 0, 0))
        weights.append((1 - share, share, 0, 0))
    attributes |= {"JOINTS_0": document.add("VEC4", 5121, joints), "WEIGHTS_0": document.floats("VEC4", weights)}


def inverse_binds(document, places, x=0.0):
    return document.floats("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, 0, 1) for y in places])


def clip(document, name, tracks):
    """An animation of (node, path, interpolation, seconds, kind, rows)."""
    samplers, channels = [], []
    for node, path, interpolation, seconds, kind, rows in tracks:
        channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
        samplers.append({"input": document.floats("SCALAR", [(s,) for s in seconds], True), "interpolation": interpolation,
                         "output": document.floats(kind, rows)})
    return {"name": name, "samplers": samplers, "channels": channels}


def tentacle():
    document, places = Document(), (0, 0.25, 0.5, 0.75)
    points, attributes, indices = tube(document, 1, 0.08, 9, 6)
    add_weights(document, attributes, points, places)
    swell = [(2 * x * y * (1 - y), 0, 2 * z * y * (1 - y)) for x, y, z in points]
    primitive = {"attributes": attributes, "indices": indices, "material": 0, "targets": [{"POSITION": document.floats("VEC3", swell, True)}]}
    nodes = [{"name": f"joint-{i}", "translation": [0, 0.25 if i else 0, 0]} | ({"children": [i + 1]} if i < 3 else {}) for i in range(4)]
    nodes.append({"name": "tentacle", "mesh": 0, "skin": 0})
    x, z, still = (1, 0, 0), (0, 0, 1), (0, 0, 0, 0)
    wave = clip(document, "wave", [
        (1, "rotation", "LINEAR", (0, 0.5, 1), "VEC4", [rotation(z, 0), rotation(z, 0.9), rotation(z, -0.6)]),
        (2, "rotation", "CUBICSPLINE", (0, 1), "VEC4", [still, rotation(x, 0.2), still, still, rotation(x, 1.1), still]),
        (3, "scale", "LINEAR", (0, 1), "VEC3", [(1, 1, 1), (1.2, 1.2, 1.2)])])
    swallow = clip(document, "swallow", [
        (4, "weights", "LINEAR", (0, 0.3, 0.8), "SCALAR", [(0,), (1,), (0.25,)]),
        (0, "translation", "STEP", (0, 0.4), "VEC3", [(0, 0, 0), (0.1, 0, -0.05)])])
    skin = {"joints": [0, 1, 2, 3], "inverseBindMatrices": inverse_binds(document, places)}
    picture = document.view(png())
    return document.glb({
        "scenes": [{"nodes": [0, 4]}], "nodes": nodes, "skins": [skin], "animations": [wave, swallow],
        "meshes": [{"name": "tentacle", "primitives": [primitive], "weights": [0], "extras": {"targetNames": ["swell"]}}],
        "images": [{"name": "spots", "mimeType": "image/png", "bufferView": picture}], "textures": [{"source": 0}],
        "materials": [{"name": "skin", "doubleSided": True, "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0}, "baseColorFactor": [0.9, 0.8, 0.7, 1], "metallicFactor": 0, "roughnessFactor": 0.6}}]})


def leaf():
    document = Document()
    points = [(x / 4, y / 4, 0) for y in range(5) for x in range(3)]
    faces = [(i,) for y in range(4) for x in range(2) for a in [3 * y + x] for i in (a, a + 1, a + 4, a, a + 4, a + 3)]
    bend = [(0, 0, 0.3 * y * y) for _, y, _ in points]
    widen = [(0.4 * (x - 0.25), 0, 0) for x, _, _ in points]
    targets = [{"POSITION": document.floats("VEC3", rows, True)} for rows in (bend, widen)]
    primitive = {"attributes": {"POSITION": document.floats("VEC3", points, True)}, "indices": document.add("SCALAR", 5123, faces),
                 "targets": targets}
    sway = clip(document, "sway", [
        (0, "weights", "LINEAR", (0, 1, 2), "SCALAR", [(0.5,), (0.5,), (1,), (0,), (0.5,), (0.5,)]),
        (0, "rotation", "LINEAR", (0, 2), "VEC4", [rotation((0, 1, 0), 0), rotation((0, 1, 0), 1.5)])])
    return document.gltf({
        "scenes": [{"nodes": [0]}], "nodes": [{"name": "leaf", "mesh": 0}], "animations": [sway],
        "meshes": [{"name": "leaf", "primitives": [primitive], "weights": [0.5, 0.5], "extras": {"targetNames": ["bend", "widen"]}}]})


def pair():
    document, meshes, skins, nodes, tracks = Document(), [], [], [], []
    for side, x in (("left", 0.3), ("right", -0.3)):
        points, attributes, indices = tube(document, 0.6, 0.05, 5, 5, (x, 0, 0))
        add_weights(document, attributes, points, (0, 0.3))
        first = len(nodes) + 1
        nodes += [{"name": f"upper-{side}", "translation": [x, 0, 0], "children": [first + 1]},
                  {"name": f"lower-{side}", "translation": [0, 0.3, 0]},
                  {"name": f"tube-{side}", "mesh": len(meshes), "skin": len(skins)}]
        meshes.append({"name": f"tube-{side}", "primitives": [{"attributes": attributes, "indices": indices}]})
        skins.append({"name": side, "joints": [first, first + 1], "inverseBindMatrices": inverse_binds(document, (0, 0.3), x)})
        tracks.append((first + 1, "rotation", "LINEAR", (0, 1), "VEC4", [rotation((0, 0, 1), 0), rotation((0, 0, 1), 4 * x)]))
    stand = {"name": "stand", "translation": [0, 0.1, 0], "rotation": rotation((0, 1, 0), 0.5), "scale": [2, 2, 2], "children": [1, 4]}
    return document.glb({"scenes": [{"nodes": [0, 3, 6]}], "nodes": [stand, *nodes], "meshes": meshes, "skins": skins,
                         "animations": [clip(document, "part", tracks)]})


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, data in (("tentacle.glb", tentacle()), ("leaf.gltf", leaf()), ("pair.glb", pair())):
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
