#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking by the command line: any stack as a skin that engines play, within a budget, its error known before export."""

import json
import math
import struct
import sys
from pathlib import Path

from harness import answer, refusal, run, sample_arm, sinew


def fitted_arm(folder):
    project = folder / "arm.sinew"
    sample_arm(project, fitted=True)
    return project


def errors_of(row):
    return row["against_stack"]


def chosen(said):
    return next(row for row in said["curve"] if row["chosen"])


def a_bake_is_nearer_to_the_stack_than_linear_blend_in_poses_held_back(folder):
    project, baked, curve = fitted_arm(folder), folder / "baked.sinew", folder / "curve.svg"
    said = answer("bake", project, "--budget", "influences=4,morphs=8", "-o", baked, "--curve", curve)
    stack, plain = (errors_of(row) for row in said["skins"])
    best, rows = chosen(said), said["curve"]
    print(f"erms: linear blend {plain['erms']:.3f}, " +
          ", ".join(f"{row['name']} {errors_of(row)['erms']:.3f} in {row['bytes']:.0f} bytes" for row in rows))
    assert said["held_frames"] > 0 and said["held_shuffles"] > 0 and said["fitted_shuffles"] > 0, said
    assert stack["erms"] < 1e-3 and stack["normals_degrees"] < 0.1, stack
    assert best["morphs"] > 0 and errors_of(best)["erms"] < 0.6 * plain["erms"], (best, plain)
    assert errors_of(best)["normals_degrees"] < plain["normals_degrees"], (best, plain)
    assert all(key in errors_of(best) for key in ("distortion_percent", "enveloping_error", "max_percent", "max_frame", "max_point"))
    assert errors_of(rows[2])["erms"] <= errors_of(rows[0])["erms"], rows  # four influences against one
    assert [row["influences"] for row in rows[:3]] == [1, 2, 4] and rows[0]["bytes"] < rows[-1]["bytes"], rows
    # The file has the size that was reported, and plays what was measured.
    exported = answer("export", baked, "-o", folder / "arm.glb")
    assert abs(exported["bytes"] - best["bytes"]) < 1e-3 * best["bytes"] and exported["max_percent"] < 0.01, (exported, best)
    assert "<svg" in curve.read_text() and "plain linear blend" in curve.read_text()
    assert "baked" not in [layer["name"] for layer in answer("stack", project, "list")["layers"]]


def a_bake_in_place_is_one_step_and_stale_when_a_layer_below_has_changed(folder):
    project = fitted_arm(folder)
    before = answer("stack", project, "list")["layers"]
    sinew("bake", project, "--budget", "influences=1,morphs=1", "--clip", "bend")
    layers = answer("stack", project, "list")["layers"]
    assert [layer["name"] for layer in layers][-2:] == ["baked", "baked-morphs"], layers
    assert all(layer["muted"] for layer in layers[:-2]) and not any(layer["muted"] for layer in layers[-2:]), layers
    assert not any(layer["stale"] for layer in layers[-2:]), layers
    assert "baked already" in refusal("bake", project)
    name = layers[-3]["name"]
    sinew("fit", "inverse-psd", project, "--set", "kernel=linear")
    layers = answer("stack", project, "list")["layers"]
    assert next(layer for layer in layers if layer["name"] == "baked")["stale"], layers
    sinew("undo", project)
    sinew("undo", project)
    assert answer("stack", project, "list")["layers"] == before, name


def gltf_document(path):
    data = Path(path).read_bytes()
    return json.loads(data[20:20 + struct.unpack_from("<I", data, 12)[0]])


def cached_points(project, folder):
    """The points of all frames of a clip, one after another."""
    cache = folder / (Path(project).stem + ".pc2")
    sinew("export", project, "--clip", "bend", "--fps", 24, "-o", cache)
    data = cache.read_bytes()
    return struct.unpack_from("<%df" % ((len(data) - 32) // 4), data, 32)


def helper_joints_are_joints_of_the_file(folder):
    project, file, back = folder / "arm.sinew", folder / "arm.glb", folder / "back.sinew"
    sample_arm(project)
    sinew("fit", "helper-joints", project, "--on", "bend", "--set", "helpers=2", "--set", "influences=4")
    said = answer("export", project, "-o", file)
    assert said["helper_joints"] == 2 and "proxy_joints" not in said and said["max_percent"] < 0.2, said
    document = gltf_document(file)
    nodes, skin = document["nodes"], document["skins"][0]
    helpers = [i for i, node in enumerate(nodes) if " helper " in node.get("name", "")]
    parents = {child: node["name"] for node in nodes for child in node.get("children", [])}
    described = document["meshes"][0]["extras"]["sinew"]["helperJoints"]
    assert len(helpers) == 2 and all(parents[i] in ("shoulder", "elbow", "wrist") for i in helpers), nodes
    assert set(helpers) < set(skin["joints"]) and described["version"] == 1, skin
    assert [helper["name"] for helper in described["helpers"]] == [nodes[i]["name"] for i in helpers], described
    assert all(driver["joint"] in ("shoulder", "elbow", "wrist") for helper in described["helpers"] for driver in helper["drivers"])
    for clip in document["animations"]:
        moved = {(channel["target"]["node"], channel["target"]["path"]) for channel in clip["channels"]}
        assert all((i, path) in moved for i in helpers for path in ("translation", "rotation")), clip["name"]
    # What another program makes of the file is what the stack makes, within what the export told.
    sinew("import", file, "-o", back)
    mine, theirs = cached_points(project, folder), cached_points(back, folder)
    assert len(mine) == len(theirs) > 0
    diagonal = math.dist(*([f(mine[axis::3]) for axis in range(3)] for f in (min, max)))
    worst = max(abs(a - b) for a, b in zip(mine, theirs))
    print(f"worst coordinate off by {100 * worst / diagonal:.4f} % of the diagonal; the export said {said['max_percent']:.4f} %")
    assert worst < max(said["max_percent"] / 100, 1e-4) * diagonal


def helper_joints_come_nearer_than_weights_alone(folder):
    project, baked = fitted_arm(folder), folder / "baked.sinew"
    said = answer("bake", project, "--budget", "influences=4,helpers=2", "--clip", "bend", "-o", baked)
    best, alone = chosen(said), next(row for row in said["curve"] if row["influences"] == 4 and row["helpers"] == 0)
    print(f"erms: weights alone {errors_of(alone)['erms']:.3f}, two helper joints {errors_of(best)['erms']:.3f}")
    assert best["helpers"] == 2 and best["morphs"] == 0 and best["joints"] <= 5, best
    assert errors_of(best)["erms"] < 0.5 * errors_of(alone)["erms"], (best, alone)
    assert answer("export", baked, "-o", folder / "arm.glb")["helper_joints"] == 2


def a_black_box_is_baked_too(folder):
    project = folder / "arm.sinew"
    sample_arm(project)
    sinew("stack", project, "add", "delta-mush")
    said = answer("bake", project, "-o", folder / "baked.sinew")
    plain, best = errors_of(said["skins"][1]), chosen(said)
    print(f"delta mush: linear blend {plain['erms']:.3f}, baked {errors_of(best)['erms']:.3f}")
    assert best["morphs"] == 0 and errors_of(best)["erms"] < plain["erms"], (plain, best)


def a_budget_that_nothing_can_meet_is_refused_with_what_was_reached(folder):
    project = fitted_arm(folder)
    whole = project.read_bytes()
    said = refusal("bake", project, "--budget", "influences=1,bytes=1k", "--clip", "bend", "-o", folder / "no.sinew")
    assert "no skin of 1 kB: the smallest takes" in said and not (folder / "no.sinew").exists(), said
    for budget, words in (("bones=2", "expected influences"), ("helpers=1.5", "0 to 1024"), ("morphs=-1", "0 to 4096"), ("influences", "expected influences"),
                          ("influences=4,influences=4", "each once"), ("bytes=2Q", "500k"), ("morphs=1.5", "0 to 4096")):
        assert words in refusal("bake", project, "--budget", budget, status=2), budget
    assert "no such clip" in refusal("bake", project, "--clip", "bend,nowhere")
    assert project.read_bytes() == whole


def more_joints_than_a_budget_allows_are_refused(folder):
    said = refusal("bake", fitted_arm(folder), "--budget", "influences=1,joints=1", "--clip", "bend", "-o", folder / "no.sinew")
    assert "joints move points; allow as many with joints=" in said, said


def a_project_without_a_rig_is_refused(folder):
    project = folder / "cloth.sinew"
    sinew("sample", "cloth", "-o", project)
    assert "skin weights" in refusal("bake", project)


if "long" in sys.argv:
    run([a_bake_is_nearer_to_the_stack_than_linear_blend_in_poses_held_back, a_black_box_is_baked_too,
         helper_joints_come_nearer_than_weights_alone, more_joints_than_a_budget_allows_are_refused, a_project_without_a_rig_is_refused])
else:
    run([a_bake_in_place_is_one_step_and_stale_when_a_layer_below_has_changed,
         a_budget_that_nothing_can_meet_is_refused_with_what_was_reached, helper_joints_are_joints_of_the_file])
