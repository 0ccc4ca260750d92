# SPDX-License-Identifier: GPL-3.0-or-later
"""The outliner: layers are muted, renamed in place and have a menu; faces are hidden by the joint that moves them; fields give the
keyboard back; what is shown has titles. A fit that makes the examples worse asks before it is kept."""

import os
import shutil
import sys
from pathlib import Path

from harness import answer, sinew
from limbs import limbs
from driver import Window, arm, enter, opened, pose_points

PLUGINS = Path(sys.argv[2]) / "plugin"
TALL = (1000, 900)
CORRECTIVE = "Inverse pose space deformation"


def choose(window, row, entry, state=None):
    """From the menu of a row."""
    window.click(row, button=3, state=state)
    window.click("popup/" + entry)


def layers_have_a_switch_and_a_menu_and_groups_say_what_they_silence(folder):
    """Also: the title names the project, fields give the keyboard back, and a fit that makes the examples worse asks first."""
    project, plugins = arm(folder), folder / "plugins"
    plugins.mkdir()
    shutil.copy(PLUGINS / "small-good.so", plugins)
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{plugins}"}
    with Window(folder, project, size=(1000, 1000), env=env) as window:
        first = window.report()["history"]
        assert window.tool("getwindowname", window.id).strip() == "arm - Sinew"
        layers_are_muted_and_renamed_in_place(window, project)
        window.click("side/elbow##group")
        window.wait("group elbow")
        window.click("side/Delete##group")
        window.wait("group-remove")
        state = window.report()
        assert state["alarmed"] and "elbow-130 is in no group now" in state["message"], state["message"]
        while len(window.report()["history"]) > len(first):
            window.key("ctrl+z", "undo")
        fit_that_makes_the_examples_worse_asks_first(window)


def switches_that_wait_change_their_own_layers(folder):
    """Both are clicked while a fit runs, which ends when it is cancelled. A joint that is selected meanwhile stays selected."""
    project, plugins = arm(folder), folder / "plugins"
    plugins.mkdir()
    shutil.copy(PLUGINS / "small-waits-for-stop.so", plugins)
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{plugins}"}
    sinew("stack", project, "add", "smooth")
    with Window(folder, project, size=(1000, 1000), env=env) as window:
        window.click("side/Stack")
        window.wait("tab")
        window.choose_method("Small")
        window.wait("fit test-small")
        state = window.report_at_once()
        while "side/Cancel" not in state["widgets"]:
            state = window.report_at_once()
        for layer in "inverse-psd", "smooth":
            window.click(f"outliner/##on-{layer}", state=state)
            window.wait("layer ")
        window.click("outliner/wrist", state=state)
        window.wait("joint wrist")
        state = window.report_at_once()
        assert state["busy"], "the fit was done before it was cancelled"
        window.click("side/Cancel", state=state)
        window.wait("cancel")
        report = window.report()
        muted = {layer["name"]: layer["muted"] for layer in answer("stack", project, "list")["layers"]}
        assert muted == {"linear-blend": False, "inverse-psd": True, "smooth": True}, (muted, report["history"])
        assert report["layer"] == "smooth" and report["joint"] == "wrist", (report["layer"], report["joint"])


def layers_are_muted_and_renamed_in_place(window, project):
    window.click("outliner/##on-inverse-psd")
    window.wait("layer-mute")
    window.report()
    assert answer("stack", project, "list")["layers"][1]["muted"]
    window.click("side/History")
    window.wait("tab 3")
    assert f"side/mute layer {CORRECTIVE}" in window.report()["widgets"], "a method by its short name"
    window.click("side/Shape")
    window.wait("tab 0")
    choose(window, f"outliner/{CORRECTIVE}##layer-inverse-psd", "Unmute")
    window.wait("layer-mute")
    window.report()
    choose(window, f"outliner/{CORRECTIVE}##layer-inverse-psd", "Rename")
    window.report()
    window.tool("key", "ctrl+a")
    window.write("elbows")
    window.wait("layer-name elbows")
    state = window.report()
    assert state["layers"] == ["linear-blend", "elbows"] and "outliner/elbows##layer-elbows" in state["widgets"]
    assert not answer("stack", project, "list")["layers"][1]["muted"]
    window.key("Tab", "posing")  # the field has given the keyboard back
    examples_groups_and_joints_are_renamed_in_place(window)
    choose(window, "poses/both", "Rename")
    window.report()
    window.tool("key", "Escape")
    window.report()
    window.key("Tab", "posing")
    choose(window, "outliner/elbows##layer-elbows", "Move down")
    window.wait("layer-down")
    assert window.report()["layers"] == ["elbows", "linear-blend"]
    window.key("ctrl+z", "undo")


def examples_groups_and_joints_are_renamed_in_place(window):
    for row, name, command in (("side/elbow-130", "bent", "example-name"), ("side/elbow##group", "arm", "group-name"),
                               ("outliner/wrist", "hand", "joint-name")):
        choose(window, row, "Rename")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(name)
        window.wait(f"{command} {name}")
    state = window.report()
    assert "bent" in state["examples"] and state["groups"]["arm"]["examples"] == ["bent"] and "hand" in state["joints"], state["groups"]
    choose(window, "side/bent", "Mute")
    window.wait("example-mute")
    assert window.report()["muted"] == ["bent"]
    choose(window, "side/arm##group", "Move down")
    window.wait("group-later")
    assert list(window.report()["groups"]) == ["wrist", "arm"]
    for _ in range(5):
        window.key("ctrl+z", "undo")
    assert list(window.report()["groups"]) == ["elbow", "wrist"]


def fit_that_makes_the_examples_worse_asks_first(window):
    before = window.report()["history"]
    for kept, button, command in (False, "Discard", "fit-drop"), (True, "Keep", "fit-keep"):
        window.click("side/Stack")
        window.wait("tab 1")
        state = window.report()
        where = [name for name in state["words"] if name.startswith("side/GPU  ")]
        assert where[0].startswith(f"side/GPU  Linear blend + {CORRECTIVE}"), where
        window.click("side/##add-layer", state=state)
        opened = window.report()["widgets"]  # "needs a fit" stands beside the longest title, not on it
        assert opened["list/" + CORRECTIVE][2] > state["widgets"]["side/##add-layer"][2] + 10, opened["list/" + CORRECTIVE]
        window.click_in_list("Small")
        window.wait("fit test-small")
        state = window.report()
        words = " ".join(name for name in state["words"] if name.startswith("Keep this fit?/"))
        assert "makes your examples worse" in words and state["history"] == before, (words, state["message"])
        for key in "F1", "F3":  # nothing opens over a question
            window.tool("key", key)
        assert "Keep this fit?/" + button in window.report()["widgets"], "the question is gone"
        window.click("Keep this fit?/" + button)
        window.wait(command)
        state = window.report()
        assert state["dialog"] == 0 and ("test-small" in state["layers"]) == kept, state["layers"]
    assert state["history"] == [*before, "fit test-small"], state["history"]


def fit_that_makes_the_last_of_many_meshes_worse_asks_first(folder):
    fit_that_makes_the_last_mesh_worse_asks_first(folder, "rings", [f"ring-{i}" for i in range(12)])


def fit_that_makes_the_last_mesh_worse_asks_first(folder, dressed=True, meshes=("limbs", "sleeve")):
    project, plugins, sculpt = limbs(folder, dressed=dressed), folder / "plugins", folder / "sculpt.obj"
    plugins.mkdir()
    shutil.copy(PLUGINS / "small-good.so", plugins)
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{plugins}"}
    for mesh in meshes:
        sinew("export", project, "-o", sculpt, "--pose", "bent", "--mesh", mesh)
        sculpt.write_text(sculpt.read_text().replace("v 0.3", "v 0.31"))
        sinew("example", project, "add", "--name", f"bent-{mesh}", "--pose", "bent", "--file", sculpt, "--mesh", mesh)
    sinew("fit", "inverse-psd", project)
    with Window(folder, project, size=(1000, 1000), env=env) as window:
        before = window.report()["history"]
        window.click("side/Stack")
        window.wait("tab 1")
        window.choose_method("Small")
        window.wait("fit test-small")
        state = window.report()
        assert "Keep this fit?/Discard" in state["widgets"] and state["history"] == before, state["message"]
        assert sum(name.startswith("side/Examples of ") for name in state["words"]) == len(meshes)
        window.click("Keep this fit?/Discard", state=state)
        window.wait("fit-drop")


def add_layer(window, title, done):
    window.choose_method(title)
    window.wait(done)
    return window.report()


def layer_for_one_mesh_leaves_the_others_their_blend_and_a_worse_target_asks_first(folder):
    project, plugins, frames = limbs(folder, dressed=True), folder / "plugins", folder / "bend.pc2"
    plugins.mkdir()
    shutil.copy(PLUGINS / "small-good.so", plugins)
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{plugins}"}
    sinew("export", project, "-o", frames, "--clip", "bend", "--mesh", "sleeve", "--method", "dual-quaternion")
    sinew("target", project, "add", "--clip", "bend", "--mesh", "sleeve", "--file", frames, "--fps", "24")
    before = [pose_points(project, folder, "bend:0.5", mesh=mesh) for mesh in ("limbs", "sleeve")]
    with Window(folder, project, size=(1000, 1000), env=env) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        state = add_layer(window, "Skinning arbitrary deformations", "fit sad")
        assert state["layers"] == ["linear-blend", "sad"] and not state["alarmed"], (state["layers"], state["message"])
        limbs_now, sleeve_now = (pose_points(project, folder, "bend:0.5", mesh=mesh) for mesh in ("limbs", "sleeve"))
        assert limbs_now == before[0] and sleeve_now != before[1]
        window.click("poses/bent")
        window.wait("pose bent")
        assert "has no frames of this" in window.report()["message"]
        window.key("ctrl+z", "undo")
        state = add_layer(window, "Small", "fit test-small")
        words = " ".join(name for name in state["words"] if name.startswith("Keep this fit?/"))
        assert "makes bend worse" in words and "test-small" not in state["layers"], (words, state["message"])
        window.click("Keep this fit?/Discard", state=state)
        window.wait("fit-drop")


def masked_faces_are_hidden_until_everything_is_shown(window, corner, shown):
    """Also when the mask changes afterwards, which makes a new document."""
    window.key("ctrl+shift+h", "mask-hide")
    state = window.report()
    assert state["hidden_points"] == 0 and "Nothing is masked" in state["message"], state["message"]
    window.key("ctrl+j", "mask-joint")  # of the mesh under work
    window.key("ctrl+shift+h", "mask-hide")
    window.key("alt+m", "mask-clear")
    state = window.report()
    assert state["hidden_points"] == 17 * 24 and state["hidden_joints"] == [], state["hidden_points"]
    window.point(*corner)
    assert window.changed(shown, window.picture()) > 1500
    window.key("alt+shift+h", "mesh-show-all")
    state = window.report()
    assert state["hidden_points"] == 0, state["hidden_points"]
    window.point(*corner)
    assert window.changed(shown, window.picture()) == 0


def faces_of_a_joint_are_hidden_and_the_filter_ends_with_its_character(folder):
    other = folder / "other"
    other.mkdir()
    second = limbs(other)
    with opened(limbs(folder, dressed=True), TALL, drawn=True) as window:
        enter(window, "bent")
        corner = window.report()["viewport"][0] + 8, 200
        window.point(*corner)
        shown = window.picture()
        window.click("outliner/##joint-filter")
        window.tool("type", "lower_l")
        window.tool("key", "Return")
        window.wait("joint lower_l")
        assert "outliner/upper_l" not in window.report()["widgets"]
        window.key("ctrl+h", "joint-hide")
        state = window.report()
        assert state["hidden_joints"] == ["lower_l"]
        window.point(*corner)
        hidden = window.picture()
        assert window.changed(shown, hidden) > 1500
        choose(window, "outliner/lower_l", "Show faces")
        window.wait("joint-hide")
        window.point(*corner)
        assert window.report()["hidden_joints"] == [] and window.changed(shown, window.picture()) == 0
        masked_faces_are_hidden_until_everything_is_shown(window, corner, shown)
        window.key("ctrl+h", "joint-hide")
        window.key("ctrl+j", "mask-joint")  # which makes a new document
        state = window.report()
        assert state["hidden_joints"] == ["lower_l"] and state["undo"].startswith("mask"), (state["hidden_joints"], state["undo"])
        x, y, _, _ = state["joints"]["lower_l"]
        window.drag((x + 20, y - 60), [(5, 0), (5, 0)])  # where the hidden forearm was: the view is turned
        window.wait("orbit")
        assert not window.report()["examples"]
        window.key("ctrl+o", "open")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(second)
        window.wait(f"open {second}")
        state = window.report()
        assert "outliner/upper_r" in state["widgets"] and state["hidden_joints"] == []


def rows_out_of_sight_are_not_drawn_and_come_with_the_wheel(folder):
    """A character of 100 meshes, 300 joints and 200 sculpts in as many groups and poses: of each list, what fits in it is drawn."""
    project = folder / "limbs.sinew"
    sinew("sample", "limbs", "-o", project)
    with opened(project) as window:
        state = window.report()
        assert state["rows_out"] > 900, state["rows_out"]
        first, last = "outliner/limb 1##mesh", "outliner/limb 100##mesh"
        assert state["widgets"][last][1] > state["widgets"][first][1] + 90 * state["widgets"][first][3]
        assert last not in state["unexplained"]
        x, y, _, height = state["widgets"][first]
        window.point(x + 30, y + height / 2)
        window.tool("click", "--repeat", 60, 5)
        window.click(last)
        window.wait("mesh limb 100")
        assert window.report()["mesh"] == "limb 100"
        assert "outliner/Hide##limb 100" in window.report()["widgets"] and "outliner/Hide##limb 1" not in window.report()["widgets"]


CASES = [layers_have_a_switch_and_a_menu_and_groups_say_what_they_silence, switches_that_wait_change_their_own_layers,
         fit_that_makes_the_last_mesh_worse_asks_first, faces_of_a_joint_are_hidden_and_the_filter_ends_with_its_character,
         rows_out_of_sight_are_not_drawn_and_come_with_the_wheel]
LONG = [layer_for_one_mesh_leaves_the_others_their_blend_and_a_worse_target_asks_first,
        fit_that_makes_the_last_of_many_meshes_worse_asks_first]
