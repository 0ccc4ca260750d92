#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Refits, staleness, mirroring, splitting and merging of sculpts."""

import functools
import math
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from harness import LONG, answer, data, made, obj_points, refusal, run, sinew, steps, tiny_arm, write_moved_obj


def layers(project):
    return {row["name"]: row for row in answer("stack", project, "list")["layers"]}


def examples(project):
    return {row["name"]: row for row in answer("example", project, "list")["examples"]}


def labels(project):
    return [row["label"] for row in answer("history", project)["history"]]


def miss(project, folder, pose, sculpt):
    """The farthest that the whole stack is from a sculpt, in its pose."""
    sinew("export", project, "--pose", pose, "-o", folder / "now.obj")
    pairs = zip(obj_points(folder / "now.obj"), obj_points(sculpt))
    return max(math.dist(a, b) for a, b in pairs)


FILES = "p.sinew", "sculpt.obj", "posed.obj"


def fitted_arm(folder):
    """Copies of the arm with one sculpt of its own, of a few points, and its fit; and of the sculpt."""
    make_fitted_arm()
    project, sculpt, _ = (Path(shutil.copy(Path(made().name) / name, folder)) for name in FILES)
    return project, sculpt


@functools.cache
def make_fitted_arm():
    folder = Path(made().name)
    project, sculpt, _ = (folder / name for name in FILES)
    tiny_arm(project)
    for name in examples(project):
        sinew("example", project, "remove", name)
    sinew("pose", project, "add", "mine", "--rotate", "elbow=0,0,1.2")
    sinew("export", project, "--pose", "mine", "-o", folder / "posed.obj")
    points = obj_points(folder / "posed.obj")
    centre = points[len(points) // 2]

    def push(p):
        near = math.dist(p, centre)
        return (0, 0.01 * (1 - near / 0.03) ** 2, 0) if near < 0.03 else (0, 0, 0)

    write_moved_obj(folder / "posed.obj", sculpt, push)
    added = answer("example", project, "add", "--name", "bump", "--pose", "mine", "--file", sculpt)
    assert 0 < added["edited"] < len(points) // 4, added["edited"]
    groups = answer("info", project)["groups"]
    assert [group["name"] for group in groups if group["examples"]] == ["Elbow"], groups  # which drives it
    sinew("fit", "inverse-psd", project)


def sculpt_lasts_when_the_stack_below_changes(folder):
    project, sculpt = fitted_arm(folder)
    assert miss(project, folder, "mine", sculpt) < 3e-6
    before = len(labels(project))
    assert answer("stack", project, "add", "smooth")["refitted"] == []  # it lies above
    assert answer("stack", project, "move", "smooth", "1")["refitted"] == ["inverse-psd"]
    assert len(labels(project)) == before + 2 and not layers(project)["inverse-psd"]["stale"]
    assert "inverse-psd" in sinew("stack", project, "set", "inverse-psd", "--set", "kernel=linear").stdout
    steps(project, "undo", "undo", "undo")
    assert not layers(project)["inverse-psd"]["stale"]
    assert miss(project, folder, "mine", sculpt) < 3e-6


def slow_fit_is_marked_stale(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("fit", "linear-blend-fit", project)
    assert not layers(project)["linear-blend-fit"]["stale"]
    name = next(iter(examples(project)))
    sinew("example", project, "remove", name)
    assert layers(project)["linear-blend-fit"]["stale"]
    for words in (("measure", project), ("export", project, "-o", folder / "a.glb")):
        lines = [line for line in sinew(*words).stderr.splitlines() if "stale" in line]
        assert len(lines) == 1 and "linear-blend-fit" in lines[0] and "the examples" in lines[0], lines
    assert "stale" in sinew("info", project).stdout
    sinew("undo", project)
    assert not layers(project)["linear-blend-fit"]["stale"]


def last_example_takes_its_corrective_with_it(folder):
    project, sculpt = fitted_arm(folder)
    sinew("stack", project, "set", "inverse-psd", "--set", "kernel=thin-plate", "--set", "twist@elbow=0.5")
    groups = answer("info", project)["groups"]
    sinew("stack", project, "set", "inverse-psd", "--set", f"width@{groups[0]['name']}=0.7")
    settings, before = layers(project)["inverse-psd"]["settings"], labels(project)
    sinew("example", project, "remove", "bump")
    assert len(labels(project)) == len(before) + 1 and not layers(project)["inverse-psd"]["stale"]
    sinew("export", project, "--pose", "mine", "-o", folder / "after.obj")
    assert obj_points(folder / "after.obj") == obj_points(folder / "posed.obj")
    # Its settings wait for the next sculpt.
    assert layers(project)["inverse-psd"]["settings"] == settings
    sinew("example", project, "add", "--name", "bump", "--pose", "mine", "--file", sculpt)
    assert miss(project, folder, "mine", sculpt) < 3e-6
    sinew("undo", project)
    sinew("undo", project)
    assert miss(project, folder, "mine", sculpt) < 3e-6
    assert layers(project)["inverse-psd"]["settings"] == settings


def example_that_is_updated_is_the_new_sculpt_in_one_step(folder):
    project, sculpt = fitted_arm(folder)
    write_moved_obj(sculpt, folder / "more.obj", lambda p: (0, 0.01 * p[1], 0))
    before = len(labels(project))
    updated = answer("example", project, "update", "bump", "--file", folder / "more.obj")
    assert updated["refitted"] == ["inverse-psd"], updated
    assert len(labels(project)) == before + 1
    assert miss(project, folder, "mine", folder / "more.obj") < 3e-6
    sinew("undo", project)
    assert miss(project, folder, "mine", sculpt) < 3e-6


def gain_of_one_joint_counts_for_that_joint_alone(folder):
    project, _ = fitted_arm(folder)
    sinew("pose", project, "add", "twisted", "--rotate", "elbow=0.9,0,1.2")

    def shape(*settings):
        sinew("fit", "inverse-psd", project, *(word for each in settings for word in ("--set", each)))
        sinew("export", project, "--pose", "twisted", "-o", folder / "twisted.obj")
        return obj_points(folder / "twisted.obj")

    plain, separate = shape("twist@elbow=1"), shape("twist@elbow=3")
    assert separate != plain
    assert shape("twist=3", "twist@elbow=1") == plain  # the joint's own value goes before that of all
    assert shape("twist=1", "twist@elbow=1", "twist@shoulder=3") == plain  # which drives nothing here
    assert layers(project)["inverse-psd"]["settings"] == {"twist@elbow": 1, "twist@shoulder": 3}
    assert "nobody" in refusal("fit", "inverse-psd", project, "--set", "twist@nobody=1", status=2)


def example_that_edits_nothing_is_reported(folder):
    project, _ = fitted_arm(folder)
    sinew("pose", project, "add", "other", "--rotate", "elbow=0,0,0.5")
    sinew("export", project, "--pose", "other", "--method", "linear-blend", "-o", folder / "bare.obj")
    added = sinew("example", project, "add", "--name", "none", "--pose", "other", "--file", folder / "bare.obj")
    assert "edits nothing" in added.stderr


def sculpt_of_both_elbows_is_split_mirrored_and_merged(folder):
    project = folder / "h.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("pose", project, "add", "elbow120", "--file", data("human-sculpts/elbow120.json"))
    sinew("example", project, "add", "--name", "both", "--pose", "elbow120", "--file", data("human-sculpts/elbow120-target.obj"),
          "--group", "elbow_l")
    whole = examples(project)["both"]["edited"]
    parts = answer("example", project, "split", "both", "--mask", "x+", "--name", "elbow_l", "--name", "elbow_r")
    assert parts["changed"] == [{"example": "elbow_l"}] and parts["made"] == [{"example": "elbow_r"}], parts
    edits = {name: row["edited"] for name, row in examples(project).items()}
    assert sum(edits.values()) == whole, edits
    mirrored = answer("example", project, "mirror", "elbow_l", "--name", "elbow_m")
    assert mirrored["unpaired"] == 0 and mirrored["unpaired_joints"] == 0
    assert mirrored["pairs"] * 2 + mirrored["middle"] == 13380
    assert mirrored["edited"] == edits["elbow_l"]
    assert examples(project)["elbow_m"]["groups"] == ["elbow_r"]
    assert answer("example", project, "mirror", "elbow_l", "--name", "elbow_t", "--by", "topology")["by"] == "topology"
    assert answer("example", project, "merge", "elbow_l", "elbow_r", "--name", "both")["edited"] == whole
    sinew("pose", project, "add", "knee110", "--file", data("human-sculpts/knee110.json"))
    sinew("example", project, "add", "--name", "knee", "--pose", "knee110", "--file", data("human-sculpts/knee110-target.obj"))
    assert "different poses" in refusal("example", project, "merge", "both", "knee")
    assert answer("pose", project, "mirror", "elbow120", "--name", "again")["made"] == [{"pose": "again"}]
    refusal("pose", project, "mirror", "elbow120", "--name", "rest")
    refusal("example", project, "mirror", "elbow_m", "--axis", "w", status=2)
    for _ in labels(project)[1:]:
        sinew("undo", project)
    assert examples(project) == {}


def stored(project, query, change=""):
    with closing(sqlite3.connect(project)) as database, database:
        if change:
            database.execute(change)
        return database.execute(query).fetchall()


def merged_example_stays_with_the_driver_that_was_chosen_for_either(folder):
    project = tiny_arm(folder / "p.sinew")
    name, *_ = examples(project)
    sinew("example", project, "split", name, "--mask", "y+", "--name", "top", "--name", "base")
    stored(project, "SELECT 1", "UPDATE example SET has_chosen_driver = name = 'base'")
    sinew("example", project, "merge", "top", "base")
    assert stored(project, "SELECT has_chosen_driver FROM example WHERE name = 'top'") == [(1,)]


def group_that_takes_an_example_away_is_warned_of(folder):
    """Also where no point is edited in both: what one example does not edit, its group puts back where it was below."""
    project = tiny_arm(folder / "p.sinew")
    name, *_ = examples(project)
    (group,) = examples(project)[name]["groups"]
    sinew("group", project, "joints", group, "--joints", "elbow")
    sinew("fit", "inverse-psd", project)
    sinew("export", project, "--pose", name, "-o", folder / "whole.obj")
    assert "disturb" not in sinew("example", project, "split", name, "--mask", "y+", "--name", "top", "--name", "base").stderr
    assert miss(project, folder, name, folder / "whole.obj") < 1e-6
    warned = sinew("group", project, "move", group + "-2", "0").stderr
    assert miss(project, folder, name, folder / "whole.obj") > 1e-3
    assert f'group "{group}" cannot tell example "base" from "top"' in warned, warned


def sculpt_of_one_arm_is_mirrored_to_the_mesh_of_the_other(folder):
    """The arms are two meshes. Mirrored back, the first example and its pose are found again."""
    project = folder / "knight.sinew"
    sinew("import", data("characters/Knight.glb"), "-o", project)
    sinew("pose", project, "add", "bent", "--rotate", "lowerarm.l=0,0,1.2")
    sinew("export", project, "--pose", "bent", "--mesh", "Knight_ArmLeft", "-o", folder / "bent.obj")
    write_moved_obj(folder / "bent.obj", folder / "sculpted.obj", lambda p: (0, 0.01 + 0.02 * p[2], 0.03) if p[0] > 0.6 else (0, 0, 0))
    sinew("example", project, "add", "--name", "arm_l", "--pose", "bent", "--file", folder / "sculpted.obj", "--mesh", "Knight_ArmLeft",
          "--group", "left", "--joints", "lowerarm.l")
    mirrored = answer("example", project, "mirror", "arm_l")
    assert mirrored["mesh"] == "Knight_ArmRight" and mirrored["made"] == [{"example": "arm_r"}] and mirrored["pose"] == "bent-mirrored", mirrored
    assert mirrored["edited"] == examples(project)["arm_l"]["edited"] and examples(project)["arm_r"]["groups"] == ["right"]
    assert [row["mesh"] for row in examples(project).values()] == ["Knight_ArmLeft", "Knight_ArmRight"]
    if LONG:
        sinew("fit", "inverse-psd", project)
        sinew("export", project, "--pose", "bent-mirrored", "--mesh", "Knight_ArmRight", "-o", folder / "other.obj")
        sinew("export", project, "--pose", "rest", "--mesh", "Knight_ArmLeft", "-o", folder / "left.obj")
        sinew("export", project, "--pose", "rest", "--mesh", "Knight_ArmRight", "-o", folder / "right.obj")
        image = {tuple(round(c, 4) + 0.0 for c in p): q for p, q in zip(obj_points(folder / "right.obj"), obj_points(folder / "other.obj"))}
        for (x, y, z), p in zip(obj_points(folder / "left.obj"), obj_points(folder / "sculpted.obj")):
            q = image[(round(-x, 4) + 0.0, round(y, 4) + 0.0, round(z, 4) + 0.0)]
            assert math.dist((-p[0], p[1], p[2]), q) < 1e-4, (p, q)
    back = answer("example", project, "mirror", "arm_r")
    assert back["changed"] == [{"example": "arm_l"}] and back["pose"] == "bent" and len(examples(project)) == 2, back
    assert "its mirror image is on Knight_ArmRight" in refusal("example", project, "mirror", "arm_l", "--name", "arm_l")
    assert "points edited of the mesh Knight_ArmRight" in sinew("example", project, "list").stdout


def bench_of_inversion_counts_calls_and_failures(_):
    answered = answer("bench", "player", "--points", "2000", "--seconds", "0.001")
    assert [row["blend"] for row in answered["rows"]] == ["linear", "dual quaternions"] and answered["crowd"][0]["groups"] == 6
    assert all(row["ratio"] > 0 for row in answered["rows"]) and answered["crowd"][0]["members"] == 100, answered
    answered = answer("bench", "invert", "--points", "2000")
    assert answered["coefficients"][0]["examples"] == 64 and answered["coefficients"][0]["seconds"] > 0, answered
    rows = answered["rows"]
    assert {(row["below"], row["solver"]) for row in rows} >= {
        ("linear-blend", "auto"), ("dual-quaternion", "powell"), ("linear-blend", "closed"),
        ("linear-blend, near-singular", "auto")}
    for row in rows:
        assert row["failures"] == 0 and 0 < row["calls"] <= 400 and 0 < row["seconds_inverse"] <= row["seconds"], row
        assert (row["seconds_closed"] > 0) == (row["solver"] == "closed"), row
    refusal("bench", "invert", "--over", "/nowhere.so")


def bench_of_imports_reads_one_file_with_both_readers(_):
    rows = answer("bench", "import", "--points", "2000")["rows"]
    assert [row["reader"] for row in rows] == ["Sinew", "Assimp"]
    assert rows[0]["clips"] == 2 and rows[0]["points"] == rows[1]["points"] > 1000 and rows[1]["seconds"] > 0, rows


def bench_of_a_project_compares_its_skins_on_the_card(folder):
    project = folder / "arm.sinew"
    tiny_arm(project, fitted=True)
    rows = answer("bench", "gpu", project, "--seconds", "0.001")["rows"]
    assert [row["method"] for row in rows] == ["linear-blend", "inverse-psd"]
    assert all(row["points"] == rows[0]["points"] > 0 and row["skin_seconds"] > 0 and row["box_seconds"] > 0 for row in rows)
    assert rows[0]["ratio"] == 0 < rows[1]["ratio"]
    assert "cannot be opened" in refusal("bench", "gpu", folder / "absent.sinew")


run([bench_of_imports_reads_one_file_with_both_readers, sculpt_lasts_when_the_stack_below_changes, slow_fit_is_marked_stale,
     last_example_takes_its_corrective_with_it, gain_of_one_joint_counts_for_that_joint_alone,
     example_that_is_updated_is_the_new_sculpt_in_one_step, example_that_edits_nothing_is_reported,
     merged_example_stays_with_the_driver_that_was_chosen_for_either,
     group_that_takes_an_example_away_is_warned_of, sculpt_of_one_arm_is_mirrored_to_the_mesh_of_the_other],
    long=[bench_of_inversion_counts_calls_and_failures, bench_of_a_project_compares_its_skins_on_the_card,
          sculpt_of_one_arm_is_mirrored_to_the_mesh_of_the_other, sculpt_of_both_elbows_is_split_mirrored_and_merged])
