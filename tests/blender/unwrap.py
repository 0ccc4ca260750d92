# SPDX-License-Identifier: GPL-3.0-or-later
#
# Blender's own UVs by the seams that a file has: its unwrap by angles, then "minimise stretch", with islands scaled alike.
#
#   blender -b --factory-startup -P unwrap.py -- FILE.glb OUT.glb
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that newer numpy lacks

import bpy

ITERATIONS = 50


def unwrap(mesh):
    """Minimising needs an area with the UV editor."""
    window = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    area.ui_type = "UV"
    region = next(r for r in area.regions if r.type == "WINDOW")
    bpy.context.view_layer.objects.active = mesh
    mesh.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.tool_settings.use_uv_select_sync = True
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.mesh.select_all(action="SELECT")
        bpy.ops.uv.seams_from_islands()
        bpy.ops.uv.unwrap(method="ANGLE_BASED", margin=0.002)
        bpy.ops.uv.minimize_stretch(iterations=ITERATIONS)
        bpy.ops.uv.average_islands_scale()
        bpy.ops.uv.pack_islands(margin=0.002)
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh.select_set(False)


source, target = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
bpy.ops.import_scene.gltf(filepath=source)
for thing in [thing for thing in bpy.data.objects if thing.type == "MESH" and thing.data.uv_layers]:
    unwrap(thing)
bpy.ops.export_scene.gltf(filepath=target)
