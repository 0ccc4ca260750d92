# SPDX-License-Identifier: MIT
"""The Blender side of a character: what is sent, where it meets the points and joints of a project, and what comes back."""

import hashlib
import json

import bpy
import numpy as np
from mathutils.kdtree import KDTree

from . import skin as sk

SCULPT = "Sinew sculpt"  # the shape key that is sculpted on
REST = "Sinew rest"  # the shape key from the rest points to those of the project's skin
YUP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1.0]])  # Blender's axes to glTF's
STRETCH = " stretch"  # after the name of a helper bone: the bone above it
CHANNELS = (("rotation_quaternion", 10, ""), ("scale", 7, STRETCH), ("rotation_quaternion", 3, STRETCH), ("location", 0, STRETCH))
STEP = 1e-6  # a smaller change of a pose is none

loaded = {}  # Drives by the hash of their text
kept = {}  # what a group or regression gave, with the matrices that it was for, by rig and drive
winding = {}  # rotation vectors of the moment before, by rig and joint


class Refused(Exception):
    """What the user has to know, in one line."""


# ---- what belongs together --------------------------------------------------------------------------------------------------


def rig_of(thing):
    """The armature of what is selected."""
    if thing and thing.type == "ARMATURE":
        return thing
    rigs = [m.object for m in thing.modifiers if m.type == "ARMATURE" and m.object] if thing and thing.type == "MESH" else []
    if not rigs:
        raise Refused("select an armature, or a mesh with an Armature modifier")
    return rigs[0]


def meshes_of(rig):
    return [thing for thing in bpy.context.scene.objects if thing.type == "MESH" and
            any(m.type == "ARMATURE" and m.object == rig for m in thing.modifiers)]


def array(m):
    return np.array([list(row) for row in m])


def brought_shapes(thing):
    """Names of the shape keys that come from the project, by the names that they have there."""
    keys = thing.data.shape_keys
    return json.loads(keys.get("sinew_shapes", "{}")) if keys else {}


def send(rig, path):
    """Writes the character without what came from the project."""
    meshes, muted = meshes_of(rig), []
    if not meshes:
        raise Refused(f"no mesh has an Armature modifier with '{rig.name}'")
    for thing in meshes:
        for key in thing.data.shape_keys.key_blocks if thing.data.shape_keys else ():
            if not key.mute and key.name in (SCULPT, *brought_shapes(thing).values()):
                muted.append(key)
    for thing in bpy.context.selected_objects:
        thing.select_set(False)
    for thing in (rig, *meshes):
        thing.select_set(True)
    try:
        for key in muted:
            key.mute = True
        bpy.ops.export_scene.gltf(filepath=path, use_selection=True, export_all_influences=True)
    finally:
        for key in muted:
            key.mute = False
    rig["sinew_world"] = (YUP @ array(rig.matrix_world)).ravel().tolist()


# ---- poses ------------------------------------------------------------------------------------------------------------------


class Pose:
    """The pose of a rig as it is shown, in the joints of the project."""

    def __init__(self, drives, rig):
        self.drives, self.rig = drives, rig
        self.world_of_rig = np.array(rig["sinew_world"]).reshape(4, 4)
        self.rig_of_world = np.linalg.inv(self.world_of_rig)
        self.memory = winding.setdefault(rig.name, {})

    def world(self, joint):
        bone, rest = self.rig.pose.bones.get(self.drives.joints[joint]), self.drives.rest_worlds[joint]
        if not bone:
            return rest
        motion = array(bone.matrix) @ np.linalg.inv(array(bone.bone.matrix_local))
        return self.world_of_rig @ motion @ self.rig_of_world @ rest

    def local(self, joint):
        parent = self.drives.parents[joint]
        return self.world(joint) if parent == sk.NONE else np.linalg.inv(self.world(parent)) @ self.world(joint)

    def vector(self, joint):
        rotated = sk.times(sk.back(self.drives.rests[joint][3:7]), sk.parts(self.local(joint))[0])
        found = sk.vector_near(rotated, self.memory.get(joint, np.zeros(3)))
        if np.all(np.isfinite(found)):
            self.memory[joint] = found
        return found

    def place(self, joint):
        local = self.local(joint)
        return np.concatenate([local[:3, 3], sk.parts(local)[1]])

    def words(self):
        """The options of `sinew pose add` that make this pose."""
        for joint, name in enumerate(self.drives.joints):
            if name in self.rig.pose.bones and joint not in self.drives.helpers:
                rest, place, vector = self.drives.rests[joint], self.place(joint), self.vector(joint)
                size = max(1.0, np.abs(rest[:3]).max())
                if np.abs(place[3:] - rest[7:]).max() > 1e-4:
                    raise Refused(f"the bone '{name}' is scaled, and poses of Sinew are not; clear its scale")
                if np.linalg.norm(vector) > STEP:
                    yield "--rotate", f"{name}={','.join(map(repr, vector.tolist()))}"
                if np.abs(place[:3] - rest[:3]).max() > 10 * STEP * size:
                    yield "--move", f"{name}={','.join(map(repr, (place[:3] - rest[:3]).tolist()))}"


def drives_of(rig):
    """What drives a rig: read once."""
    if rig["sinew_hash"] not in loaded:
        kept.clear()
        loaded[rig["sinew_hash"]] = sk.Drives(json.loads(rig["sinew_drives"].as_string()))
    return loaded[rig["sinew_hash"]]


def value(rig, compute, otherwise):
    """What a driver shows: where the pose or the rig is not what it should be, what `otherwise` says."""
    try:
        with np.errstate(all="ignore"):
            found = compute(drives_of(rig), rig)
        if np.all(np.isfinite(found)):
            return found
        problem = "its pose is not finite"
    except (KeyError, IndexError, AttributeError, ValueError) as error:
        problem = f"its drives do not fit it: {error}"
    if not rig.get("sinew_warned"):
        print(f"Sinew: {rig.name} plays its linear blend alone: {problem}")
        (rig.original or rig)["sinew_warned"] = True
    return otherwise


def values_of(drives, rig, drive):
    """All coefficients of a group or regression: computed once for all of its shape keys."""
    near = {*drive.joints, *(drives.parents[j] for j in drive.joints)} - {sk.NONE}
    bones = [rig.pose.bones[drives.joints[j]] for j in sorted(near) if drives.joints[j] in rig.pose.bones]
    key, state = (rig.name, drive), [tuple(row) for bone in bones for row in bone.matrix]
    if key not in kept or kept[key][0] != state:
        kept[key] = state, drive.values(Pose(drives, rig))
    return kept[key][1]


def coefficient(key, depsgraph, index):
    """The driver of a shape key."""
    def compute(drives, rig):
        drive, n = drives.by_coefficient[index]
        return float(values_of(drives, rig, drive)[n])
    return value(depsgraph.id_eval_get(key.id_data["sinew_rig"]), compute, 0.0)


def helper_channel(bone, depsgraph, joint, channel):
    """The driver of a channel of a helper joint. Bones have no shear, so a matrix is R₁ S R₂: a bone with R₁ and the scale S
    (0 to 2 are its location, 3 to 6 its rotation, w x y z, 7 to 9 its scale), and the helper bone below it with R₂ (10 to 13)."""
    def compute(drives, rig):
        pose, parent = Pose(drives, rig), drives.parents[joint]
        world = pose.world(parent) @ drives.helper(joint, pose)
        motion = pose.rig_of_world @ world @ np.linalg.inv(drives.rest_worlds[joint]) @ pose.world_of_rig
        above, rest = rig.pose.bones[drives.joints[parent]], array(bone.bone.matrix_local)
        carried = array(above.matrix) @ np.linalg.inv(array(above.bone.matrix_local)) @ rest
        basis = np.linalg.inv(carried) @ motion @ rest
        left, scale, right = np.linalg.svd(basis[:3, :3])
        left, right = left * np.linalg.det(left), right * np.linalg.det(right)  # rotations
        scale = scale * np.linalg.det(basis[:3, :3]) / np.prod(scale)
        (x, y, z, w), (a, b, c, d) = sk.rotation(left), sk.rotation(right)
        return (*basis[:3, 3], w, x, y, z, *scale, d, a, b, c)[channel]
    return value(depsgraph.id_eval_get(bone.id_data), compute, (0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0)[channel])


def drive(owner, path, index, expression, rig, bones):
    """A driver that is computed again whenever one of the bones moves."""
    curve = owner.driver_add(path, index)
    driver = curve.driver
    driver.type, driver.use_self = "SCRIPTED", True
    for variable in list(driver.variables):
        driver.variables.remove(variable)
    for n, bone in enumerate(bones):
        variable = driver.variables.new()
        variable.name, variable.type = f"bone{n}", "TRANSFORMS"
        target = variable.targets[0]
        target.id, target.bone_target, target.transform_space, target.transform_type = rig, bone, "LOCAL_SPACE", "ROT_X"
    driver.expression = expression


# ---- points -----------------------------------------------------------------------------------------------------------------


class Points:
    """Which vertices of a mesh are which points of the project, by their places at rest."""

    def __init__(self, skin, index, thing, rig):
        self.sources, self.world = skin.point_sources[index], np.array(rig["sinew_world"]).reshape(4, 4)
        to_rig = np.linalg.inv(array(rig.matrix_world)) @ array(thing.matrix_world)
        self.to_world = self.world @ to_rig
        basis = thing.data.shape_keys.reference_key.data if thing.data.shape_keys else thing.data.vertices
        self.vertices = np.empty(3 * len(basis))
        basis.foreach_get("co", self.vertices)
        self.vertices = self.vertices.reshape(-1, 3)
        self.of_vertex = self.match(thing, self.vertices @ self.to_world[:3, :3].T + self.to_world[:3, 3])

    def match(self, thing, places):
        """Vertices at one place take the points there in their order, as the file had them."""
        tree, near = KDTree(len(self.sources)), 1e-4 * np.linalg.norm(np.ptp(self.sources, axis=0))
        for point, rest in enumerate(self.sources):
            tree.insert(rest, point)
        tree.balance()
        taken, found = {}, []
        for place in places:
            at, closest, off = tree.find(place)
            if at is None or off > near:
                raise Refused(f"the vertices of '{thing.name}' are not those of the project; Open in Sinew sends it again")
            here = sorted(point for _, point, _ in tree.find_range(at, near / 100)) or [closest]
            count = taken.get(here[0], 0)
            taken[here[0]] = count + 1
            found.append(here[count % len(here)])
        if len(set(found)) < len(self.sources):
            raise Refused(f"'{thing.name}' lacks vertices that the project has; Open in Sinew sends it again")
        return np.array(found)


def mesh_named(rig, name):
    """The mesh of the project: named as the object, or as its data."""
    meshes = meshes_of(rig)
    return next((thing for thing in meshes if thing.name == name), None) or next(
        (thing for thing in meshes if thing.data.name == name), None)


def shown_points(skin, mesh, thing, rig):
    """The points of a mesh as it is shown, without what adds vertices, in the order and space of the project."""
    points, hidden = Points(skin, mesh, thing, rig), []
    for modifier in thing.modifiers:
        if modifier.type != "ARMATURE" and modifier.show_viewport:
            hidden.append(modifier)
    try:
        for modifier in hidden:
            modifier.show_viewport = False
        depsgraph = bpy.context.evaluated_depsgraph_get()
        shown = thing.evaluated_get(depsgraph)
        vertices = np.empty(points.vertices.size)
        shown.data.vertices.foreach_get("co", vertices)
    finally:
        for modifier in hidden:
            modifier.show_viewport = True
    to_rig = np.linalg.inv(array(rig.matrix_world)) @ array(shown.matrix_world)
    to_world = points.world @ to_rig
    found = np.empty_like(points.sources)
    found[points.of_vertex] = vertices.reshape(-1, 3) @ to_world[:3, :3].T + to_world[:3, 3]
    return found


def begin_sculpt(thing):
    if not thing.data.shape_keys:
        thing.shape_key_add(name="Basis", from_mix=False)
    key = thing.data.shape_keys.key_blocks.get(SCULPT) or thing.shape_key_add(name=SCULPT, from_mix=False)
    key.value = 1
    thing.active_shape_key_index = thing.data.shape_keys.key_blocks.find(SCULPT)
    thing.use_shape_key_edit_mode = True


def end_sculpt(thing):
    key = thing.data.shape_keys.key_blocks.get(SCULPT) if thing.data.shape_keys else None
    if key:
        thing.shape_key_remove(key)


# ---- what comes back --------------------------------------------------------------------------------------------------------


def set_shape(thing, points, name, moves, vectors):
    """A shape key by its name, made or changed, and left alone where it is as it should be. Returns the key."""
    keys = thing.data.shape_keys
    key = keys.key_blocks.get(name) if keys else None
    if not keys:
        thing.shape_key_add(name="Basis", from_mix=False)
    if not key:
        key = thing.shape_key_add(name=name, from_mix=False)
        key.slider_min, key.slider_max = -10, 10
    shift = np.zeros_like(points.sources)
    shift[moves] = vectors
    wanted = points.vertices + shift[points.of_vertex] @ np.linalg.inv(points.to_world[:3, :3]).T
    have = np.empty(wanted.size)
    key.data.foreach_get("co", have)
    if np.abs(have - wanted.ravel()).max() > STEP * max(1e-3, np.abs(points.vertices).max()):
        key.data.foreach_set("co", wanted.ravel())
    return key


def set_shapes(skin, drives, mesh, thing, rig, points):
    """Morph targets as shape keys; those that a pose drives get their drivers, and those that are gone go."""
    before, after = brought_shapes(thing), {}
    refined = skin.point_rests[mesh] - points.sources  # by a fit
    if np.abs(refined).max() > STEP:
        key = set_shape(thing, points, before.get(REST, REST), slice(None), refined)
        key.value, after[REST] = 1, key.name
    for k, name in enumerate(skin.morphs):
        if skin.morph_meshes[k] == mesh:
            key = set_shape(thing, points, before.get(name, name), skin.move_points[k], skin.move_vectors[k])
            if k in drives.by_coefficient:
                after[name] = key.name
                bones = [drives.joints[j] for j in drives.by_coefficient[k][0].joints if drives.joints[j] in rig.pose.bones]
                drive(key, "value", -1, f"sinew_coefficient(self, depsgraph, {k})", rig, bones)
    for name in set(before.values()) - set(after.values()):
        key = thing.data.shape_keys.key_blocks.get(name)
        if key:
            key.driver_remove("value")
            thing.shape_key_remove(key)
    if thing.data.shape_keys:
        thing.data.shape_keys["sinew_shapes"], thing.data.shape_keys["sinew_rig"] = json.dumps(after), rig
        thing.data.update()


def set_weights(skin, mesh, thing, points):
    """Vertex groups, where the project's skin is another. Returns the number of vertices that changed."""
    names = [skin.joints[joint] for joint in skin.slot_joints]
    groups = {group.index: group.name for group in thing.vertex_groups}
    changed = 0
    for vertex, point in zip(thing.data.vertices, points.of_vertex):
        want = {names[s]: w for s, w in zip(skin.point_slots[mesh][point], skin.point_weights[mesh][point]) if s != sk.NONE}
        have = {groups[e.group]: e.weight for e in vertex.groups if groups[e.group] in names and e.weight > 0}
        total = sum(have.values()) or 1
        if any(abs(want.get(name, 0) - have.get(name, 0) / total) > 1e-4 for name in {*want, *have}):
            changed += 1
            for name in have:
                thing.vertex_groups[name].remove([vertex.index])
            for name, weight in want.items():
                (thing.vertex_groups.get(name) or thing.vertex_groups.new(name=name)).add([vertex.index], weight, "REPLACE")
    return changed


def set_helper_bones(wanted, before, rig, drives):
    """Makes the bones of helper joints, each below one that stretches, and removes those that are gone."""
    to_rig = np.linalg.inv(np.array(rig["sinew_world"]).reshape(4, 4))
    with bpy.context.temp_override(active_object=rig, object=rig, selected_objects=[rig], selected_editable_objects=[rig]):
        active = bpy.context.view_layer.objects.active
        bpy.context.view_layer.objects.active = rig
        bpy.ops.object.mode_set(mode="EDIT")
        bones = rig.data.edit_bones
        for name in set(before) - set(wanted):
            for each in (name, name + STRETCH):
                bones.remove(bones[each])
        for name, joint in wanted.items():
            above = bones[drives.joints[drives.parents[joint]]]
            for each, parent in ((name + STRETCH, above), (name, bones.get(name + STRETCH))):
                bone = bones.get(each) or bones.new(each)
                bone.parent = parent or bones[name + STRETCH]
                bone.head = (to_rig @ drives.rest_worlds[joint])[:3, 3]
                bone.tail = bone.head + (above.tail - above.head) / 4
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.objects.active = active


def set_helpers(drives, rig):
    """Bones for helper joints, with drivers."""
    wanted, before = {drives.joints[joint]: joint for joint in drives.helpers}, json.loads(rig.get("sinew_helpers", "[]"))
    for bone in [rig.pose.bones[name + end] for name in before for end in ("", STRETCH) if name + end in rig.pose.bones]:
        for path in ("location", "rotation_quaternion", "scale"):
            bone.driver_remove(path)
    if wanted or before:
        set_helper_bones(wanted, before, rig, drives)
    rig["sinew_helpers"] = json.dumps(list(wanted))
    for name, joint in wanted.items():
        near = [drives.joints[j] for j in drives.helpers[joint].joints if drives.joints[j] in rig.pose.bones]
        for channel in range(14):
            path, first, end = next(row for row in CHANNELS if channel >= row[1])
            bone = rig.pose.bones[name + end]
            bone.rotation_mode = "QUATERNION"
            drive(bone, path, channel - first, f"sinew_helper(self, depsgraph, {joint}, {channel})", rig, near)


def receive(skin, rig):
    """Brings shapes, skins and what drives them into Blender. Returns what was done, in words."""
    missing = [name for k, name in enumerate(skin.joints) if name not in rig.pose.bones and k in skin.slot_joints and
               not any(kind == sk.HELPER and whole[0] == k for kind, whole, _ in skin.drives)]
    if missing:
        raise Refused(f"the rig has no bone '{missing[0]}', which the project's skin follows; rename it back, or send it again")
    text, drives = json.dumps(skin.record()), sk.Drives(skin.record())
    pairs = [(mesh, mesh_named(rig, name)) for mesh, name in enumerate(skin.meshes)]
    found = [(mesh, thing, Points(skin, mesh, thing, rig)) for mesh, thing in pairs if thing]
    if not found:
        raise Refused(f"no mesh of the project ({', '.join(skin.meshes)}) is on the rig '{rig.name}'")
    store = rig.get("sinew_drives") or bpy.data.texts.new(f"Sinew drives of {rig.name}")
    store.from_string(text)
    rig["sinew_drives"], rig["sinew_hash"], rig["sinew_warned"] = store, hashlib.sha256(text.encode()).hexdigest(), False
    set_helpers(drives, rig)
    shapes = changed = 0
    for mesh, thing, points in found:
        set_shapes(skin, drives, mesh, thing, rig, points)
        shapes += len({*brought_shapes(thing)} - {REST})
        changed += set_weights(skin, mesh, thing, points)
    if changed or drives.helpers:
        rig["sinew_skin"] = True  # it is not the rig's own any more
    left = [skin.meshes[mesh] for mesh, thing in pairs if not thing]
    return (f"shapes with drivers: {shapes}; helper bones: {len(drives.helpers)}; vertices with other weights: {changed}" +
            (f"; not in Blender: {', '.join(left)}" if left else ""))
