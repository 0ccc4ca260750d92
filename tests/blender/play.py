# SPDX-License-Identifier: GPL-3.0-or-later
#
# What Blender makes of a character: imports a glTF or FBX file and writes the points of all its meshes at given times of a clip.
#
#   blender -b --factory-startup -P play.py -- FILE OUT.txt CLIP-INDEX SECONDS...
#
# For each time a line "points N", then N lines "x y z" in glTF's space (Y up). Times should lie on keys: between them Blender
# interpolates rotations in its own way.
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that newer numpy lacks

import bpy


def show_clip(animation):
    """Lets every object and shape key play one animation. The importer stashes each as a muted track, whose strip may start late:
    its action is played itself. Returns the actions."""
    shown = []
    holders = list(bpy.data.objects) + [m.shape_keys for m in bpy.data.meshes if m.shape_keys]
    for holder in holders:
        data = holder.animation_data
        if data is None:
            continue
        actions = [t.strips[0].action for t in data.nla_tracks if t.name == animation]
        for track in data.nla_tracks:
            track.mute = True
        data.action = actions[0] if actions else None
        shown += actions[:1]
    return shown


def clip_names(path):
    """Names of the file's animations as the importer calls their tracks."""
    import json
    import struct
    with open(path, "rb") as stream:
        data = stream.read()
    if data[:4] == b"glTF":
        data = data[20:20 + struct.unpack("<I", data[12:16])[0]]
    return [a.get("name", "Anim_%d" % i) for i, a in enumerate(json.loads(data).get("animations", []))]


def points_now():
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for instance in graph.object_instances:
        shown = instance.object
        if shown.type != "MESH" or shown.name.startswith("Icosphere"):  # the importer's shape for bones
            continue
        mesh = shown.to_mesh()
        for vertex in mesh.vertices:
            x, y, z = instance.matrix_world @ vertex.co
            points.append((x, z, -y))
        shown.to_mesh_clear()
    return points


def main():
    path, out, clip = sys.argv[sys.argv.index("--") + 1:][:3]
    times = [float(a) for a in sys.argv[sys.argv.index("--") + 4:]]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0)  # plays the first clip
    else:
        bpy.ops.import_scene.gltf(filepath=path)
        show_clip(clip_names(path)[int(clip)])
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    with open(out, "w") as stream:
        for seconds in times:
            frame = seconds * rate
            whole = int(numpy.floor(frame + 1e-6))
            bpy.context.scene.frame_set(whole, subframe=max(0.0, min(frame - whole, 0.999999)))
            points = points_now()
            stream.write("points %d\n" % len(points))
            for p in points:
                stream.write("%.9g %.9g %.9g\n" % p)


if __name__ == "__main__":
    main()
