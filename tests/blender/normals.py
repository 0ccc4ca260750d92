# SPDX-License-Identifier: GPL-3.0-or-later
#
# The normals that Blender makes of a mesh with a normal map, beside those of a mesh with more detail, both at rest. Cycles bakes the
# normals of the first with its map and without, and those of the second by rays from the first.
#
#   blender -b --factory-startup -P normals.py -- LEVEL.glb MESH.glb
#
# The last line has the mean angles in degrees: "normals WITH WITHOUT".
import sys

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that newer numpy lacks

import bpy

SIZE = 128


def read(path):
    """The mesh of a file as its points are at rest."""
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=path)
    mesh = next(o for o in set(bpy.data.objects) - before if o.type == "MESH" and not o.name.startswith("Icosphere"))
    mesh.modifiers.clear()
    mesh.parent = None
    return mesh


def show_normals(mesh):
    """Its materials shine by their normals: those of their normal maps, where they have one. Gives the nodes of these."""
    maps = []
    for slot in mesh.material_slots:
        tree = slot.material.node_tree
        mapped = next((node for node in tree.nodes if node.type == "NORMAL_MAP"), None)
        maps += [mapped] if mapped else []
        halve, shine = tree.nodes.new("ShaderNodeVectorMath"), tree.nodes.new("ShaderNodeEmission")
        halve.operation = "MULTIPLY_ADD"
        halve.inputs[1].default_value = halve.inputs[2].default_value = (0.5, 0.5, 0.5)
        normal = mapped.outputs["Normal"] if mapped else tree.nodes.new("ShaderNodeNewGeometry").outputs["Normal"]
        tree.links.new(normal, halve.inputs[0])
        tree.links.new(halve.outputs[0], shine.inputs["Color"])
        tree.links.new(shine.outputs[0], next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL").inputs["Surface"])
    return maps


def bake_into(mesh):
    picture = bpy.data.images.new("baked", SIZE, SIZE, float_buffer=True)
    picture.colorspace_settings.name = "Non-Color"
    for slot in mesh.material_slots:
        node = slot.material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = picture
        slot.material.node_tree.nodes.active = node
    return picture


def bake(mesh, picture, source=None):
    """Directions [texel][3], and which texels have one."""
    for thing in bpy.data.objects:
        thing.select_set(thing in (mesh, source))
    bpy.context.view_layer.objects.active = mesh
    bpy.ops.object.bake(type="EMIT", use_selected_to_active=source is not None, cage_extrusion=0.03 * max(mesh.dimensions), margin=0,
                        use_clear=True)
    directions = 2 * numpy.array(picture.pixels[:]).reshape(-1, 4)[:, :3] - 1
    lengths = numpy.linalg.norm(directions, axis=1)
    return directions / lengths[:, None], abs(lengths - 1) < 0.1


bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
level, detailed = (read(path) for path in sys.argv[sys.argv.index("--") + 1:])
bpy.context.scene.render.engine = "CYCLES"
bpy.context.scene.cycles.samples = 1
bpy.context.scene.cycles.use_denoising = False  # Debian builds it without a denoiser: pictures would be black
normal_maps = show_normals(level)
show_normals(detailed)
target = bake_into(level)
assert normal_maps and all(node.inputs["Color"].links[0].from_node.image.colorspace_settings.name == "Non-Color" for node in normal_maps)
truth, is_known = bake(level, target, detailed)
angles = []
for strength in (1, 0):
    for normal_map in normal_maps:
        normal_map.inputs["Strength"].default_value *= strength
    shown, is_shown = bake(level, target)
    both = is_known & is_shown
    assert both.sum() > 0.2 * SIZE * SIZE, both.sum()
    cosines = numpy.clip((shown[both] * truth[both]).sum(axis=1), -1, 1)
    angles.append(numpy.degrees(numpy.arccos(cosines)).mean())
print("normals %.3f %.3f" % tuple(angles))
