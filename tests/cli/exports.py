#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What exports keep and how they divide a scene: further UV sets and attributes, in-betweens on one channel, a file for each character."""

import json
import os
import sqlite3
import struct
import sys
from pathlib import Path

from harness import answer, refusal, run, sinew

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data"))
from make import Document, png  # noqa: E402 pylint: disable=wrong-import-position

SMALL = Path(os.environ.get("SINEW_TEST_SMALL_DATA", Path(__file__).resolve().parents[1] / "data"))


def rows(project, query):
    with sqlite3.connect(project) as file:
        found = file.execute(query).fetchall()
    file.close()
    return found


# ---- further UV sets and attributes ----------------------------------------------------------------------------------------

SQUARE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
UVS = [[(0, 0), (1, 0), (1, 1), (0, 1)], [(0.25, 0.5), (0.5, 0.5), (0.5, 0.75), (0.25, 0.75)], [(0, 1), (1, 1), (1, 0), (0, 0)]]


def write_square(path):
    """Three UV sets, a mask, and a matrix for each vertex, which has no place."""
    document = Document()
    attributes = {"POSITION": document.floats("VEC3", SQUARE, bounded=True)}
    attributes |= {f"TEXCOORD_{i}": document.floats("VEC2", uvs) for i, uvs in enumerate(UVS)}
    attributes["_MASK"] = document.add("SCALAR", 5121, [(0,), (0,), (200,), (7,)])
    attributes["_FRAME"] = document.floats("MAT2", [(1, 0, 0, 1)] * 4)
    path.write_bytes(document.gltf({
        "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "square"}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": document.add("SCALAR", 5123, [(i,) for i in (0, 1, 2, 0, 2, 3)])}]}]}))


def attributes_of(project):
    """What is kept: of each its name and its numbers at each corner, in the order of the corners' points."""
    (points, corners), = rows(project, "SELECT points_rest, face_points FROM mesh")
    corners = struct.unpack(f"<{len(corners) // 4}I", corners)
    found = []
    for name, is_uv, width, elements in rows(project, "SELECT name, is_uv, width, elements FROM attribute ORDER BY position"):
        numbers = struct.unpack(f"<{len(elements) // 4}f", elements)
        found.append((name, is_uv, {struct.unpack_from("<3d", points, 24 * point): numbers[width * c:width * (c + 1)]
                                    for c, point in enumerate(corners)}))
    return found


def check_kept(found, names):
    assert [name for name, _, _ in found] == names, found
    expected = [*UVS[1:], [(0,), (0,), (200,), (7,)]]
    for (name, is_uv, numbers), rows_of in zip(found, expected):
        assert is_uv == (name != "_MASK"), found
        for point, row in zip(SQUARE, rows_of):
            assert all(abs(a - b) < 1e-6 for a, b in zip(numbers[point], row)), (name, point, numbers[point], row)


def uv_sets_and_attributes_are_kept(folder):
    write_square(folder / "square.gltf")
    result = sinew("import", folder / "square.gltf", "-o", folder / "a.sinew")
    assert "left out: 1 mesh with attributes such as _FRAME" in result.stderr, result.stderr
    check_kept(attributes_of(folder / "a.sinew"), ["", "", "_MASK"])
    for name, words in {"b.glb": (), "c.gltf": ("--compress",), "d.fbx": ()}.items():
        result = sinew("export", folder / "a.sinew", "-o", folder / name, *words)
        assert ("attributes such as _MASK are left out of 1 mesh, because FBX" in result.stderr) == (name == "d.fbx"), result.stderr
        project = folder / f"{name}.sinew"
        sinew("import", folder / name, "-o", project)
        check_kept(attributes_of(project), ["", "", "_MASK"] if name != "d.fbx" else ["map2", "map3"])


def subdivided_mesh_has_them_too(folder):
    write_square(folder / "square.gltf")
    sinew("import", folder / "square.gltf", "-o", folder / "a.sinew")
    sinew("mesh", folder / "a.sinew", "subdivide", "--levels", "1")
    (_, _, mask), = [row for row in attributes_of(folder / "a.sinew") if row[0] == "_MASK"]
    assert len(mask) > 4 and any(20 < value < 180 for value, in mask.values()), mask  # between corners that have 0 and 200
    sinew("undo", folder / "a.sinew")
    check_kept(attributes_of(folder / "a.sinew"), ["", "", "_MASK"])


# ---- what glTF alone says ---------------------------------------------------------------------------------------------------

LIGHT = {"type": "spot", "intensity": 40, "spot": {"outerConeAngle": 0.5}}
CAMERA = {"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.1}}


def write_scene(path):
    """A square on a joint with a lamp; two materials, whose textures have sets, transforms and samplers of their own; a camera."""
    document = Document()
    attributes = {"POSITION": document.floats("VEC3", SQUARE, bounded=True)}
    attributes |= {f"TEXCOORD_{i}": document.floats("VEC2", uvs) for i, uvs in enumerate(UVS[:2])}
    transform = {"KHR_texture_transform": {"offset": [0.5, 0.25], "rotation": 0.5, "scale": [2, 3]}}
    materials = [{"name": "coat", "extras": {"id": 7},
                  "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "texCoord": 1, "extensions": transform}},
                  "normalTexture": {"index": 1, "scale": 0.5}, "occlusionTexture": {"index": 1, "strength": 0.25},
                  "extensions": {"KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatTexture": {"index": 1}}}},
                 {"name": "flat", "extensions": {"KHR_materials_unlit": {}}}]
    faces = [document.add("SCALAR", 5123, [(i,) for i in corners]) for corners in ((0, 1, 2), (0, 2, 3))]
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    sampler = {"input": document.floats("SCALAR", [(0,), (1,)], bounded=True), "output": document.floats("VEC3", [(0, 0, 0), (1, 0, 0)])}
    names = ["KHR_texture_transform", "KHR_lights_punctual", "KHR_materials_clearcoat", "KHR_materials_unlit"]
    path.write_bytes(document.gltf({
        "extensionsUsed": names, "extensionsRequired": names, "extensions": {"KHR_lights_punctual": {"lights": [LIGHT]}},
        "cameras": [CAMERA], "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"mesh": 0, "name": "square", "children": [1]},
                  {"name": "lamp", "translation": [0, 0, 2], "extensions": {"KHR_lights_punctual": {"light": 0}}},
                  {"name": "eye", "rotation": [0, 0.6, 0, 0.8], "camera": 0}],
        "samplers": [{"wrapS": 33071}], "images": [{"bufferView": document.view(png()), "mimeType": "image/png", "name": str(i)} for i in range(2)],
        "textures": [{"source": 0, "sampler": 0}, {"source": 1}], "materials": materials,
        "animations": [{"name": "slide", "channels": [channel], "samplers": [sampler]}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": faces[i], "material": i} for i in range(2)]}]}))


def what_gltf_alone_says_is_kept(folder):
    """What comes back is what was there, and the same again when it is imported and exported once more."""
    write_scene(folder / "0.gltf")
    written = []
    for i in range(2):
        result = sinew("import", folder / f"{i}.gltf", "-o", folder / f"{i}.sinew")
        sinew("export", folder / f"{i}.sinew", "-o", folder / f"{i + 1}.gltf")
        written.append(json.loads((folder / f"{i + 1}.gltf").read_text()))
        lines = ["KHR_materials_unlit is not shown, and kept", "2 cameras or lights: not shown", "normalTexture has a place of its own"]
        assert all(line in result.stderr for line in lines), result.stderr
    document = written[0]
    coat, flat = sorted(document["materials"], key=lambda material: material["name"])
    textures, images = document["textures"], document["images"]
    assert images[textures[coat["pbrMetallicRoughness"]["baseColorTexture"]["index"]]["source"]]["name"] == "0"
    assert document["samplers"] == [{"wrapS": 33071}] and textures[coat["pbrMetallicRoughness"]["baseColorTexture"]["index"]]["sampler"] == 0
    assert "texCoord" not in coat["pbrMetallicRoughness"]["baseColorTexture"]
    second = next(i for i, texture in enumerate(textures) if images[texture["source"]]["name"] == "1")
    assert coat["normalTexture"] == {"index": second, "scale": 0.5, "texCoord": 1}, coat
    assert coat["occlusionTexture"] == {"index": second, "strength": 0.25, "texCoord": 1}, coat
    assert coat["extensions"] == {"KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatTexture": {"index": second, "texCoord": 1}}}
    assert coat["extras"] == {"id": 7} and flat["extensions"] == {"KHR_materials_unlit": {}}
    nodes = {node["name"]: node for node in document["nodes"]}
    assert document["cameras"] == [CAMERA] and nodes["eye"]["camera"] == 0 and nodes["eye"]["rotation"] == [0, 0.6, 0, 0.8]
    assert document["extensions"]["KHR_lights_punctual"]["lights"] == [LIGHT] and nodes["lamp"]["translation"] == [0, 0, 2]
    assert document["nodes"].index(nodes["lamp"]) in nodes["square"]["children"]
    assert nodes["lamp"]["extensions"] == {"KHR_lights_punctual": {"light": 0}}
    assert set(document["extensionsUsed"]) == {"KHR_lights_punctual", "KHR_materials_clearcoat", "KHR_materials_unlit"}
    assert written[0] == written[1]
    assert "2" in (line := sinew("export", folder / "0.sinew", "-o", folder / "x.fbx").stderr) and "kept for glTF and left out" in line, line


def pictures_that_are_kept_follow_the_uvs(folder):
    """Textures that are made again leave out what was kept for the UVs before, and nothing else; a new normal map has a place of its own."""
    write_scene(folder / "a.gltf")
    plain = json.loads((folder / "a.gltf").read_text())
    coat = plain["materials"][0]
    coat["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    coat["occlusionTexture"]["texCoord"] = 1
    coat["extensions"]["KHR_materials_ior"] = {"ior": 1.4}
    for name in ("KHR_texture_transform", "KHR_materials_clearcoat"):
        plain["extensionsRequired"].remove(name)
    (folder / "b.gltf").write_text(json.dumps(plain))
    for name in ("a", "b"):
        sinew("import", folder / f"{name}.gltf", "-o", folder / f"{name}.sinew")

    def material(name):
        sinew("export", folder / f"{name}.sinew", "-o", folder / "out.gltf")
        document = json.loads((folder / "out.gltf").read_text())
        return next(at for at in document["materials"] if at["name"] == "coat"), document

    before = material("a")[0]
    said = sinew("unwrap", folder / "a.sinew", "--size", "64").stderr
    assert "they lie on several UV sets" in said and material("a")[0] == before, said
    assert "kept for glTF alone" not in said, said  # they lie on the second set, which stays
    sinew("normal-map", folder / "a.sinew", "--size", "64", "--level", "0")
    said = sinew("unwrap", folder / "a.sinew", "--size", "64").stdout
    assert "coat: normal map resampled" in said, said
    assert material("a")[0]["extensions"]["KHR_materials_clearcoat"]["clearcoatTexture"]["texCoord"] == 1
    said = sinew("unwrap", folder / "b.sinew", "--size", "64").stderr
    assert "material coat: pictures that are kept for glTF alone lay on the UVs before" in said, said
    after, document = material("b")
    assert after["extensions"] == {"KHR_materials_ior": {"ior": 1.4}} and after["extras"] == {"id": 7}, after
    assert after["normalTexture"]["scale"] == 0.5 and after["occlusionTexture"]["texCoord"] == 1, after
    images = [image["name"] for image in document["images"]]
    assert images[document["textures"][after["occlusionTexture"]["index"]]["source"]] == "1", images
    sinew("undo", folder / "b.sinew")
    sinew("normal-map", folder / "b.sinew", "--size", "64", "--level", "0")
    after, document = material("b")
    assert set(after["normalTexture"]) == {"index"}, after
    names = [document["images"][document["textures"][at["index"]]["source"]]["name"]
             for at in (after["normalTexture"], after["occlusionTexture"], after["extensions"]["KHR_materials_clearcoat"]["clearcoatTexture"])]
    assert names == ["coat normals", "1", "1"], names


# ---- in-betweens -----------------------------------------------------------------------------------------------------------

def in_betweens_share_a_channel(folder):
    """The file has a channel with an in-between; played by Sinew, both forms of it are what they were."""
    project = folder / "shapes.sinew"
    sinew("import", SMALL / "fbx" / "shapes.fbx", "-o", project)
    names = [name for name, percent in rows(project, "SELECT name, in_between_percent FROM channel") if percent > 0]
    assert names, "the file has in-betweens"
    sinew("export", project, "-o", folder / "apart.fbx")
    for words in (("--in-betweens",), ("--for", "unity"), ("--for", "unreal"), ("--for", "maya")):
        path = folder / "joined.fbx"
        result = sinew("export", project, "-o", path, *words)
        assert "channels of their own" not in result.stderr, result.stderr
        again = folder / f"{words[-1]}.sinew"
        sinew("import", path, "-o", again)
        assert [name for name, percent in rows(again, "SELECT name, in_between_percent FROM channel") if percent > 0] == names
        assert path.read_bytes().count(b"BlendShapeChannel") + len(names) == (folder / "apart.fbx").read_bytes().count(b"BlendShapeChannel")
    sinew("import", folder / "apart.fbx", "-o", folder / "apart.sinew")
    assert not any(percent for percent, in rows(folder / "apart.sinew", "SELECT in_between_percent FROM channel"))
    line = refusal("export", project, "-o", folder / "x.glb", "--in-betweens", status=2)
    assert "--in-betweens: only .fbx files have channels" in line, line


# ---- characters ------------------------------------------------------------------------------------------------------------

def write_three(path):
    """Two arms below one node that nothing moves, the second with two meshes, a clip for each; and a mesh that no joint moves."""
    document = Document()
    position = document.floats("VEC3", SQUARE, bounded=True)
    first, both = (document.floats("VEC4", [row] * 4) for row in ((1, 0, 0, 0), (0.5, 0.5, 0, 0)))
    joints = document.add("VEC4", 5121, [(0, 1, 0, 0)] * 4)
    indices = document.add("SCALAR", 5123, [(i,) for i in (0, 1, 2, 0, 2, 3)])
    binds = document.floats("MAT4", [(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)] * 2)
    times = document.floats("SCALAR", [(0,), (1,)], bounded=True)
    rotations = document.floats("VEC4", [(0, 0, 0, 1), (0, 0, 0.6, 0.8)])

    def mesh(weights):
        return {"primitives": [{"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights}, "indices": indices}]}

    def clip(name, node):
        return {"name": name, "samplers": [{"input": times, "output": rotations}],
                "channels": [{"sampler": 0, "target": {"node": node, "path": "rotation"}}]}
    path.write_bytes(document.gltf({
        "scenes": [{"nodes": [0, 6, 7, 8, 9]}],
        "nodes": [{"name": "stage", "children": [1, 3]}, {"name": "Anna", "children": [2, 5]}, {"name": "Anna-hand"},
                  {"name": "Bert/2", "children": [4]}, {"name": "Bert-hand"}, {"name": "socket"},
                  {"name": "anna-skin", "mesh": 0, "skin": 0}, {"name": "bert-skin", "mesh": 1, "skin": 1},
                  {"name": "bert-hat", "mesh": 0, "skin": 1}, {"name": "floor", "mesh": 2}],
        "meshes": [mesh(both), mesh(first),
                   {"primitives": [{"attributes": {"POSITION": position}, "indices": indices}]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": binds}, {"joints": [3, 4], "inverseBindMatrices": binds}],
        "animations": [clip("wave", 2), clip("nod", 4)]}))


def contents(path):
    """The names of a glTF's nodes with a mesh, of all others, and of its clips."""
    document = json.loads(path.read_text())
    return ({node["name"] for node in document["nodes"] if "mesh" in node}, {node["name"] for node in document["nodes"] if "mesh" not in node},
            {clip["name"] for clip in document.get("animations", ())})


def each_character_has_a_file(folder):
    write_three(folder / "three.gltf")
    project = folder / "three.sinew"
    sinew("import", folder / "three.gltf", "-o", project)
    files = answer("export", project, "-o", folder / "out.gltf", "--each")["files"]
    assert [row["character"] for row in files] == ["anna-skin", "Bert/2", "floor"], files
    assert contents(folder / "out-anna-skin.gltf") == ({"anna-skin"}, {"stage", "Anna", "Anna-hand", "socket"}, {"wave"})
    meshes, others, clips = contents(folder / "out-Bert_2.gltf")
    assert meshes == {"bert-skin", "bert-hat"} and others >= {"stage", "Bert/2", "Bert-hand"} and clips == {"nod"}, (meshes, others)
    assert not others & {"Anna", "Anna-hand", "socket"}, others
    assert contents(folder / "out-floor.gltf")[0] == {"floor"}
    assert contents(folder / "out-floor.gltf")[2] == set()


def each_character_plays_as_before(folder):
    write_three(folder / "three.gltf")
    project = folder / "three.sinew"
    sinew("import", folder / "three.gltf", "-o", project)
    for ending in ("glb", "fbx"):
        sinew("export", project, "-o", folder / f"out.{ending}", "--each")
        sinew("import", folder / f"out-Bert_2.{ending}", "-o", folder / f"{ending}.sinew")
        for mesh in ("bert-skin", "bert-hat"):
            whole, alone = folder / "whole.pc2", folder / "alone.pc2"
            sinew("export", project, "-o", whole, "--clip", "nod", "--mesh", mesh, "--fps", "8")
            sinew("export", folder / f"{ending}.sinew", "-o", alone, "--clip", "nod", "--mesh", mesh, "--fps", "8")
            first, second = ([x for x, in struct.iter_unpack("<f", path.read_bytes()[32:])] for path in (whole, alone))
            assert len(first) == len(second) and max(abs(a - b) for a, b in zip(first, second)) < 1e-4, (ending, mesh)


def each_goes_with_whole_characters_alone(folder):
    project = folder / "pair.sinew"
    sinew("import", SMALL / "small" / "pair.glb", "-o", project)
    assert "--each: .glb, .gltf and .fbx hold characters" in refusal("export", project, "-o", folder / "x.obj", "--each", status=2)
    line = refusal("export", project, "-o", folder / "x.glb", "--each", "--levels", "files", status=2)
    assert "--each and --levels: use one of them" in line, line


if __name__ == "__main__":
    run([uv_sets_and_attributes_are_kept, subdivided_mesh_has_them_too, what_gltf_alone_says_is_kept,
         pictures_that_are_kept_follow_the_uvs, in_betweens_share_a_channel, each_character_has_a_file,
         each_character_plays_as_before, each_goes_with_whole_characters_alone])
