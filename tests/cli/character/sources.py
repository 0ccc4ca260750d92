#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples made from others and from a folder: in-betweens, combinations, sculpts by name. Each is one step, and what begins as the skin
changes nothing."""

import math

from harness import answer, obj_points, refusal, run, sinew, tiny_arm, write_moved_obj


def posed(project, folder, pose):
    sinew("export", project, "-o", folder / "posed.obj", "--pose", pose)
    return obj_points(folder / "posed.obj")


def farthest(one, other):
    return max(math.dist(p, q) for p, q in zip(one, other, strict=True))


def groups_of(project):
    return {row["name"]: ([joint["name"] for joint in row["joints"]], [example["name"] for example in row["examples"]])
            for row in answer("group", project, "list")["groups"]}


def in_between_begins_as_the_skin_and_takes_a_sculpt(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    sinew("pose", project, "add", "half", "--rotate", "elbow=0,0,1.1344640137963142")  # half of 130°
    before = posed(project, folder, "half")
    made = answer("example", project, "between", "elbow-130", "--at", "50")
    assert made["made"] == [{"pose": "elbow-130-50"}, {"example": "elbow-130-50"}] and made["edited"] > 0, made
    assert farthest(posed(project, folder, "elbow-130-50"), before) < 1e-6
    assert groups_of(project)["elbow"][1] == ["elbow-130", "elbow-130-50"]
    # The pose is half the way, and the sculpt is what the skin becomes.
    write_moved_obj(folder / "posed.obj", folder / "sculpt.obj", lambda p: (0, 0.02 if p[1] > 0.3 else 0, 0))
    sinew("example", project, "update", "elbow-130-50", "--file", folder / "sculpt.obj")
    after, full = posed(project, folder, "elbow-130-50"), posed(project, folder, "elbow-130")
    assert farthest(after, obj_points(folder / "sculpt.obj")) < 1e-5
    sinew("undo", project)
    sinew("undo", project)
    assert [row["name"] for row in answer("example", project, "list")["examples"]] == ["elbow-130", "wrist-150"]
    assert farthest(posed(project, folder, "elbow-130"), full) < 1e-5  # its own sculpt stayed
    assert "--at 0: expected" in refusal("example", project, "between", "elbow-130", "--at", "0", status=2)
    assert "elbow-130: an example" in refusal("example", project, "between", "elbow-130", "--name", "elbow-130")


def two_groups_are_combined_and_each_alone_stays(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    alone = {pose: posed(project, folder, pose) for pose in ("elbow-130", "wrist-150")}
    made = answer("group", project, "combine", "elbow", "wrist", "--name", "both-on")
    assert made["made"] == [{"pose": "both-on"}, {"example": "both-on"}, {"group": "both-on"}], made
    assert groups_of(project)["both-on"] == (["elbow", "wrist"], ["both-on"])
    begun = posed(project, folder, "both-on")
    write_moved_obj(folder / "posed.obj", folder / "sculpt.obj", lambda p: (0, 0, 0.03 if p[1] > 0.2 else 0))
    assert farthest(begun, obj_points(folder / "sculpt.obj")) > 0.02  # the sculpt moves something
    sinew("example", project, "update", "both-on", "--file", folder / "sculpt.obj")
    assert farthest(posed(project, folder, "both-on"), obj_points(folder / "sculpt.obj")) < 1e-5
    for pose, points in alone.items():
        assert farthest(posed(project, folder, pose), points) < 1e-5, pose
    sinew("undo", project)
    sinew("undo", project)
    assert "both-on" not in groups_of(project)
    assert "same joints" in refusal("group", project, "combine", "elbow", "elbow")
    assert "nowhere" in refusal("group", project, "combine", "elbow", "nowhere")


def folder_is_taken_by_name_in_one_step(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    sinew("pose", project, "add", "up", "--rotate", "elbow=0,0,-0.8")
    sculpts = folder / "sculpts"
    sculpts.mkdir()
    for pose in ("elbow-130", "up"):
        sinew("export", project, "-o", folder / "bare.obj", "--pose", pose)
        write_moved_obj(folder / "bare.obj", sculpts / f"{pose}.obj", lambda p: (0, 0, 0.01 if p[1] > 0.1 else 0))
    (sculpts / "stray.obj").write_text((sculpts / "up.obj").read_text())
    (sculpts / "wrist-150.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    sinew("pose", project, "add", "bad", "--rotate", "elbow=0,0,-0.4")
    (sculpts / "bad.obj").write_text("v 0 0 nowhere\nf 1 2 9\n")
    answered = answer("example", project, "folder", sculpts)
    files = {row["name"]: row for row in answered["files"]}
    assert list(files) == ["bad", "elbow-130", "stray", "up", "wrist-150"]
    assert files["bad"]["skipped"].startswith("bad.obj"), files["bad"]
    assert files["elbow-130"]["skipped"] is None and files["up"]["group"] == "elbow", files
    refused = {row["example"]: row["why"] for row in answered["refused"]}
    assert refused == {name: file["skipped"] for name, file in files.items() if file["skipped"]}, refused
    assert "no pose" in files["stray"]["skipped"] and "has 3 points" in files["wrist-150"]["skipped"], files
    for name in ("elbow-130", "up"):
        assert farthest(posed(project, folder, name), obj_points(sculpts / f"{name}.obj")) < 1e-5, name
    history = answer("history", project)
    sinew("undo", project)
    assert "up" not in groups_of(project)["elbow"][1] and history != answer("history", project)
    assert "no file matches" in refusal("example", project, "folder", folder / "none")
    for name in ("elbow-130", "up", "wrist-150", "bad"):
        (sculpts / f"{name}.obj").unlink()
    assert "no file was taken" in refusal("example", project, "folder", sculpts)


run([in_between_begins_as_the_skin_and_takes_a_sculpt, two_groups_are_combined_and_each_alone_stays,
     folder_is_taken_by_name_in_one_step])
