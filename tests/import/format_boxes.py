# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's boxes of files at rest, for formats.py in this folder:

    blender -b --factory-startup -P tests/import/format_boxes.py -- NAME=FILE...

format_boxes.json gets [[least x, y, z], [most x, y, z]] for each NAME whose FILE Blender reads: in metres, Y up, but for PLY and STL as they
are in the file, because these formats do not say which axis is up."""

import json
import sys
from pathlib import Path

import bpy
import numpy

numpy.bool = bool  # Blender 3.4 asks for it by the name that numpy 1.24 dropped

READERS = {".gltf": bpy.ops.import_scene.gltf, ".glb": bpy.ops.import_scene.gltf, ".fbx": bpy.ops.import_scene.fbx,
           ".obj": bpy.ops.wm.obj_import, ".dae": bpy.ops.wm.collada_import, ".ply": bpy.ops.import_mesh.ply,
           ".stl": bpy.ops.import_mesh.stl}


def box_at_rest(rotates):
    """Armatures in their rest position; what clips do to objects is left out."""
    for thing in bpy.data.objects:
        thing.animation_data_clear()
    for keys in bpy.data.shape_keys:
        keys.animation_data_clear()
        for block in keys.key_blocks:
            block.value = 0
    for armature in bpy.data.armatures:
        armature.pose_position = "REST"
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH" and len(thing.data.polygons) > 0:
            shown = thing.evaluated_get(graph)
            mesh = shown.to_mesh()
            used = {v for polygon in mesh.polygons for v in polygon.vertices}
            points += [shown.matrix_world @ mesh.vertices[v].co for v in used]
            shown.to_mesh_clear()
    if not points:
        return None
    rotated = [(p.x, p.z, -p.y) if rotates else tuple(p) for p in points]
    return [[round(f(p[c] for p in rotated), 6) for c in range(3)] for f in (min, max)]


def main():
    out = Path(__file__).with_suffix(".json")
    boxes = json.loads(out.read_text(encoding="utf-8")) if out.exists() else {}
    for word in sys.argv[sys.argv.index("--") + 1:]:
        name, file = word.split("=", 1)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        ending = Path(file).suffix.lower()
        try:
            READERS[ending](filepath=file)
            box = box_at_rest(ending not in (".ply", ".stl"))
        except Exception as error:  # what its importers raise is of many kinds
            print(f"{file}: {error}")
            box = None
        if box:
            boxes[name] = box
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(box)}" for name, box in sorted(boxes.items()))
    out.write_text("{\n" + rows + "\n}\n", encoding="utf-8")


main()
