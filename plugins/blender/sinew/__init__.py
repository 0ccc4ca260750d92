# SPDX-License-Identifier: MIT
"""Sinew in Blender: sends a character to Sinew, and brings its sculpts, shapes and skins back with live drivers.

Everything goes through the program `sinew`: its command line, and `sinew do --json` for what changes a project.
docs/blender.md shows how it is used."""

import json
import os
import subprocess
import tempfile

import bpy

from . import character as ch
from . import skin as sk

bl_info = {
    "name": "Sinew",
    "description": "Example-based skinning: open a character in Sinew, and play its correctives live",
    "author": "The Sinew maintainers",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Sinew",
    "category": "Rigging",
}

CORRECTIVE = "org.sinew.inverse-psd"  # the layer that fits sculpts

followed = {}  # what is known of a project that is followed, by rig: the state of its file, and the export that runs


# ---- the program ------------------------------------------------------------------------------------------------------------


def program():
    addon = bpy.context.preferences.addons.get(__package__)
    return (addon and addon.preferences.program) or "sinew"


def start(*words):
    try:
        pipe = subprocess.PIPE
        return subprocess.Popen([program(), *words], stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    except OSError as error:
        problem = f"'{program()}' does not run ({error.strerror}); set the program in the add-on's preferences"
        raise ch.Refused(problem) from error


def finish(process, text=None):
    """Standard output of a command that did all that was asked."""
    out, errors = process.communicate(text)
    if process.returncode not in (0, 4):  # 4: without a layer whose plug-in is missing
        raise ch.Refused((errors.strip() or out.strip() or f"sinew ended with status {process.returncode}").splitlines()[-1])
    return out


def run(*words, text=None):
    return finish(start(*words), text)


def quoted(*words):
    """A line of a script of `sinew do`."""
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words) + "\n"


# ---- projects ---------------------------------------------------------------------------------------------------------------


def project_of(rig):
    path = bpy.path.abspath(rig.get("sinew_project", ""))
    if not os.path.exists(path):
        raise ch.Refused(f"'{rig.name}' has no project{f' at {path}' if path else ''}; use Open in Sinew")
    return path


def send(rig):
    """Sends a character: a new project beside the file, or the same one again. Returns the project and what was done."""
    if not bpy.data.filepath:
        raise ch.Refused("save the file first: the project is put beside it")
    path = bpy.path.abspath(rig.get("sinew_project", f"//{bpy.path.clean_name(rig.name)}.sinew"))
    exists = os.path.exists(path)
    if exists and rig.get("sinew_skin"):
        return path, "its skin is the project's by now, so the character was not sent again"
    if exists and "sinew_project" not in rig:
        raise ch.Refused(f"{path} is there already, and is not of this rig; rename one of them")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, f"{bpy.path.clean_name(rig.name)}.glb")
        ch.send(rig, file)
        run("reimport", path, file, "--json") if exists else run("import", file, "-o", path, "--json")
    rig["sinew_project"] = bpy.path.relpath(path)
    return path, "sent again" if exists else "sent"


def begin_export(rig, folder):
    return start("export", project_of(rig), "-o", os.path.join(folder, "skin.snwskin"), "--influences", "8", "--json")


def read_export(process, folder):
    finish(process)
    with open(os.path.join(folder, "skin.snwskin"), "rb") as file:
        return sk.Skin(file.read())


def read_skin(rig):
    with tempfile.TemporaryDirectory() as folder:
        return read_export(begin_export(rig, folder), folder)


def put_example(rig, thing, name, folder):
    """Stores the mesh as it is shown, and the pose, as an example: one step of the project's history."""
    skin, path = read_skin(rig), project_of(rig)
    mesh = next((m for m, named in enumerate(skin.meshes) if ch.mesh_named(rig, named) == thing), None)
    if mesh is None:
        raise ch.Refused(f"the project has no mesh '{thing.name}'")
    file = os.path.join(folder, "sculpt.obj")
    with open(file, "w", encoding="ascii") as obj:
        obj.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in ch.shown_points(skin, mesh, thing, rig).tolist())
        obj.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in skin.triangles[mesh].tolist())
    pose = [word for pair in ch.Pose(sk.Drives(skin.record()), rig.evaluated_get(bpy.context.evaluated_depsgraph_get())).words()
            for word in pair]
    there = {example["name"] for example in json.loads(run("example", path, "list", "--json"))["examples"]}
    if name in there:
        raise ch.Refused(f"the project has an example '{name}' already; give another name")
    run("do", path, "--json", "--as-one", text=quoted("pose", "add", name, "--replace", *pose) +
        quoted("example", "add", "--name", name, "--pose", name, "--file", file, "--mesh", skin.meshes[mesh]))
    if not any(layer["deformer"] == CORRECTIVE for layer in json.loads(run("info", path, "--json"))["stack"]):
        run("fit", "inverse-psd", path, "--json")  # later sculpts are fitted by their own step


# ---- following --------------------------------------------------------------------------------------------------------------


def state_of(path):
    """It differs after each change of a project."""
    stats = [os.stat(path + end) for end in ("", "-wal", "-journal") if os.path.exists(path + end)]
    return [(stat.st_mtime_ns, stat.st_size) for stat in stats]


def follow_rig(rig):
    """One look at a project: begins an export where it has changed, and takes in one that has ended. Returns what was done."""
    known = followed.setdefault(rig.name, {"state": None, "process": None})
    process = known["process"]
    if process is None:
        state = state_of(project_of(rig))
        if state != known["state"]:
            folder = tempfile.TemporaryDirectory()
            known.update(state=state, folder=folder, process=begin_export(rig, folder.name))
    elif process.poll() is not None and bpy.context.mode in ("OBJECT", "POSE"):
        known["process"], folder = None, known.pop("folder")
        with folder:
            return ch.receive(read_export(process, folder.name), rig)
    return None


def follow():
    """A timer: looks at the projects of all rigs."""
    if not bpy.context.window_manager.sinew_follow:
        return None
    for rig in [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE" and thing.get("sinew_project")]:
        try:
            done = follow_rig(rig)
            if done:
                rig["sinew_status"] = done
        except (ch.Refused, ValueError) as error:
            rig["sinew_status"] = str(error)
    return 0.5


def follow_changed(window_manager, _):
    if window_manager.sinew_follow and not bpy.app.timers.is_registered(follow):
        bpy.app.timers.register(follow, persistent=True)


# ---- operators --------------------------------------------------------------------------------------------------------------


class Step(bpy.types.Operator):
    """What all operators share: a refusal is one line."""

    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        if context.mode not in ("OBJECT", "POSE") and self.leaves_mode:
            bpy.ops.object.mode_set(mode="OBJECT")
        try:
            rig = ch.rig_of(context.object)
            rig["sinew_status"] = done = self.act(context, rig)
        except (ch.Refused, ValueError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, done)
        return {"FINISHED"}

    leaves_mode = True


class SINEW_OT_open(Step):
    """Sends the character with its rig, shapes and action to Sinew, and opens the project there"""

    bl_idname, bl_label = "sinew.open", "Open in Sinew"
    show: bpy.props.BoolProperty(name="Show", description="Open Sinew's window", default=True)

    def act(self, context, rig):
        path, done = send(rig)
        if self.show:
            subprocess.Popen([program(), "view", path], start_new_session=True)
        return f"{os.path.basename(path)}: {done}"


class SINEW_OT_update(Step):
    """Brings sculpts, shapes and skins of the project back, with live drivers"""

    bl_idname, bl_label = "sinew.update", "Update from Sinew"

    def act(self, context, rig):
        return ch.receive(read_skin(rig), rig)


class SINEW_OT_sculpt(Step):
    """Begins a sculpt in the pose that is shown: a shape key to sculpt on"""

    bl_idname, bl_label = "sinew.sculpt", "New Sculpt"

    def act(self, context, rig):
        if context.object.type != "MESH":
            raise ch.Refused("select the mesh that you want to sculpt")
        ch.begin_sculpt(context.object)
        return f"sculpt on the shape key '{ch.SCULPT}', then send it"


class SINEW_OT_send_sculpt(Step):
    """Stores the mesh as it is shown as an example in the pose that is shown"""

    bl_idname, bl_label = "sinew.send_sculpt", "Send Sculpt"
    name: bpy.props.StringProperty(name="Name", description="The name of the example and of its pose", default="sculpt")

    def invoke(self, context, _):
        return context.window_manager.invoke_props_dialog(self)

    def act(self, context, rig):
        if context.object.type != "MESH":
            raise ch.Refused("select the mesh that you have sculpted")
        with tempfile.TemporaryDirectory() as folder:
            put_example(rig, context.object, self.name, folder)
        ch.end_sculpt(context.object)
        return f"'{self.name}' is an example; " + ch.receive(read_skin(rig), rig)


class SINEW_PT_panel(bpy.types.Panel):
    bl_label, bl_idname, bl_space_type, bl_region_type, bl_category = "Sinew", "SINEW_PT_panel", "VIEW_3D", "UI", "Sinew"

    def draw(self, context):
        for operator in (SINEW_OT_open, SINEW_OT_update, SINEW_OT_sculpt, SINEW_OT_send_sculpt):
            self.layout.operator(operator.bl_idname)
        self.layout.prop(context.window_manager, "sinew_follow")
        try:
            status = ch.rig_of(context.object).get("sinew_status", "")
        except ch.Refused as refusal:
            status = str(refusal)
        for line in status.split("; "):
            self.layout.label(text=line)


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __package__
    program: bpy.props.StringProperty(
        name="Program", description="The command line of Sinew", default="sinew", subtype="FILE_PATH")

    def draw(self, _):
        self.layout.prop(self, "program")


CLASSES = (Preferences, SINEW_OT_open, SINEW_OT_update, SINEW_OT_sculpt, SINEW_OT_send_sculpt, SINEW_PT_panel)


@bpy.app.handlers.persistent
def register_drivers(*_):
    """Files that are opened have drivers that call these."""
    bpy.app.driver_namespace.update(sinew_coefficient=ch.coefficient, sinew_helper=ch.helper_channel)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.WindowManager.sinew_follow = bpy.props.BoolProperty(
        name="Follow the Project", description="Update whenever the project changes", update=follow_changed)
    register_drivers()
    bpy.app.handlers.load_pre.append(register_drivers)
    bpy.app.handlers.load_post.append(register_drivers)


def unregister():
    for handlers in (bpy.app.handlers.load_pre, bpy.app.handlers.load_post):
        handlers.remove(register_drivers)
    for name in ("sinew_coefficient", "sinew_helper"):
        bpy.app.driver_namespace.pop(name, None)
    del bpy.types.WindowManager.sinew_follow
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
