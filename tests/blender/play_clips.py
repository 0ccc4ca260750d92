# SPDX-License-Identifier: GPL-3.0-or-later
#
# What Blender makes of a character over its clips: imports a glTF file once and writes, for each moment asked for, the points of
# its meshes and the matrices of its bones.
#
#   blender -b --factory-startup -P play_clips.py -- FILE REQUEST.txt OUT.bin
#
# REQUEST.txt holds lines "CLIP keys|spread SECONDS...". Of "keys" every rotation curve is played as the importer made it: right
# where all of them have keys, because between keys Blender interpolates the four numbers of a quaternion each on its own, while
# glTF turns along the arc. For "spread" the rotation curves hold, at each moment, what Blender's own slerp makes of the keys
# beside it; all else is left alone. A clip's "keys" come before its "spread", which changes it.
#
# OUT.bin, little-endian: the count of meshes, for each its node and count of points; the count of bones, for each its node's name
# (64 bytes, "node-N" where it has none); then for each moment, in floats and in glTF's space (Y up): the points of the meshes,
# then the bones' matrices, three rows of four each, joint space -> posed space.
import bisect
import os
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from play import show_clip  # first: it mends what the importer takes from numpy

import bpy
import numpy
from io_scene_gltf2.blender.imp.gltf2_blender_scene import BlenderScene
from io_scene_gltf2.blender.imp.gltf2_blender_vnode import VNode
from mathutils import Quaternion

TO_GLTF = numpy.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], dtype=float)


class Character:
    """The imported file, and everything that can move in it as the file's nodes have it."""

    def __init__(self, path):
        # The pose of the nodes has to be read before the importer plays the first clip.
        create = BlenderScene.create_animations

        def note_and_create(gltf):
            self.note(gltf)
            create(gltf)

        BlenderScene.create_animations = staticmethod(note_and_create)
        # With this choice a bone's axes are its node's.
        bpy.ops.import_scene.gltf(filepath=path, bone_heuristic="BLENDER")
        self.tracks = [a.track_name for a in self.gltf.data.animations or []]

    def note(self, gltf):
        self.gltf = gltf
        self.meshes, self.bones, self.defaults = [], [], []
        for index, node in gltf.vnodes.items():
            if node.type == VNode.Bone:
                self.bones.append((index, gltf.vnodes[node.bone_arma].blender_object, node.blender_bone_name))
            elif node.type == VNode.Object and node.blender_object.type == "MESH":
                self.meshes.append((node.mesh_node_idx, node.blender_object))
        self.meshes.sort(key=lambda m: m[0])
        assert all(gltf.vnodes[j].type == VNode.Bone for s in gltf.data.skins or [] for j in s.joints)
        for item in [o for o in bpy.data.objects] + [b for o in bpy.data.objects if o.pose for b in o.pose.bones]:
            for name in ("location", "rotation_quaternion", "scale"):
                self.defaults.append((item, name, tuple(getattr(item, name))))
        for key in [k for s in bpy.data.shape_keys for k in s.key_blocks]:
            self.defaults.append((key, "value", key.value))

    def show_clip(self, clip):
        """Plays one animation from the pose of the nodes, where the last one's may linger. Returns the actions."""
        actions = show_clip(self.tracks[clip])
        for item, name, value in self.defaults:
            setattr(item, name, value)
        return actions

    def write_parts(self, stream):
        stream.write(struct.pack("<i", len(self.meshes)))
        for node, mesh in self.meshes:
            stream.write(struct.pack("<ii", node, len(mesh.data.vertices)))
        stream.write(struct.pack("<i", len(self.bones)))
        for index, _, _ in self.bones:
            name = self.gltf.data.nodes[index].name or "node-%d" % index
            stream.write(struct.pack("64s", name.encode()[:63]))

    def write_moment(self, stream):
        graph = bpy.context.evaluated_depsgraph_get()
        for _, mesh in self.meshes:
            shown = mesh.evaluated_get(graph)
            points = numpy.ones((len(shown.data.vertices), 4))
            flat = numpy.empty(3 * len(points), dtype=numpy.float32)
            shown.data.vertices.foreach_get("co", flat)
            points[:, :3] = flat.reshape(-1, 3)
            matrix = TO_GLTF @ numpy.array(shown.matrix_world)
            stream.write((points @ matrix.T)[:, :3].astype("<f4").tobytes())
        for _, armature, bone in self.bones:
            shown = armature.evaluated_get(graph)
            matrix = TO_GLTF @ numpy.array(shown.matrix_world) @ numpy.array(shown.pose.bones[bone].matrix)
            stream.write(matrix[:3].astype("<f4").tobytes())


def slerp_at(times, keys, frame):
    after = bisect.bisect_right(times, frame)
    if after == 0 or after == len(times):
        return keys[min(after, len(times) - 1)]
    before = after - 1
    return keys[before].slerp(keys[after], (frame - times[before]) / (times[after] - times[before]))


def put_slerp(action, frames):
    """Replaces each rotation curve by one with keys at the frames asked for."""
    paths = sorted({c.data_path for c in action.fcurves if c.data_path.endswith("rotation_quaternion")})
    for path in paths:
        curves = [action.fcurves.find(path, index=i) for i in range(4)]
        pairs = []
        for curve in curves:
            flat = numpy.empty(2 * len(curve.keyframe_points), dtype=numpy.float32)
            curve.keyframe_points.foreach_get("co", flat)
            pairs.append(flat.reshape(-1, 2).astype(float))
        times = list(pairs[0][:, 0])
        keys = [Quaternion(q).normalized() for q in zip(*(p[:, 1] for p in pairs))]
        values = [slerp_at(times, keys, f) for f in frames]
        for i, curve in enumerate(curves):
            action.fcurves.remove(curve)
            replaced = action.fcurves.new(path, index=i)
            replaced.keyframe_points.add(len(frames))
            replaced.keyframe_points.foreach_set("co", [x for f, v in zip(frames, values) for x in (f, v[i])])
            linear = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
            replaced.keyframe_points.foreach_set("interpolation", [linear] * len(frames))
            replaced.update()


def main():
    path, request, out = sys.argv[sys.argv.index("--") + 1:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    character = Character(path)
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    with open(request) as lines, open(out, "wb") as stream:
        character.write_parts(stream)
        for line in lines:
            clip, kind, *seconds = line.split()
            frames = [float(s) * rate for s in seconds]
            actions = character.show_clip(int(clip))
            if kind == "spread":
                for action in actions:
                    put_slerp(action, frames)
            for frame in frames:
                scene.frame_set(int(frame), subframe=min(frame - int(frame), 0.9999999))
                character.write_moment(stream)


main()
