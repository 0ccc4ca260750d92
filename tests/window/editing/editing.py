# SPDX-License-Identifier: GPL-3.0-or-later
"""Editing examples, layers and parameters from the panels, and the meshes from the menu."""

import json
import re
import sqlite3
import struct

from harness import answer, sinew
from driver import arm, opened, pose_points
from limbs import write_gltf


def example_is_muted_alone_mirrored_and_deleted(folder):
    with opened(arm(folder), drawn=True) as window:
        window.click("side/elbow-130")
        window.wait("example elbow-130")
        window.click("side/Go to")
        window.wait("example-go")
        assert window.report()["pose"] == "elbow-130"
        whole = window.picture()
        window.click("side/Mute")
        window.wait("example-mute")
        muted = window.picture()
        assert window.changed(whole, muted) > 100
        window.click("side/Mute")
        window.wait("example-mute")
        assert window.changed(whole, window.picture()) == 0
        window.click("side/Solo")
        window.wait("example-solo")
        assert window.changed(whole, window.picture()) == 0
        window.click("side/Delete")
        window.wait("example-remove")
        assert "elbow-130" not in window.report()["examples"]
        window.key("ctrl+z", "undo")
        assert "elbow-130" in window.report()["examples"]
        assert window.changed(whole, window.picture()) == 0


def parameter_is_set_and_taken_back(folder):
    project = arm(folder)
    with opened(project) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("side/Inverse pose space deformation##inverse-psd")
        window.wait("layer 1")
        window.type_into("side/##width", "45")  # degrees
        window.wait("set width=0.785398163")
        window.report()
        assert answer("stack", project, "list")["layers"][1]["settings"] == {"width": 0.785398163}
        window.click("side/Reset")
        window.wait("unset width")
        window.report()
        assert answer("stack", project, "list")["layers"][1]["settings"] == {}
        window.click("side/Mute")
        window.wait("layer-mute")
        window.report()
        assert answer("stack", project, "list")["layers"][1]["muted"]
        window.click("side/Down")
        window.wait("layer-down")
        state = window.report()
        assert state["layers"] == ["inverse-psd", "linear-blend"], state["message"]
        window.key("ctrl+z", "undo")
        assert window.report()["layers"] == ["linear-blend", "inverse-psd"]


def points(project):
    return sum(mesh["points"] for mesh in answer("info", project)["meshes"])


def give_normals(project):
    """Custom normals to each corner of each mesh."""
    with sqlite3.connect(project) as file:
        for mesh, corners in file.execute("SELECT id, length(face_points) / 4 FROM mesh").fetchall():
            file.execute("UPDATE mesh SET corner_normals = ? WHERE id = ?", (struct.pack("<3f", 0, 0, 1) * corners, mesh))
    file.close()


def subdivided_character_is_one_step_and_its_export_tells_the_loss_first(folder):
    project, file = arm(folder), folder / "out.glb"
    coarse = points(project)
    give_normals(project)
    with opened(project) as window:
        window.click("##MainMenuBar/Edit")
        window.click("##Menu_00/Subdivide by Catmull-Clark")
        window.wait("subdivide-catmull-clark")
        state = window.report()
        assert state["layers"] == ["linear-blend", "animation-space", "inverse-psd"], state["layers"]
        fine = points(project)
        for words in (f"{fine} points (were {coarse})", "linear-blend is muted", "custom normals and tangents are dropped"):
            assert fine > 3 * coarse and words in state["message"], (fine, state["message"])
        window.key("ctrl+e", "export")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(file)
        window.wait("export ")
        state = window.report()
        words = " ".join(name for name in state["words"] if name.startswith("What the export loses/"))
        assert re.search(r"engine shows points at most [\d.]+ mm from where you see them", words) and "of an affine blend" in words, words
        assert not file.exists()
        window.click("What the export loses/Export")
        window.wait("export-write")
        window.report()
        assert file.exists()
        window.key("ctrl+z", "undo")
        assert window.report()["layers"] == ["linear-blend", "inverse-psd"]
        assert points(project) == coarse
        window.click("##MainMenuBar/Edit")
        window.click("##Menu_00/Subdivide by Loop")
        window.wait("subdivide-loop")
        state = window.report()
        assert state["alarmed"] and "catmull-clark" in state["message"], state["message"]
        assert points(project) == coarse


def export_without_clips_says_what_an_engine_shows_by_itself(folder):
    """There is no animation, so nothing drives the file's morph targets but a player of the pose space."""
    still = write_gltf(folder / "still.gltf")
    document = json.loads(still.read_text())
    del document["animations"]
    still.write_text(json.dumps(document))
    project, sculpt = folder / "still.sinew", folder / "sculpt.obj"
    sinew("import", still, "-o", project)
    sinew("pose", project, "add", "bent", "--rotate", "lower_l=0,0,1.2")
    points = pose_points(project, folder, "bent")
    shown = (folder / "shown.obj").read_text().splitlines()
    sculpt.write_text("\n".join([*(f"v {x} {y + (0.01 if x > 0.25 else 0)} {z}" for x, y, z in points),
                                 *(line for line in shown if not line.startswith("v "))]))
    sinew("example", project, "add", "--name", "bent", "--pose", "bent", "--file", sculpt)
    sinew("fit", "inverse-psd", project)
    with opened(project) as window:
        window.key("ctrl+e", "export")
        window.report()
        window.tool("key", "ctrl+a")
        window.write("still.glb")
        window.wait("export ")
        state = window.report()
        words = " ".join(name for name in state["words"] if name.startswith("What the export loses/"))
        lengths = [float(re.search(pattern, words)[1]) for pattern in (r"by itself: points are up to ([\d.]+) mm", r"in the file: at most ([\d.]+) mm")]
        assert abs(lengths[0] - 10) < 0.2 and lengths[1] < 0.2 and "the named poses" in words, words
        window.click("What the export loses/Discard")
        window.wait("export-drop")
    answered = answer("export", project, "-o", folder / "still.glb")
    assert answered["undriven_max_percent"] > 10 * answered["max_percent"] and answered["clips"] == 0, answered


CASES = [example_is_muted_alone_mirrored_and_deleted, parameter_is_set_and_taken_back,
         export_without_clips_says_what_an_engine_shows_by_itself]
LONG = [subdivided_character_is_one_step_and_its_export_tells_the_loss_first]
