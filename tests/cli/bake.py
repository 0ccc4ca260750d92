#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking by the command line: any stack as a skin that engines play, within a budget, its error known before export."""

import sys

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
    for budget, words in (("helpers=2", "expected influences"), ("morphs=-1", "0 to 4096"), ("influences", "expected influences"),
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
         more_joints_than_a_budget_allows_are_refused, a_project_without_a_rig_is_refused])
else:
    run([a_bake_in_place_is_one_step_and_stale_when_a_layer_below_has_changed,
         a_budget_that_nothing_can_meet_is_refused_with_what_was_reached])
