#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A skeleton for a mesh animation, by the command line: made, replaced, taken back, learned on, and exported."""

import functools
import json
import shutil
import struct
from pathlib import Path

from harness import LONG, answer, data, made, refusal, run, sample_arm, sinew, steps, tiny_arm
from sequence import imported
from weights import rest


def bar(folder):
    project = folder / "bar.sinew"
    sample_arm(project, sample="bar")
    return project


@functools.cache
def _short_bar():
    folder = Path(made().name) / "short"
    folder.mkdir()
    project, frames, still = bar(folder), folder / "bend-and-twist.pc2", folder / "still.obj"
    sinew("export", project, "--clip", "bend-and-twist", "-o", frames)
    sinew("export", project, "--pose", "rest", "-o", still)
    keep_every(4, frames)
    sinew("import", "--rest", still, "--sequence", frames, "-o", project, "--replace")
    return project


def short_bar(folder):
    """With a quarter of the frames."""
    return bar(folder) if LONG else Path(shutil.copy(_short_bar(), folder / "bar.sinew"))


def animation_gets_a_skeleton_and_its_poses(folder):
    project = short_bar(folder)
    made = answer("skeleton", project, "--bones", 3)
    assert made["joints"] == 4, made
    assert [row["name"] for row in made["names"]][0] == "root" and made["names"][0]["parent"] == "", made
    scene = answer("info", project)
    assert len(scene["joints"]) == 4, scene
    before = answer("measure", project)
    sinew("fit", "linear-blend-fit", project)
    after = answer("measure", project)
    assert after["errors"][-1]["erms"] <= before["errors"][-1]["erms"], (before, after)
    answer("export", project, "-o", folder / "bar.glb")
    file = (folder / "bar.glb").read_bytes()
    assert file[:4] == b"glTF"
    exported = json.loads(file[20:20 + int.from_bytes(file[12:16], "little")])
    bones = [exported["nodes"][joint]["name"] for joint in exported["skins"][0]["joints"]]
    assert sorted(bones) == sorted(row["name"] for row in made["names"])[:3], (bones, made)  # the root moves no points itself


def skeleton_is_replaced_on_request_and_taken_back(folder):
    project = short_bar(folder)
    assert "bends everywhere" not in sinew("skeleton", project, "--bones", 3).stderr
    assert "--replace" in refusal("skeleton", project, "--bones", 2)
    assert answer("skeleton", project, "--bones", 2, "--replace")["joints"] == 3
    sinew("fit", "linear-blend-fit", project)
    fitted = answer("info", project)
    assert "layer 'linear-blend-fit'" in refusal("skeleton", project, "--bones", 3, "--replace")
    assert answer("info", project) == fitted
    if LONG:
        sinew("stack", project, "mute", "linear-blend-fit")
        assert answer("skeleton", project, "--bones", 3, "--replace")["joints"] == 4
        answer("measure", project)
        steps(project, "undo", "undo")
    steps(project, "undo", "undo")
    assert len(answer("info", project)["joints"]) == 4
    sinew("undo", project)
    assert len(answer("info", project)["joints"]) == 0


def along_the_middle(project):
    """Four places from one end of the bar to the other."""
    points = rest(project)
    low, high = ([f(axis) for axis in zip(*points)] for f in (min, max))
    long = max(range(3), key=lambda c: high[c] - low[c])
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    return [middle[:long] + [low[long] + (high[long] - low[long]) * k / 3] + middle[long + 1:] for k in range(4)]


def drawing_says_which_bones_there_are(folder):
    project, drawing = short_bar(folder), folder / "drawn here.tgf"
    joints = along_the_middle(project)
    drawing.write_text("".join(f"{k} {x} {y} {z}\n" for k, (x, y, z) in enumerate(joints)) + "#\n0 1 near\n1 2 between\n2 3 far\n")
    made = answer("skeleton", project, "--from", drawing)
    assert [(row["name"], row["parent"]) for row in made["names"]] == [
        ("root", ""), ("near", "root"), ("between", "near"), ("far", "between")], made
    sinew("undo", project)
    assert "give one of" in refusal("skeleton", project, "--from", drawing, "--bones", 3, status=2)
    assert "nothing.tgf" in refusal("skeleton", project, "--from", folder / "nothing.tgf")
    drawing.write_text("0 0 0\n")
    assert "drawn here.tgf, line 1" in refusal("skeleton", project, "--from", drawing)


def drawn_joints_are_a_drawing(folder):
    project = short_bar(folder)
    assert "joint add" in refusal("skeleton", project, "--from-joints")
    joints = along_the_middle(project)
    steps(project, *(f"joint add {name} --at={','.join(map(str, place))}" + (f" --parent {above}" if above else "")
                     for name, above, place in zip(("near", "between", "far", "end"), ("", "near", "between", "far"), joints)))
    assert "exclude each other" in refusal("skeleton", project, "--bones", 3, "--from-joints", status=2)
    sinew("joint", project, "parent", "far", "--root")
    assert "'near' and 'far' have no parent" in refusal("skeleton", project, "--from-joints")
    sinew("undo", project)
    made = answer("skeleton", project, "--from-joints")
    assert [(row["name"], row["parent"]) for row in made["names"]] == [
        ("root", ""), ("near", "root"), ("between", "near"), ("far", "between"), ("end", "far")], made
    assert answer("skeleton", project, "--from-joints")["names"] == made["names"]  # what was made is a drawing again
    steps(project, "undo", "undo")
    assert [row["name"] for row in answer("joint", project)["joints"]] == ["near", "between", "far", "end"]


def frames_are_in_order_or_a_set(folder):
    made, frames, still = bar(folder), folder / "frames.pc2", folder / "still.obj"
    sinew("export", made, "--clip", "bend-and-twist", "-o", frames)
    sinew("export", made, "--pose", "rest", "-o", still)
    words = ("import", "--rest", still, "-o", made, "--replace")
    assert "48 frames in order" in sinew(*words, "--sequence", frames).stdout
    assert answer("info", made)["targets"][0]["in_order"] is True
    assert "48 poses without order" in sinew(*words, "--poses", frames).stdout
    assert answer("info", made)["targets"][0]["in_order"] is False
    assert "not two" in refusal(*words, "--poses", frames, "--sequence", frames, status=2)


def keep_every(step, cache):
    """Of a PC2 file: a header of 32 bytes, the number of points and of frames in it, then floats."""
    data = cache.read_bytes()
    points, count, size = *struct.unpack_from("<i", data, 16), *struct.unpack_from("<i", data, 28), 12
    kept = [data[32 + frame * points * size: 32 + (frame + 1) * points * size] for frame in range(0, count, step)]
    cache.write_bytes(data[:28] + struct.pack("<i", len(kept)) + b"".join(kept))


def poses_of_a_set_are_left_out(folder):
    made, frames, still = bar(folder), folder / "frames.pc2", folder / "still.obj"
    sinew("export", made, "--clip", "bend-and-twist", "-o", frames)
    sinew("export", made, "--pose", "rest", "-o", still)
    keep_every(8, frames)
    sinew("import", "--rest", still, "-o", made, "--replace", "--poses", frames)
    sinew("skeleton", made, "--bones", 4)
    clip = answer("info", made)["targets"][0]["name"]
    sinew("fit", "linear-blend-fit", made)
    rows = answer("measure", made, "--leave-one-out")["leave_one_out"]
    assert [row["pose"] for row in rows] == [str(n + 1) for n in range(6)], rows
    assert "no set of poses of that name" in refusal("measure", made, "--leave-one-out", "--clip", "nobody")
    row = answer("compare", made, "--train", clip, "--methods", "linear-blend-fit")["methods"][0]
    assert row["left_out_of_training"] == "5 parts of the set" and row["test"] == row["left_out"], row


def what_cannot_have_a_skeleton_is_refused(folder):
    project = short_bar(folder)
    assert "sinew skeleton" in refusal("fit", "motion-skeleton", project)
    assert "makes no skeleton" in refusal("skeleton", project, "--method", "sad", status=2)
    assert "bones" in refusal("skeleton", project, "--bones", "many", status=2)
    arm = folder / "arm.sinew"
    tiny_arm(arm)
    assert "has a skeleton" in refusal("skeleton", arm)


def cloth_has_no_skeleton_unless_a_number_of_bones_is_named(folder):
    cloth = imported(folder)
    before = answer("info", cloth)
    for words in ((), ("--set", "influences=3")) if LONG else ((),):
        line = refusal("skeleton", cloth, *words)
        assert "there is no skeleton to find" in line and "--bones N" in line, line
    assert answer("info", cloth) == before
    assert "bends everywhere" in sinew("skeleton", cloth, "--bones", 6).stderr


def simulated_flag_has_no_skeleton_to_find(folder):
    flag = folder / "flag.sinew"
    sinew("import", "--sequence", data("cloth-flag/frames.pc2"), "--rest", data("cloth-flag/rest.obj"), "-o", flag)
    assert "there is no skeleton to find" in refusal("skeleton", flag)


if __name__ == "__main__":
    run([cloth_has_no_skeleton_unless_a_number_of_bones_is_named, animation_gets_a_skeleton_and_its_poses,
         skeleton_is_replaced_on_request_and_taken_back, drawing_says_which_bones_there_are, drawn_joints_are_a_drawing,
         frames_are_in_order_or_a_set, poses_of_a_set_are_left_out, what_cannot_have_a_skeleton_is_refused],
        long=[cloth_has_no_skeleton_unless_a_number_of_bones_is_named, skeleton_is_replaced_on_request_and_taken_back,
              simulated_flag_has_no_skeleton_to_find])
