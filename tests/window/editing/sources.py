# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples made from others and from a folder, with the mouse and the keys: in-betweens, combinations, sculpts by name and mirrored."""

import math
import re
import shutil

from harness import answer, obj_points, refusal, sinew, write_moved_obj
from limbs import limbs
from driver import OneWindow, Window, arm, opened, pose_points, stroke

TALL = (1100, 1000)  # the whole right panel


def farthest(one, other):
    return max(math.dist(p, q) for p, q in zip(one, other, strict=True))


def in_between_is_added_sculpted_and_undone(window):
    window.click("side/elbow-130")
    window.wait("example elbow-130")
    window.click("side/Between")
    window.wait("example-between")
    window.report()
    window.tool("key", "ctrl+a")
    window.write("60")
    window.wait("example-between 60")
    state = window.report()
    assert state["pose"] == "elbow-130-60" and not state["alarmed"], (state["pose"], state["message"])
    assert state["groups"]["elbow"]["examples"] == ["elbow-130", "elbow-130-60"], state["groups"]
    assert state["undo"] == "add in-between of elbow-130"
    window.key("Tab", "posing")
    assert stroke(window)["groups"] == state["groups"]  # the stroke goes into the new example
    window.key("ctrl+z", "undo")
    window.key("ctrl+z", "undo")
    assert window.report()["groups"]["elbow"]["examples"] == ["elbow-130"]


def groups_are_combined_by_the_list(window):
    window.click("side/elbow##group")
    window.wait("group elbow")
    window.click("side/##combine")
    window.click("list/wrist")
    window.wait("group-combine wrist")
    state = window.report()
    assert state["pose"] == "elbow+wrist" and state["groups"]["elbow+wrist"] == {"joints": ["elbow", "wrist"], "examples": ["elbow+wrist"]}, state["groups"]
    window.key("ctrl+z", "undo")
    assert "elbow+wrist" not in window.report()["groups"]


def falloffs_have_names(folder):
    project = arm(folder)
    settings = lambda: {key: value for key, value in answer("stack", project, "list")["layers"][1]["settings"].items() if "@" in key}
    config = {"XDG_CONFIG_HOME": str(folder / "config")}
    with Window(folder, project, size=TALL) as window:
        window.click("side/elbow##group")
        window.wait("group elbow")
        window.click("side/##falloff")
        window.click("list/Bell-narrow")
        window.wait("group-falloff bell-narrow")
        assert window.report()["undo"] == "change falloff of elbow"
        assert settings() == {"kernel@elbow": 0, "width@elbow": 0.4}, settings()
        window.click("side/##falloff")
        window.click("list/Save this one…")
        window.wait("group-falloff-save")
        window.report()
        window.tool("key", "ctrl+a")
        window.write("tight")
        window.wait("group-falloff-save tight")
        assert not window.report()["alarmed"]
        window.key("ctrl+z", "undo")
        window.report()
        assert settings() == {}
    listed = {row["name"]: row["settings"] for row in answer("group", project, "falloffs", "elbow", env=config)["falloffs"]}
    assert listed["tight"] == "kernel=gaussian width=0.4" and "steady" in listed, listed
    sinew("group", project, "falloff", "wrist", "tight", env=config)
    assert settings() == {"kernel@wrist": 0, "width@wrist": 0.4}, settings()
    assert "no falloff is named 'nothing'; there are: steady" in refusal("group", project, "falloff", "wrist", "nothing", env=config)
    assert "a falloff of the method has this name" in refusal("group", project, "falloff", "wrist", "--save", "steady", status=2, env=config)


def sculpts_are_taken_from_another_project(folder):
    other = arm(folder)
    other = other.rename(folder / "other.sinew")
    project = arm(folder, fitted=False)
    for row in answer("example", project, "list")["examples"]:
        sinew("example", project, "remove", row["name"])
    with opened(project, TALL) as window:
        window.key("ctrl+p", "palette")
        window.report()
        window.tool("type", "sculpts from project")
        window.report()
        window.tool("key", "Return")
        window.wait("transfer")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(other)
        window.wait(f"transfer {other}")
        state = window.report()
        assert re.fullmatch(r"transfer sculpts from other\.sinew: 3 of 3 joints are paired; 2 sculpts are transferred; a transfer back would lose 0\.00 mm in the mean, "
                            r"0\.00 mm at most, in (elbow-130|wrist-\S+) near (\w+)\.", state["message"]), state["message"]
        assert state["groups"]["elbow"]["examples"] == ["elbow-130"], state["groups"]
        window.key("ctrl+z", "undo")
        assert window.report()["groups"] == {}


def groups_of_several_meshes_are_combined_and_transferred_with_all_of_them(folder):
    project, sculpt = limbs(folder, dressed=True), folder / "sculpt.obj"
    for pose, rotation in ("left", "lower_l=0,0,0.9"), ("right", "lower_r=0,0,-0.9"):
        sinew("pose", project, "add", pose, "--rotate", rotation)
    for name, pose, mesh in ("left", "left", "limbs"), ("cuff", "left", "sleeve"), ("right", "right", "limbs"):
        sinew("export", project, "-o", folder / "bare.obj", "--pose", pose, "--mesh", mesh)
        write_moved_obj(folder / "bare.obj", sculpt, lambda p: (0, 0, 0.01 if abs(p[0]) > 0.25 else 0))
        sinew("example", project, "add", "--name", name, "--pose", pose, "--file", sculpt, "--mesh", mesh, "--group", f"{pose} arm")
    other = project.with_name("other.sinew")
    shutil.copy(project, other)
    sinew("group", project, "combine", "left arm", "right arm")
    groups = {row["name"]: row["examples"] for row in answer("group", project, "list")["groups"]}
    assert [row["name"] for row in groups["left arm+right arm"]] == ["left arm+right arm", "left arm+right arm-sleeve"], groups
    for row in answer("example", project, "list")["examples"]:
        sinew("example", project, "remove", row["name"])
    with opened(project, TALL) as window:
        window.key("ctrl+p", "palette")
        window.report()
        window.write("sculpts from project")
        window.wait("transfer")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(other)
        window.wait(f"transfer {other}")
        state = window.report()
        assert "3 sculpts are transferred" in state["message"] and set(state["examples"]) == {"left", "cuff", "right"}, state["message"]


def folder_is_taken_and_mirrored(folder):
    project, sculpts = limbs(folder), folder / ("long-" * 12) / ("name-" * 12) / "sculpts"
    sculpts.mkdir(parents=True)
    sinew("pose", project, "add", "bend_l", "--rotate", "lower_l=0,0,1.2")
    sinew("export", project, "-o", folder / "bare.obj", "--pose", "bend_l")
    write_moved_obj(folder / "bare.obj", sculpts / "bend_l.obj", lambda p: (0, 0, 0.02 if p[0] > 0.25 else 0))
    with opened(project, TALL) as window:
        window.key("ctrl+p", "palette")
        window.report()
        window.tool("type", "mirror sculpts from")
        window.report()
        window.tool("key", "Return")
        window.wait("example-folder-mirror")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(sculpts)  # which opens the folder
        window.click("Choose a folder of sculpts/bend_l.obj")
        window.click("Choose a folder of sculpts/##name")
        window.tool("key", "ctrl+a")
        window.write(folder / "bare.obj")
        assert "Choose a folder of sculpts/Use this folder" in window.report()["widgets"], "a file elsewhere was taken for this folder"
        window.click("Choose a folder of sculpts/bend_l.obj")
        window.click("Choose a folder of sculpts/Size##sort-Size")  # which leaves the name as it is
        window.click("Choose a folder of sculpts/Use this folder")
        window.wait(f"example-folder-mirror {sculpts}")
        state = window.report()
        assert state["message"] == "import sculpts from sculpts: 1 sculpt imported, 1 mirrored.", state["message"]
        assert state["groups"] == {"Left lower": {"joints": ["lower_l"], "examples": ["bend_l"]},
                                   "Right lower": {"joints": ["lower_r"], "examples": ["bend_r"]}}, state["groups"]
    return project, sculpts


def folder_that_is_taken_again_brings_what_has_changed(folder):
    project, sculpts = folder_is_taken_and_mirrored(folder)
    sinew("fit", "inverse-psd", project)
    left, right = pose_points(project, folder, "bend_l"), pose_points(project, folder, "bend_r")
    assert farthest(left, obj_points(sculpts / "bend_l.obj")) < 1e-5
    rounded = {tuple(round(c, 4) + 0.0 for c in (-x, y, z)) for x, y, z in right}
    assert sum(tuple(round(c, 4) + 0.0 for c in p) in rounded for p in left) > 0.95 * len(left)
    # The same folder again brings nothing new, and what changed in it is updated.
    write_moved_obj(folder / "bare.obj", sculpts / "bend_l.obj", lambda p: (0, 0, 0.01 if p[0] > 0.25 else 0))
    (row,) = answer("example", project, "folder", sculpts, "--mirror")["files"]
    assert row["group"] is None and row["mirrored"] == "bend_r"
    assert farthest(pose_points(project, folder, "bend_l"), obj_points(sculpts / "bend_l.obj")) < 1e-5
    one_that_cannot_be_mirrored_does_not_cost_the_others(project, folder, sculpts)


def one_that_cannot_be_mirrored_does_not_cost_the_others(project, folder, sculpts):
    for name, rotation in ("a_l", "lower_l=0,0,0.7"), ("a_r", "lower_r=0,0,0.3"):
        sinew("pose", project, "add", name, "--rotate", rotation)
        sinew("export", project, "-o", folder / "bare.obj", "--pose", name)
        write_moved_obj(folder / "bare.obj", sculpts / f"{name}.obj", lambda p: (0, 0, 0.02 if abs(p[0]) > 0.25 else 0))
    sinew("example", project, "add", "--name", "other", "--pose", "a_r", "--file", sculpts / "a_r.obj")
    (sculpts / "a_r.obj").unlink()
    rows = {row["name"]: row for row in answer("example", project, "folder", sculpts, "--mirror")["files"]}
    assert list(rows) == ["a_l", "bend_l"] and rows["bend_l"]["mirrored"] == "bend_r" and rows["a_l"]["skipped"] is None, rows
    assert "example other was sculpted in it" in rows["a_l"]["unmirrored"], rows
    assert "a_l" in {row["name"] for row in answer("example", project, "list")["examples"]}


CASES = [*OneWindow(arm, size=TALL).cases(groups_are_combined_by_the_list, in_between_is_added_sculpted_and_undone),
         falloffs_have_names, sculpts_are_taken_from_another_project, folder_is_taken_and_mirrored]
LONG = [groups_of_several_meshes_are_combined_and_transferred_with_all_of_them,
        folder_that_is_taken_again_brings_what_has_changed]
