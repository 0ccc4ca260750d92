# SPDX-License-Identifier: GPL-3.0-or-later
#
# Run inside Blender: reads a glTF file, writes it as FBX (in Y up and in Z up) and as Collada, for the tests of Assimp's reader.
#
#   blender --background --factory-startup --python blender_export.py -- IN.glb OUT_FOLDER
import sys

import numpy

numpy.bool = bool  # Blender 3.4's glTF reader names a type that newer numpys have dropped

import bpy

source, folder = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=source)
bpy.ops.export_scene.fbx(filepath=folder + "/y-up.fbx", add_leaf_bones=False, bake_anim_simplify_factor=0, bake_anim_use_all_actions=True,
                         bake_anim_use_nla_strips=False, path_mode="COPY", embed_textures=True)
bpy.ops.export_scene.fbx(filepath=folder + "/z-up.fbx", add_leaf_bones=False, bake_anim=False, axis_forward="Y", axis_up="Z")
bpy.ops.wm.collada_export(filepath=folder + "/z-up.dae", include_animations=True)
