#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton for a mesh animation, by the command line: made, replaced, taken back, learned on, and exported."""

from harness import answer, refusal, run, sinew


def bar(folder):
    project = folder / "bar.sinew"
    sinew("sample", "bar", "-o", project)
    return project


def animation_gets_a_skeleton_and_its_poses(folder):
    project = bar(folder)
    made = answer("skeleton", project, "--bones", 3)
    assert made["joints"] == 4, made
    assert [row["name"] for row in made["names"]][0] == "root" and made["names"][0]["parent"] == "", made
    scene = answer("info", project)
    assert len(scene["joints"]) == 4, scene
    before = answer("measure", project)
    sinew("fit", "linear-blend-fit", project)
    after = answer("measure", project)
    assert after["errors"][-1]["erms"] <= before["errors"][-1]["erms"], (before, after)
    exported = answer("export", project, "-o", folder / "bar.glb")
    assert exported["joints"] == 4 if "joints" in exported else True
    assert (folder / "bar.glb").read_bytes()[:4] == b"glTF"


def skeleton_is_replaced_on_request_and_taken_back(folder):
    project = bar(folder)
    sinew("skeleton", project, "--bones", 3)
    assert "--replace" in refusal("skeleton", project, "--bones", 2)
    assert answer("skeleton", project, "--bones", 2, "--replace")["joints"] == 3
    sinew("undo", project)
    assert len(answer("info", project)["joints"]) == 4
    sinew("undo", project)
    assert len(answer("info", project)["joints"]) == 0


def what_cannot_have_one_is_told(folder):
    project = bar(folder)
    assert "sinew skeleton" in refusal("fit", "motion-skeleton", project)
    assert "makes no skeleton" in refusal("skeleton", project, "--method", "sad", status=2)
    assert "bones" in refusal("skeleton", project, "--bones", "many", status=2)
    arm = folder / "arm.sinew"
    sinew("sample", "small-arm", "-o", arm)
    assert "has a skeleton" in refusal("skeleton", arm)


if __name__ == "__main__":
    run([animation_gets_a_skeleton_and_its_poses, skeleton_is_replaced_on_request_and_taken_back, what_cannot_have_one_is_told])
