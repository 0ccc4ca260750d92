# SPDX-License-Identifier: GPL-3.0-or-later
# The add-on of plugins/blender inside Blender, without a window. The last line that it prints is JSON.
#
#   blender -b --factory-startup -P in_blender.py -- ADDONS SINEW CASE WORDS...

import json
import math
import random
import sys
import tempfile

import addon_utils
import bpy
import numpy as np
from mathutils import Quaternion

ADDONS, SINEW, CASE, *WORDS = sys.argv[sys.argv.index("--") + 1:]
sys.path.insert(0, ADDONS)
addon_utils.enable("sinew", default_set=True)
bpy.context.preferences.addons["sinew"].preferences.program = SINEW
import sinew  # noqa: E402 pylint: disable=wrong-import-position
from sinew import character, skin  # noqa: E402 pylint: disable=wrong-import-position

RINGS, SIDES = 21, 12


def make_tube():
    """A tube of 252 vertices on two bones, which a clip bends, neither at the origin nor along the axes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("sinew", default_set=True)
    bpy.context.preferences.addons["sinew"].preferences.program = SINEW
    rig = bpy.data.objects.new("rig", bpy.data.armatures.new("bones"))
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for n, name in enumerate(("upper", "lower")):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, n / 2), (0, 0, n / 2 + 0.5), rig.data.edit_bones.get("upper")
        bone.roll = 0.3 * n
    bpy.ops.object.mode_set(mode="OBJECT")
    ring = lambda r, k: r * SIDES + k % SIDES
    vertices = [(0.1 * math.cos(2 * math.pi * k / SIDES), 0.1 * math.sin(2 * math.pi * k / SIDES), r / (RINGS - 1))
                for r in range(RINGS) for k in range(SIDES)]
    faces = [(ring(r, k), ring(r, k + 1), ring(r + 1, k + 1), ring(r + 1, k)) for r in range(RINGS - 1) for k in range(SIDES)]
    mesh = bpy.data.meshes.new("tube's data")
    mesh.from_pydata(vertices, [], faces)
    tube = bpy.data.objects.new("a tube", mesh)
    bpy.context.collection.objects.link(tube)
    tube.parent = rig
    for name in ("upper", "lower"):
        tube.vertex_groups.new(name=name)
    for n, (_, _, z) in enumerate(vertices):
        share = min(max((z - 0.35) / 0.3, 0), 1)
        tube.vertex_groups["upper"].add([n], 1 - share, "REPLACE")
        tube.vertex_groups["lower"].add([n], share, "REPLACE")
    tube.modifiers.new("Armature", "ARMATURE").object = rig
    tube.modifiers.new("Subdivision", "SUBSURF")
    rig.location, rig.rotation_euler = (0.1, 0.2, 0.3), (0.1, 0.2, 0.4)
    rig.animation_data_create().action = bpy.data.actions.new("bend")
    for frame, angle in ((1, 0), (25, 1.6)):
        bend(rig, angle)
        rig.pose.bones["lower"].keyframe_insert("rotation_quaternion", frame=frame)
    bpy.context.view_layer.objects.active = tube
    bpy.context.view_layer.update()
    return rig, tube


def bend(rig, angle, axis=(1, 0.2, 0.1)):
    rig.pose.bones["lower"].rotation_mode = "QUATERNION"
    rig.pose.bones["lower"].rotation_quaternion = Quaternion(axis, angle)
    bpy.context.view_layer.update()


def shown(tube):
    """The vertices without what adds some."""
    tube.modifiers["Subdivision"].show_viewport = False
    mesh = tube.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", points)
    tube.modifiers["Subdivision"].show_viewport = True
    return points.reshape(-1, 3)


def weight(tube):
    keys = tube.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.shape_keys
    return [key.value for key in keys.key_blocks[1:]] if keys else []


def sculpt(tube, name, size=1.5, low=0.4, high=0.6):
    """The words of a refusal, or None."""
    bpy.ops.sinew.sculpt()
    for place in tube.data.shape_keys.key_blocks[character.SCULPT].data:
        if low < place.co.z < high:
            place.co.x *= size
    bpy.context.view_layer.update()
    before = shown(tube)
    refusal = refused(bpy.ops.sinew.send_sculpt, name=name)
    bpy.context.view_layer.update()
    return refusal or float(np.abs(shown(tube) - before).max())


def refused(operator, **words):
    try:
        operator(**words)
        return None
    except RuntimeError as error:
        return str(error)


def there_and_back(blend, program):
    rig, tube = make_tube()
    found = {"unsaved": refused(bpy.ops.sinew.open, show=False)}
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    found["early"] = refused(bpy.ops.sinew.update)
    found["sent"] = bpy.ops.sinew.open(show=False) == {"FINISHED"}
    bpy.ops.sinew.update()
    found["plain"] = rig["sinew_status"]
    rig.animation_data.action = None
    bend(rig, 1.2)
    found["sculpt"] = sculpt(tube, "bent it's")
    found["full"] = weight(tube)
    bend(rig, 0.6)
    found["half"] = weight(tube)
    bend(rig, 1.2)
    found["again"] = refused(bpy.ops.sinew.send_sculpt, name="bent it's")
    rig.pose.bones["lower"].scale = (1, 2, 1)
    found["scaled"] = refused(bpy.ops.sinew.send_sculpt, name="scaled")
    rig.pose.bones["lower"].scale = (1, 1, 1)
    # The drivers are in the file, and follow an inverse kinematics as well as keys.
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=blend, use_scripts=True)
    rig, tube = bpy.data.objects["rig"], bpy.data.objects["a tube"]
    bend(rig, 0.6)
    found["reopened"] = weight(tube)
    bend(rig, 0)
    copied = rig.pose.bones["lower"].constraints.new("LIMIT_ROTATION")
    copied.owner_space, copied.use_limit_x, copied.min_x, copied.max_x = "LOCAL", True, 0.9, 0.9
    bpy.context.view_layer.update()
    found["constrained"] = weight(tube)
    rig.pose.bones["lower"].constraints.remove(copied)
    # The project changes outside: the sculpt is doubled, another skin is learned.
    bpy.context.view_layer.objects.active = tube
    sinew.follow_rig(rig)
    found["followed"] = wait_for(rig)
    sinew.run("example", sinew.project_of(rig), "mute", "bent it's", "--json")
    found["followed mute"] = wait_for(rig)
    found["muted"] = weight(tube)
    sinew.run("example", sinew.project_of(rig), "unmute", "bent it's", "--json")
    sinew.run("weights", sinew.project_of(rig), "prune", "--influences", "1", "--json")
    found["followed weights"] = wait_for(rig)
    bend(rig, 0.6)
    found["unmuted"] = weight(tube)
    found["influences"] = max(sum(e.weight > 0 for e in vertex.groups) for vertex in tube.data.vertices)
    bend(rig, float("nan"))
    found["not finite"] = weight(tube)
    bend(rig, 1.2)
    # A skin with a helper joint, learned from dual quaternions.
    project, target = sinew.project_of(rig), blend + ".pc2"
    sinew.run("undo", project, "--json")  # the weights
    sinew.run("export", project, "--method", "dual-quaternion", "--clip", "bend", "-o", target, "--json")
    sinew.run("target", project, "add", "--clip", "bend", "--file", target, "--json")
    sinew.run("fit", "helper-joints", project, "--clip", "bend", "--set", "helpers=1", "--json")
    found["followed helpers"] = wait_for(rig)
    bend(rig, 1.2)
    found["helpers"] = off_stack(rig, tube, "bent it's")
    found["sent twice"] = bpy.ops.sinew.open(show=False) and rig["sinew_status"]
    # What does not fit.
    rig.pose.bones["lower"].name = "renamed"
    found["renamed"] = refused(bpy.ops.sinew.update)
    rig.pose.bones["renamed"].name = "lower"
    tube.data.vertices[0].co.x += 0.01
    tube.data.shape_keys.reference_key.data[0].co.x += 0.01
    found["moved"] = refused(bpy.ops.sinew.update)
    bpy.context.preferences.addons["sinew"].preferences.program = program
    found["no program"] = refused(bpy.ops.sinew.update)
    return found


def off_stack(rig, tube, pose):
    """The largest distance between what Blender shows and what the stack makes of a pose."""
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/pose.obj"
        sinew.run("export", sinew.project_of(rig), "--pose", pose, "-o", file, "--json")
        with open(file, encoding="ascii") as lines:
            points = np.array([[float(x) for x in line.split()[1:]] for line in lines if line.startswith("v ")])
    there = character.shown_points(sinew.read_skin(rig), 0, tube, rig)
    return float(np.linalg.norm(there - points, axis=1).max())


def wait_for(rig):
    """Looks until the project's change has arrived."""
    for _ in range(600):
        done = sinew.follow_rig(rig)
        if done:
            return done
        if sinew.followed[rig.name]["process"]:
            sinew.followed[rig.name]["process"].wait()
    return None


class Given:
    """A pose of test vectors."""

    def __init__(self, drives):
        self.drives, self.vectors, self.places = drives, {}, {}

    def vector(self, joint):
        return self.vectors.get(joint, np.zeros(3))

    def place(self, joint):
        return self.places.get(joint, self.drives.rests[joint][[0, 1, 2, 7, 8, 9]])

    def world(self, joint):
        parent, place = self.drives.parents[joint], self.place(joint)
        rotated = skin.times(self.drives.rests[joint][3:7], skin.quaternion(self.vector(joint)))
        local = skin.matrix(rotated, place[:3], place[3:])
        return local if parent == skin.NONE else self.world(parent) @ local


def vectors(step, *files):
    """The largest difference from test vectors (docs/pose-space.md) in every `step`th pose, a file each beside its skin."""
    return {file: off_vectors(file, int(step)) for file in files}


def off_vectors(file, step):
    with open(f"{file}.snwskin", "rb") as stream:
        whole = skin.Skin(stream.read())
    with open(f"{file}.vectors", "rb") as stream:
        header, numbers = json.loads(stream.readline()), np.frombuffer(stream.read(), "<f4").astype(float)
    drives = skin.Drives(whole.record())
    joints = [drives.joints.index(name) for name in header["joints"]]
    count, placed, steps = header["poses"], header["placedPoses"], header["steps"]
    coefficients = [next(k for k, name in enumerate(whole.morphs) if name == c["target"] and whole.morph_meshes[k] == c["mesh"])
                    for c in header["coefficients"]]
    helpers = [drives.joints.index(name) for name in header["helpers"]]
    rotated, rest = np.split(numbers, [3 * count * len(joints)])
    places, answers = np.split(rest, [6 * placed * len(joints)])
    rotated, places = rotated.reshape(count, -1, 3), places.reshape(placed, -1, 6)
    answers, worst, pose = answers.reshape(-1, len(coefficients) + 12 * len(helpers)), 0, Given(drives)
    for p, want in list(enumerate(answers))[::step]:
        j, i = divmod(p - count, 2 * steps)
        angle = 2 * math.pi * (i % steps + 0.5) / steps * (2 if i < steps else -2)
        pose.vectors = (dict(zip(joints, rotated[p])) if p < count else
                        {joints[j]: (np.array(header["axes"][j]) * angle).astype("f4").astype(float)})
        pose.places = dict(zip(joints, places[p - 1])) if 0 < p <= placed else {}
        together = {drive: drive.values(pose) for drive, _ in drives.by_coefficient.values()}
        found = [together[drives.by_coefficient[k][0]][drives.by_coefficient[k][1]] for k in coefficients]
        found = np.concatenate([found, *(drives.helper(joint, pose)[:3].ravel() for joint in helpers)])
        worst = max(worst, np.abs((found - want) / np.maximum(1, np.abs(want))).max())
    return float(worst)


def work(blend, seed, first):
    """Sculpts, sends and saves until it is killed. Says what it has acknowledged, a line each."""
    bpy.ops.wm.open_mainfile(filepath=blend, use_scripts=True)
    rig, tube, chance = bpy.data.objects["rig"], bpy.data.objects["a tube"], random.Random(int(seed))
    bpy.context.view_layer.objects.active = tube
    say("opened", sorted(character.brought_shapes(tube)))
    for n in range(int(first), int(first) + 1000):
        low = chance.uniform(0.1, 0.8)
        bend(rig, chance.uniform(0.3, 1.5), (chance.uniform(-1, 1), chance.uniform(-1, 1), 0.1))
        refusal = sculpt(tube, f"s{n}", chance.uniform(0.6, 1.6), low, low + 0.2)
        say(*(("refused", refusal) if isinstance(refusal, str) else ("example", f"s{n}")))
        character.end_sculpt(tube)
        bpy.ops.wm.save_mainfile()
        say("saved", sorted(character.brought_shapes(tube)))


def begin(blend):
    rig, _ = make_tube()
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.sinew.open(show=False)
    rig.animation_data.action = None
    bpy.ops.wm.save_mainfile()
    return {"project": sinew.project_of(rig)}


def say(*words):
    print("JSON", json.dumps(words), flush=True)


say({"there_and_back": there_and_back, "vectors": vectors, "begin": begin, "work": work}[CASE](*WORDS))
