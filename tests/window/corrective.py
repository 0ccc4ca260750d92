#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A first corrective from beginning to end, with the mouse: pose an elbow, sculpt with three brushes, fit, scrub, undo it all, do it
again, save, be killed in mid-stroke, recover, export."""

import json
import shutil
import struct

from harness import answer, run, sinew
from stage import Window, arm, home
from under_xvfb import under_xvfb


def bend_elbow(window):
    window.click("poses/rest")
    window.wait("pose rest")
    window.click_joint("elbow")
    window.type_into("side/z##turn", "90")
    window.wait("turn 0 0 90 elbow")


def stroke(window, brush, *moves):
    """One stroke that begins at the elbow. What was done last then."""
    window.click("side/" + brush.capitalize())
    window.wait("brush " + brush)
    x, y, _, _ = window.report()["joints"]["elbow"]
    window.drag((x, y), moves)
    window.wait("stroke-end")
    return window.report()


def glb_document(path):
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    return json.loads(data[20:20 + size])


def first_corrective_from_pose_to_export(folder):
    project = arm(folder, fitted=False)
    with Window(folder, project) as window:
        bend_elbow(window)
        window.key("Tab", "posing")
        bent = window.picture()
        state = stroke(window, "grab", (10, 4), (10, 4), (10, 4))
        assert state["history"][-1] == "grab elbow" and state["examples"]["elbow"] == 1
        assert "inverse-psd" in state["layers"], "the corrective is not live when the stroke ends"
        sculpted = window.picture()
        assert window.changed(bent, sculpted) > 100
        state = stroke(window, "inflate", (6, 0), (6, 0))
        assert state["history"][-1] == "inflate elbow"
        state = stroke(window, "smooth", (5, 5), (5, 5))
        assert state["history"][-3:] == ["grab elbow", "inflate elbow", "smooth elbow"]
        window.key("Tab", "posing")
        # Fit in the worker, with the errors before and after.
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("side/Fit")
        window.wait("fit")
        state = window.report()
        # It finds what the last stroke's corrective found already, and a command that changes nothing leaves no entry.
        assert state["undo"] == "smooth elbow" and state["message"].startswith("Fitted inverse-psd"), state["message"]
        done = state["history"]
        # Scrub: the corrective acts in the clip.
        window.scrub(0.35)
        scrubbed = window.picture()
        window.tool("keydown", "b")
        window.wait("before 1")
        assert window.changed(scrubbed, window.picture()) > 50
        window.tool("keyup", "b")
        window.wait("before 0")
        # Undo everything, redo everything.
        while window.report()["undo"]:
            window.key("ctrl+z", "undo")
        state = window.report()
        assert state["history"] == done[:1] and "elbow" not in state["examples"]
        while window.report()["redo"]:
            window.key("ctrl+shift+z", "redo")
        assert window.report()["history"] == done
        assert window.changed(scrubbed, window.picture()) == 0
        window.key("ctrl+s", "save")
        assert window.report()["saved"]
        # Killed in the middle of a stroke.
        window.click("outliner/elbow")
        window.click("poses/elbow")
        window.wait("pose elbow")
        window.key("Tab", "posing")
        state = stroke(window, "grab", (8, 0), (8, 0))
        assert state["history"][-1] == "grab elbow" and not state["saved"]
        x, y, _, _ = state["joints"]["elbow"]
        window.tool("mousemove", "--window", window.id, round(x), round(y), "mousedown", 1, "mousemove_relative", "--", 12, 0)
        window.wait("dab")
        window.kill()
    whole = done + ["grab elbow"]
    assert [row["label"] for row in answer("history", project)["history"]] == whole, "a finished stroke was lost"
    with Window(folder, project) as window:
        state = window.report()
        assert "The last session did not end by itself/Go on where it stopped" in state["widgets"]
        window.click("The last session did not end by itself/Back to what was saved")
        window.wait("revert")
        assert window.report()["history"] == done
        window.key("ctrl+shift+z", "redo")
        assert window.report()["history"] == whole
        # Export, with its error shown before it is written.
        window.key("ctrl+e", "export")
        window.report()
        window.click("Export/##name")
        window.tool("key", "ctrl+a")
        window.tool("type", "out.glb")
        window.tool("key", "Return")
        window.wait(f"export {folder.resolve()}/out.glb")
        state = window.report()
        assert not (folder / "out.glb").exists()
        window.click("What the export loses/Write the file")
        window.wait("export-write")
        window.report()
    document = glb_document(folder / "out.glb")
    names = [name for mesh in document["meshes"] for name in mesh.get("extras", {}).get("targetNames", [])]
    assert any("elbow" in name for name in names), names
    assert document["skins"] and len(document["animations"]) == 3
    assert not list(folder.glob(".sinew-*")), "an export that waited is left behind"
    rows = answer("measure", project)["errors"]
    assert rows


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
        window.click("side/inverse-psd")
        window.wait("layer 1")
        window.type_into("side/##width", "0.8")
        window.wait("set width=0.8")
        window.report()
        assert answer("stack", project, "list")["layers"][1]["settings"] == {"width": 0.8}
        window.click("side/reset")
        window.wait("set width=0")
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


def script_does_again_what_was_recorded(folder):
    project = arm(folder, fitted=False)
    script = folder / "bend.txt"
    script.write_text("# the elbow\njoint elbow\nturn 0 0 90 elbow\npose-add bent\nposing\nbrush inflate\nradius 6\n"
                      "stroke 0.425 0.4 1\ndab 0.43 0.42 1\nstroke-end\npicture shown.png\nwrite-script\nquit\n")
    twice = [folder / "one", folder / "two"]
    for place in twice:
        place.mkdir()
        if place is twice[1]:  # what was recorded ends where it was written, before the end
            again = folder / "again.txt"
            again.write_text((twice[0] / "arm-session-1.txt").read_text() + "quit\n")
        copy = shutil.copy(project, place / "arm.sinew")
        sinew("view", copy, "--script", script if place is twice[0] else again, "--size", "900x600", cwd=place,
              env={"XDG_CONFIG_HOME": str(place), "XDG_STATE_HOME": str(place), "XDG_DATA_HOME": str(place)})
    lists = [[row["label"] for row in answer("history", place / "arm.sinew")["history"]] for place in twice]
    assert lists[0] == lists[1] and "inflate bent" in lists[0], lists
    assert (twice[1] / "shown.png").exists()


def sculpt_dropped_on_an_example_becomes_it(folder):
    project = arm(folder, fitted=False)
    sculpt, script = folder / "sculpt.obj", folder / "drop.txt"
    sinew("export", project, "-o", sculpt, "--pose", "elbow-130", "--method", "linear-blend")
    script.write_text(f"example elbow-130\ndrop {sculpt}\nquit\n")
    before = [row["label"] for row in answer("history", project)["history"]]
    sinew("view", project, "--script", script, cwd=folder, env=home(folder))
    after = [row["label"] for row in answer("history", project)["history"]]
    assert after[:len(before)] == before and len(after) == len(before) + 1, after


def read_only_project_is_looked_at_and_saved_elsewhere(folder):
    project = arm(folder)
    project.chmod(0o444)
    folder.chmod(0o755)
    with Window(folder, project) as window:
        state = window.report()
        if state["alarmed"]:  # root may write everywhere
            assert "read-only" in state["message"]
    project.chmod(0o644)


if __name__ == "__main__":
    under_xvfb()
    run([first_corrective_from_pose_to_export, example_is_muted_alone_mirrored_and_deleted, parameter_is_set_and_taken_back,
         script_does_again_what_was_recorded, sculpt_dropped_on_an_example_becomes_it, read_only_project_is_looked_at_and_saved_elsewhere])
