#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bounds by the command line: `sinew info --bounds`, and the extras of an exported glTF."""

import json
import os
import shutil
import sys
from pathlib import Path

from harness import LONG, answer, run, sinew, tiny_arm
from sequence import read_pc2

PLUGINS = Path(sys.argv[2])


def contains(box, point, margin=1e-5):
    return all(low - margin <= value <= high + margin for low, value, high in zip(box["min"], point, box["max"]))


def boxed(bounds, numbers):
    """Six whole numbers as a box in metres."""
    return {"min": [bounds["step"] * n for n in numbers[:3]], "max": [bounds["step"] * n for n in numbers[3:6]]}


def points_of(project, clip, folder):
    sinew("export", project, "--clip", clip, "-o", folder / f"{clip}.pc2")
    return [point for frame in read_pc2(folder / f"{clip}.pc2") for point in frame]


def info_lists_boxes_of_joints_clips_and_all_poses(folder):
    project = folder / "arm.sinew"
    tiny_arm(project, fitted=True)
    assert "bounds" not in answer("info", project)
    (mesh,) = answer("info", project, "--bounds")["bounds"]
    assert mesh["mesh"] == "arm" and not mesh["sampled"], mesh
    assert {row["joint"] for row in mesh["joints"]} == {"shoulder", "elbow", "wrist"}
    assert all(0 < row["share"] <= 1 and row["other"] != row["joint"] for row in mesh["joints"] if "other" in row)
    for clip in mesh["clips"] if LONG else mesh["clips"][:1]:
        points = points_of(project, clip["name"], folder)
        assert all(contains(clip, point) for point in points), clip
        assert all(contains(mesh["all_poses"], point) for point in points), clip
    lines = sinew("info", project, "--bounds").stdout.splitlines()
    assert any(line.startswith("bounds    arm") for line in lines), lines
    assert any(line.startswith("clip") and "bend" in line and " to " in line for line in lines), lines


def black_box_has_clips_from_its_points_and_no_boxes_of_joints(folder):
    project = folder / "smooth.sinew"
    tiny_arm(project)
    sinew("stack", project, "add", "smooth")
    (mesh,) = answer("info", project, "--bounds")["bounds"]
    assert mesh["sampled"] and mesh["joints"] == [], mesh
    assert "all_poses" not in mesh and all(contains(mesh["all_clips"], clip[end], 0) for clip in mesh["clips"] for end in ("min", "max")), mesh
    for clip in mesh["clips"][:1]:
        assert all(contains(clip, point) for point in points_of(project, clip["name"], folder)), clip


def with_failing_layer(folder, name):
    """A project with a layer of the tests' plug-in, which from now on fails as its name says, and its environment. In a process of its own
    an error would cost the layer, and the rest would go on."""
    project, place = tiny_arm(folder / "arm.sinew"), folder / "plugins"
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{place}", "SINEW_PLUGINS_IN_PROCESS": "1"}
    place.mkdir()
    shutil.copy(PLUGINS / "small-good.so", place)
    sinew("fit", "test-small", project, env=env)
    (place / "small-good.so").unlink()
    shutil.copy(PLUGINS / f"small-{name}.so", place)
    return project, env


def extras_of(path):
    (node,) = [node for node in json.loads(path.read_text())["nodes"] if "mesh" in node]
    return node.get("extras", {}).get("sinew", {})


def poses_that_nobody_asked_for_may_fail(folder):
    project, env = with_failing_layer(folder, "fails-in-far-poses")
    (mesh,) = answer("info", project, "--bounds", env=env)["bounds"]
    assert len(mesh["clips"]) == 3, mesh
    sinew("export", project, "-o", folder / "arm.gltf", "--clip", "bend", env=env)
    assert list(extras_of(folder / "arm.gltf")["bounds"]["clips"]) == ["bend"]


def bounds_that_cannot_be_found_are_left_out_with_a_warning(folder):
    project, env = with_failing_layer(folder, "fails-between-frames")
    for words in (("info", project, "--bounds"), ("export", project, "-o", folder / "arm.gltf")):
        result = sinew(*words, "--json", env=env)
        assert "bounds" in result.stderr and "left out" in result.stderr and "test-small" in result.stderr, result.stderr
        assert "bounds" not in json.loads(result.stdout)
    assert "bounds" not in extras_of(folder / "arm.gltf")


def exported_file_has_bounds_that_its_clips_keep(folder):
    project = folder / "arm.sinew"
    tiny_arm(project, fitted=True)
    sinew("export", project, "-o", folder / "arm.gltf")
    document = json.loads((folder / "arm.gltf").read_text())
    sinew_extras = extras_of(folder / "arm.gltf")
    bounds = sinew_extras["bounds"]
    assert sinew_extras["version"] == 1 and "poseSpace" in sinew_extras
    # The mesh has a copy, but of the bounds.
    assert {**document["meshes"][0]["extras"]["sinew"], "bounds": bounds} == sinew_extras
    joints = len(document["skins"][0]["joints"])
    assert all(0 <= joint < joints for row in bounds["joints"] for joint in row["joints"])
    assert len({tuple(row["joints"]) for row in bounds["joints"]}) == len(bounds["joints"])
    assert all((numbers[0] > 0) == (len(row["joints"]) == 2) for row in bounds["joints"] for numbers in row["boxes"])
    assert all(isinstance(n, int) for row in bounds["joints"] for numbers in row["boxes"] for n in numbers[1:])
    lengths = {len(numbers) for row in bounds["joints"] for numbers in row["boxes"]}
    assert max(lengths) >= 20 and all(length == 7 or (length > 13 and length % 7 == 6) for length in lengths), lengths
    assert bounds["version"] == 1
    accessor = document["accessors"][document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
    boxes = [boxed(bounds, numbers[1:7]) for row in bounds["joints"] for numbers in row["boxes"]]
    low = [min(box["min"][c] for box in boxes) for c in range(3)]
    high = [max(box["max"][c] for box in boxes) for c in range(3)]
    assert all(low[c] <= accessor["min"][c] and accessor["max"][c] <= high[c] for c in range(3)), (low, high, accessor)
    assert list(bounds["clips"]) == [clip["name"] for clip in document["animations"]]
    everywhere = boxed(bounds, bounds["allPoses"])
    for name, numbers in list(bounds["clips"].items())[-1:]:
        clip = boxed(bounds, numbers)
        assert all(contains(clip, point, 0) and contains(everywhere, point, 0) for point in points_of(project, name, folder)), name


def all_poses_have_a_box_with_helper_joints_too(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    sinew("fit", "helper-joints", project, "--clip", "bend", "--set", "helpers=2", "--set", "influences=4")
    sinew("export", project, "-o", folder / "arm.gltf")
    bounds = extras_of(folder / "arm.gltf")["bounds"]
    assert len(bounds["clips"]) == 3 and bounds["joints"], bounds
    (mesh,) = answer("info", project, "--bounds")["bounds"]
    assert mesh["joints"] == [] and "all_clips" not in mesh, mesh
    written = boxed(bounds, bounds["allPoses"])
    for box in (mesh["all_poses"], written):
        assert all(contains(box, clip[end], 1e-3) for clip in mesh["clips"] for end in ("min", "max")), (box, mesh)


if __name__ == "__main__":
    run([info_lists_boxes_of_joints_clips_and_all_poses, black_box_has_clips_from_its_points_and_no_boxes_of_joints,
         exported_file_has_bounds_that_its_clips_keep, poses_that_nobody_asked_for_may_fail,
         bounds_that_cannot_be_found_are_left_out_with_a_warning],
        long=[info_lists_boxes_of_joints_clips_and_all_poses, all_poses_have_a_box_with_helper_joints_too])
