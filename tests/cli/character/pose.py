#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses, by the command line: added, changed, renamed, mirrored, removed; and what is refused."""

from harness import answer, refusal, run, sinew


def arm(folder):
    project = folder / "arm.sinew"
    sinew("sample", "tiny-arm", "-o", project)
    return project


def poses(project):
    return {row["name"]: row["joints_turned"] for row in answer("pose", project, "list")["poses"]}


def poses_are_added_changed_renamed_and_removed(folder):
    project = arm(folder)
    before = poses(project)
    assert answer("pose", project, "add", "bent", "--rotate", "elbow=0,0,1")["made"] == [{"pose": "bent"}]
    sinew("pose", project, "add", "folded", "--from", "bent", "--rotate", "wrist=0,0,1")
    assert answer("pose", project, "set", "bent", "--rotate", "elbow=0,0,0")["changed"] == [{"pose": "bent"}]
    assert poses(project) == {**before, "bent": 0, "folded": 2}, poses(project)
    assert answer("pose", project, "name", "bent", "straight")["changed"] == [{"pose": "straight"}]
    assert answer("pose", project, "remove", "folded")["removed"] == [{"pose": "folded"}]
    assert poses(project) == {**before, "straight": 0}, poses(project)
    labels = [row["label"] for row in answer("history", project)["history"]]
    assert labels[-5:] == ["add pose bent", "add pose folded", "change pose bent", "rename pose bent", "delete pose folded"], labels


def mirrored_pose_is_a_new_one(folder):
    project = arm(folder)
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1")
    mirrored = answer("pose", project, "mirror", "bent", "--axis", "z")
    assert mirrored["made"] == [{"pose": "bent-mirrored"}] and mirrored["unpaired"] + mirrored["middle"] + 2 * mirrored["pairs"] == 3, mirrored
    assert "bent-mirrored" in poses(project)


def pose_starts_anew_is_reset_and_replaced(folder):
    project = arm(folder)
    before = poses(project)
    example = answer("example", project, "list")["examples"][0]
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1", "--rotate", "wrist=0,0,1")
    sinew("pose", project, "set", "bent", "--reset", "elbow")
    assert poses(project)["bent"] == 1
    sinew("pose", project, "set", "bent", "--from", example["pose"], "--reset", "wrist", "--rotate", "wrist=0,0.5,0")
    assert poses(project)["bent"] == 2
    sinew("pose", project, "add", "bent", "--replace", "--rotate", "elbow=0,0,1")
    assert poses(project) == {**before, "bent": 1}
    sinew("pose", project, "add", "new", "--replace")
    assert f"example '{example['name']}' was sculpted" in refusal("pose", project, "add", example["pose"], "--replace")
    assert "cannot be changed" in refusal("pose", project, "add", "rest", "--replace")
    assert "no joint has a mirrored counterpart" in refusal("pose", project, "set", "bent", "--mirror")


def what_cannot_be_done_is_refused(folder):
    project = arm(folder)
    example = answer("example", project, "list")["examples"][0]
    sinew("pose", project, "add", "bent")
    assert f"example '{example['name']}' was sculpted" in refusal("pose", project, "remove", example["pose"])
    assert "no pose is named 'nobody'" in refusal("pose", project, "set", "nobody", "--rotate", "elbow=0,0,1")
    assert "no joint is named 'nobody'" in refusal("pose", project, "set", "bent", "--rotate", "nobody=0,0,1")
    assert "JOINT=X,Y,Z" in refusal("pose", project, "set", "bent", "--rotate", "elbow=0,0", status=2)
    assert "already a pose named 'bent'" in refusal("pose", project, "add", "bent")
    assert "already a pose named 'rest'" in refusal("pose", project, "name", "bent", "rest")
    for action in (("set", "rest"), ("name", "rest", "bind"), ("remove", "rest")):
        assert "cannot be changed" in refusal("pose", project, *action)
    assert "exclude each other" in refusal("pose", project, "add", "two", "--file", "a.json", "--from", "bent", status=2)


if __name__ == "__main__":
    run([poses_are_added_changed_renamed_and_removed, mirrored_pose_is_a_new_one, pose_starts_anew_is_reset_and_replaced, what_cannot_be_done_is_refused])
