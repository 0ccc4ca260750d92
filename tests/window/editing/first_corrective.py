# SPDX-License-Identifier: GPL-3.0-or-later
"""A first corrective from beginning to end, with the mouse and the keys, on the human of the test data (else on the sample arm): open
the character, pose an elbow, sculpt with three brushes, add an example, fit, scrub, undo it all, do it again, save, be killed in
mid-stroke, recover, export. What was exported is read again and held against the stack that made it."""

import os
import shutil
import subprocess
from pathlib import Path

from harness import DATA, answer, sinew
from driver import HEIGHT, Window, arm, glb_document, pose_points


class Human:
    elbow, rotation, clip, times = "lowerarm_l", {"x": 70}, "rom", (0.75, 3.75)
    sculpt, group = "Left elbow 70°", "Left elbow"

    @staticmethod
    def put(folder):
        return shutil.copy(Path(DATA) / "human-rig" / "human.glb", folder / "hero.glb")


class Arm:
    elbow, rotation, clip, times = "elbow", {"z": 90}, "bend", (0.25, 0.5)
    sculpt, group = "Elbow 90°", "elbow"  # the sample has that group

    @staticmethod
    def put(folder):
        return arm(folder, fitted=False).rename(folder / "hero.sinew")


HERO = Human if (Path(DATA) / "human-rig" / "human.glb").exists() else Arm


def open_by_name(window, name):
    """The file browser shows the folder that the program was started in, and its field for the name has the keys."""
    window.key("ctrl+o", "open")
    window.report()
    window.write(name)
    window.wait("open ")
    state = window.report()
    assert state["path"].endswith("hero.sinew") and not state["alarmed"], state["message"]
    return Path(state["path"])


def bend_elbow(window):
    window.click("poses/rest")
    window.wait("pose rest")
    window.click_joint(HERO.elbow)
    for axis, degrees in HERO.rotation.items():
        window.type_into(f"side/{axis}##rotation", degrees)
        window.wait("rotate ")
    title = HERO.sculpt.rsplit(" ", 1)[0]  # what its sculpts will be called after
    assert (f"side/{title}" in window.report()["words"]) == (title.lower() != HERO.elbow)
    window.key("f", "frame-chosen")


def stroke(window, brush, *moves):
    """One stroke that begins at the elbow. What was done last then."""
    window.click("side/" + brush.capitalize())
    window.wait("brush " + brush)
    x, y, _, _ = window.report()["joints"][HERO.elbow]
    window.drag((x, y), moves)
    window.wait("stroke-end")
    state = window.report()
    assert state["undo"] == f"{brush} {HERO.sculpt}", state["undo"]
    return state


def sculpt(window):
    window.key("Tab", "posing")
    state = stroke(window, "grab", (10, 4), (10, 4), (10, 4))
    title = HERO.sculpt.rsplit(" ", 1)[0]
    assert state["message"].startswith(f"{title} drives the new example {HERO.sculpt}."), state["message"]
    assert abs(state["examples"][HERO.sculpt] - 1) < 1e-3 and "inverse-psd" in state["layers"], "not live when the stroke ends"
    stroke(window, "inflate", (6, 0), (6, 0))
    stroke(window, "smooth", (5, 5), (5, 5))
    window.key("Tab", "posing")


def show_group(window):
    """A click on a group scrolls the panel to the last of its controls, and the wheel back."""
    group = HERO.group
    tabs = window.report()["widgets"]["side/Stack"]
    window.click(f"side/{group}##group")
    window.wait("group " + group)
    state = window.report()
    x, y, width, height = state["widgets"]["side/##group-joint"]
    assert y + height < HEIGHT and state["widgets"]["side/Stack"] == tabs, "the tabs scroll with what is below them"
    window.point(x + width / 2, HEIGHT / 2)
    for _ in range(12):
        window.tool("click", 4)
    window.click(f"side/{HERO.sculpt}")
    window.wait("example " + HERO.sculpt)


def add_example(window):
    """Of a clip's moment, where the elbow is bent otherwise."""
    window.scrub(0.35)
    before = window.report()
    window.click("side/Add")
    window.wait("example-add")
    state = window.report()
    assert len(state["examples"]) == len(before["examples"]) + 1, state["message"]
    return state


def fit(window):
    window.click("side/Stack")
    window.wait("tab 1")
    window.click("side/Fit")
    window.wait("fit")
    state = window.report()
    assert state["message"].startswith("Fitted Inverse pose space deformation"), state["message"]


def scrub(window):
    """The corrective acts in the clip."""
    for fraction in (0.2, 0.35, 0.5):
        window.scrub(fraction)
    scrubbed = window.picture()
    window.tool("keydown", "b")
    window.wait("before 1")
    assert window.changed(scrubbed, window.picture()) > 20
    window.tool("keyup", "b")
    window.wait("before 0")
    return scrubbed


def undo_and_redo_everything(window, seen):
    done = window.report()["history"]
    while window.report()["undo"]:
        window.key("ctrl+z", "undo")
    state = window.report()
    assert state["history"] == done[:1] and not state["examples"].keys() & {HERO.sculpt}
    while window.report()["redo"]:
        window.key("ctrl+shift+z", "redo")
    assert window.report()["history"] == done
    window.scrub(0.5)
    assert window.changed(seen, window.picture()) == 0
    return done


def be_killed_in_mid_stroke(window):
    """After a stroke that is whole."""
    window.click("poses/" + HERO.sculpt)
    window.wait("pose " + HERO.sculpt)
    window.key("Tab", "posing")
    state = stroke(window, "grab", (8, 0), (8, 0))
    assert not state["saved"]
    x, y, _, _ = state["joints"][HERO.elbow]
    window.point(x, y)
    window.tool("mousedown", 1, "mousemove_relative", "--", 12, 0)
    window.wait("dab")
    window.kill()


def recover(window, saved, whole):
    """Revert, and on again."""
    assert "Recover unsaved session/Continue" in window.report()["widgets"]
    window.click("Recover unsaved session/Revert")
    window.wait("revert")
    assert window.report()["history"] == saved
    window.key("ctrl+shift+z", "redo")
    assert window.report()["history"] == whole


def export(window, path):
    """With its error shown before it is written."""
    window.key("ctrl+e", "export")
    window.report()
    window.tool("key", "ctrl+a")
    window.write(path.name)
    window.wait(f"export {path.resolve()}")
    assert "What the export loses/Export" in window.report()["widgets"] and not path.exists()
    window.key("Return", "export-write")
    window.report()
    assert not list(path.parent.glob(".sinew-*")), "an export that waited is left behind"


def check_with_validator(path):
    """Where the test of export has installed it."""
    folder = Path(os.environ.get("SINEW_GLTF_VALIDATOR", "none"))
    if (folder / "node_modules" / "gltf-validator").is_dir() and shutil.which("node"):
        program = Path(__file__).parents[2] / "export" / "validator" / "validate.cjs"
        done = subprocess.run(["node", program, folder, path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def check_export(project, path, folder):
    """An engine's side: what a reader of the file sees at moments of the clip is what the stack makes of them."""
    document = glb_document(path)
    names = [name for mesh in document["meshes"] for name in mesh.get("extras", {}).get("targetNames", [])]
    assert any(HERO.sculpt in name for name in names), names
    check_with_validator(path)
    again = folder / "again.sinew"
    sinew("import", path, "-o", again)
    for seconds in HERO.times:
        pose = f"{HERO.clip}:{seconds}"
        linear = pose_points(project, folder, pose, "linear-blend")
        here, there = pose_points(project, folder, pose), pose_points(again, folder, pose)
        assert len(here) == len(there)
        acts, away = largest_distance(here, linear), largest_distance(here, there)
        # Weights in steps of 1/255 move a point by up to 0.13 % of the diagonal.
        assert away < 0.02 * acts + 0.0025, f"at {pose} they are {away} m apart, where the corrective moves {acts} m"
        assert acts > 5e-3, f"the corrective does not act at {pose}"


def largest_distance(one, two):
    return max(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in zip(one, two))


def first_corrective_from_open_to_export(folder):
    HERO.put(folder)
    with Window(folder, drawn=True) as window:
        project = open_by_name(window, next(folder.glob("hero.*")).name)
        bend_elbow(window)
        bent = window.picture()
        sculpt(window)
        assert window.changed(bent, window.picture()) > 100
        show_group(window)
        add_example(window)
        fit(window)
        done = undo_and_redo_everything(window, scrub(window))
        window.key("ctrl+s", "save")
        assert window.report()["saved"]
        be_killed_in_mid_stroke(window)
    whole = done + ["grab " + HERO.sculpt]
    assert [row["label"] for row in answer("history", project)["history"]] == whole, "a finished stroke was lost"
    with Window(folder, project, drawn=True) as window:
        recover(window, done, whole)
        export(window, folder / "out.glb")
    check_export(project, folder / "out.glb", folder)


LONG = [first_corrective_from_open_to_export]
