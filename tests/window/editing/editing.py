#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Editing examples, layers and parameters from the panels, and the meshes from the menu."""

import re
import sqlite3
import struct

from harness import answer, run
from driver import Window, arm
from under_xvfb import under_xvfb


def example_is_muted_alone_mirrored_and_deleted(folder):
    with Window(folder, arm(folder)) as window:
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
    with Window(folder, project) as window:
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
    with Window(folder, project) as window:
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
        assert re.search(r"points are at most [\d.]+ mm from where you see them", words) and "of an affine blend" in words, words
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


if __name__ == "__main__":
    under_xvfb()
    run([example_is_muted_alone_mirrored_and_deleted, parameter_is_set_and_taken_back,
         subdivided_character_is_one_step_and_its_export_tells_the_loss_first])
