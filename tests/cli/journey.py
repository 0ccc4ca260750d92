#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflows of an artist and a rigger, from end to end, on the command line."""

import json
import math
import signal
import sqlite3
import struct
import subprocess
import sys
from contextlib import closing

from harness import LONG, SINEW, answer, data, obj_points, refusal, run, sinew, steps, tiny_arm, write_moved_obj
from picture import Picture


def errors(listing, against, method):
    return next(row for row in listing["errors"] if row["against"] == against and row["method"] == method)


def arm_main_job_lowers_the_error_at_the_examples_and_between_them(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    fitted = answer("fit", "inverse-psd", project)
    before, after = errors(fitted, "examples", "linear-blend"), errors(fitted, "examples", "inverse-psd")
    assert after["max_percent"] < 1e-4 < 1 < before["max_percent"], (before, after)
    # One example a group gives the shape one direction: between the poses it halves the error rather than removes it.
    for clip, share in {"bend": 0.7, "twist": 0.4, "both": 0.45}.items():
        assert errors(fitted, clip, "inverse-psd")["erms"] < share * errors(fitted, clip, "linear-blend")["erms"], clip
    sinew("export", project, "-o", folder / "arm.glb")
    glb = (folder / "arm.glb").read_bytes()
    length = struct.unpack("<I", glb[12:16])[0]
    document = json.loads(glb[20:20 + length])
    assert len(document["meshes"][0]["primitives"][0]["targets"]) >= 2
    if LONG:
        sinew("render", project, "--sheet", "-o", folder / "arm.png", "--size", "120x120")
        sheet = Picture(folder / "arm.png")
        assert (sheet.width, sheet.height) == (720, 240) and len(set(sheet.rows)) > 50


def exported_sculpt_is_imported_again(folder):
    project, posed, sculpt = folder / "p.sinew", folder / "posed.obj", folder / "sculpt.obj"
    tiny_arm(project)
    for name in [row["name"] for row in answer("example", project, "list")["examples"]]:
        sinew("example", project, "remove", name)
    joints = [row["name"] for row in answer("info", project)["joints"]]
    sinew("pose", project, "add", "mine", "--rotate", f"{joints[1]}=0,0,1.2")
    assert f"{posed}: pose 'mine'" in sinew("export", project, "--pose", "mine", "-o", posed).stdout
    points = obj_points(posed)
    centre = points[len(points) // 2]

    def push(p):
        fall = math.exp(-sum((a - b) ** 2 for a, b in zip(p, centre)) / 0.02 ** 2)
        return (0, 0.01 * fall, 0.004 * fall)

    write_moved_obj(posed, sculpt, push)
    sinew("example", project, "add", "--name", "bump", "--pose", "mine", "--file", sculpt, "--group", "elbow")
    fitted = answer("fit", "inverse-psd", project)
    assert errors(fitted, "examples", "inverse-psd")["max_percent"] < 1e-3 < errors(fitted, "examples", "linear-blend")["max_percent"]
    again = folder / "again.obj"
    sinew("export", project, "--pose", "mine", "-o", again)
    for got, wanted in zip(obj_points(again), obj_points(sculpt)):
        assert max(abs(a - b) for a, b in zip(got, wanted)) < 2e-6


def contents(project):
    """What info tells, but for the size of the file: history stays in it."""
    answered = answer("info", project)
    del answered["summary"]["bytes"]
    return answered


def undo_and_redo_walk_through_every_change(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    before = contents(project)
    joint = before["joints"][1]["name"]
    steps(project, f"pose add a --rotate {joint}=0,0,1", f"pose set a --rotate {joint}=0,0,2", "stack add smooth --set passes=2", "stack mute smooth",
          "fit inverse-psd")
    after = contents(project)
    labels = [row["label"] for row in answer("history", project)["history"]]
    assert labels[1:] == ["add pose a", "change pose a", "add layer smooth", "mute layer smooth", "fit inverse-psd"], labels  # as the window says it
    steps(project, *(["undo"] * 5))
    assert contents(project) == before
    assert "nothing" in refusal("undo", project) or "no " in refusal("undo", project)
    steps(project, *(["redo"] * 5))
    assert contents(project) == after
    sinew("undo", project)
    sinew("pose", project, "add", "b")
    refusal("redo", project)


def stack_layers_move_mute_and_set(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("stack", project, "add", "smooth")
    names = lambda: [row["name"] for row in answer("stack", project, "list")["layers"]]
    assert names() == ["linear-blend", "smooth"]
    segments = answer("info", project)["segments"]
    assert [row["program"] for row in segments] == [True, False] and segments[1]["reason"]
    sinew("stack", project, "set", "smooth", "--set", "passes=3")
    assert answer("stack", project, "list")["layers"][1]["settings"] == {"passes": 3}
    assert "passes" in refusal("stack", project, "set", "smooth", "--set", "passes=1e9", status=2)
    assert "pases" in refusal("stack", project, "set", "smooth", "--set", "pases=3", status=2)
    sinew("stack", project, "mute", "smooth")
    assert len(answer("info", project)["segments"]) == 1
    sinew("stack", project, "remove", "smooth")
    assert names() == ["linear-blend"]
    assert "inverse-psd" in refusal("stack", project, "add", "inverse-psd", status=2)


def layer_that_blends_takes_the_place_of_the_blend_that_is_there(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("stack", project, "add", "smooth")
    before = contents(project)
    assert "dual-quaternion replaces linear-blend, which is now muted" in sinew("stack", project, "add", "dual-quaternion").stdout
    layers = [(row["name"], row["muted"]) for row in answer("stack", project, "list")["layers"]]
    assert layers == [("linear-blend", True), ("dual-quaternion", False), ("smooth", False)], layers
    sinew("stack", project, "mute", "smooth")
    listing = answer("measure", project, "--method", "dual-quaternion")
    posed_once = errors(listing, "examples", "dual-quaternion")["erms"]
    assert posed_once < 1.1 * errors(listing, "examples", "linear-blend")["erms"]
    assert posed_once == errors(answer("measure", project), "examples", "stack")["erms"]
    sinew("undo", project)
    sinew("undo", project)
    assert contents(project) == before


def wrong_sculpts_are_refused_and_change_nothing(folder):
    project, posed = folder / "p.sinew", folder / "posed.obj"
    tiny_arm(project)
    pose = answer("pose", project, "list")["poses"][0]["name"]
    sinew("export", project, "--pose", pose, "-o", posed)
    lines = posed.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("v "))
    (folder / "short.obj").write_text("\n".join(line for i, line in enumerate(lines) if not line.startswith("f ") and i != first) + "\nf 1 2 3\n")
    (folder / "nan.obj").write_text("\n".join(lines).replace(lines[first], "v nan 0 0"))
    (folder / "none.obj").write_text("")
    whole = project.read_bytes()
    add = ("example", project, "add", "--name", "x", "--pose", pose, "--file")
    assert "points" in refusal(*add, folder / "short.obj")
    assert "nan.obj" in refusal(*add, folder / "nan.obj")
    refusal(*add, folder / "none.obj")
    refusal(*add, folder / "missing.obj")
    refusal("example", project, "add", "--name", "x", "--pose", "nowhere", "--file", posed)
    assert project.read_bytes() == whole


def failed_import_leaves_the_old_project(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    whole = project.read_bytes()
    (folder / "bad.glb").write_bytes(b"glTF\x02\0\0\0\xff\xff\xff\x7f" + bytes(40))
    (folder / "bad.fbx").write_bytes(b"Kaydara FBX Binary  \0\x1a\0" + bytes(100))
    (folder / "empty.dae").write_bytes(b"")
    for name in ("bad.glb", "bad.fbx", "empty.dae", "nothing.glb"):
        assert name in refusal("import", folder / name, "-o", project)
    assert project.read_bytes() == whole
    assert sorted(p.name for p in folder.iterdir()) == ["bad.fbx", "bad.glb", "empty.dae", "p.sinew"]


def exports_leave_an_existing_file_when_they_fail(folder):
    project, out = folder / "p.sinew", folder / "out.obj"
    tiny_arm(project)
    out.write_text("mine")
    refusal("export", project, "-o", out, "--pose", "nowhere")
    refusal("export", project, "-o", folder / "out.xyz", status=2)
    assert "numbered" in refusal("export", project, "-o", out, "--clip", "bend", status=2)
    for name in ("out.glb", "out.pc2", "out*.obj"):
        assert "--pose" in refusal("export", project, "-o", folder / name, "--pose", "rest", status=2)
    refusal("export", project, "-o", folder / "no" / "such" / "out.glb")
    assert out.read_text() == "mine"


def outputs_never_replace_inputs_or_changed_projects(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("export", project, "--pose", "rest", "-o", folder / "a.obj")
    source = (folder / "a.obj").read_bytes()
    assert "sinew" in refusal("import", folder / "a.obj", "-o", folder / "a.obj", status=2)
    assert "png" in refusal("render", project, "-o", project, status=2)
    assert "glb" in refusal("export", project, "-o", folder / "x.blend", status=2)
    assert "the input file" in refusal("import", project, "-o", project)
    sinew("pose", project, "add", "mine")
    whole = project.read_bytes()
    for words in (("sample", "arm"), ("import", folder / "a.obj")):
        assert "--replace" in refusal(*words, "-o", project)
    assert project.read_bytes() == whole and (folder / "a.obj").read_bytes() == source
    sinew("sample", "arm", "-o", project, "--replace")
    assert len(answer("history", project)["history"]) == 1


def sculpts_in_other_units_are_refused(folder):
    project, posed = folder / "p.sinew", folder / "posed.obj"
    tiny_arm(project)
    pose = answer("pose", project, "list")["poses"][1]["name"]
    sinew("export", project, "--pose", pose, "-o", posed)
    write_moved_obj(posed, folder / "cm.obj", lambda p: tuple(99 * x for x in p))
    answered = sinew("example", project, "add", "--name", "cm", "--pose", pose, "--file", folder / "cm.obj").stderr
    assert "units" in answered and "times as long" in answered, answered
    assert "units" not in sinew("example", project, "add", "--name", "m", "--pose", pose, "--file", posed).stderr


def fit_into_a_copy_leaves_the_project(folder):
    project, copy = folder / "p.sinew", folder / "copy.sinew"
    tiny_arm(project)
    whole = project.read_bytes()
    sinew("fit", "inverse-psd", project, "-o", copy)
    assert project.read_bytes() == whole
    assert [row["name"] for row in answer("stack", copy, "list")["layers"]] == ["linear-blend", "inverse-psd"]
    assert sorted(p.name for p in folder.iterdir()) == ["copy.sinew", "p.sinew"]


def interrupted_import_leaves_nothing(folder):
    source = data("human-rig/human.glb")
    process = subprocess.Popen([SINEW, "import", str(source), "-o", str(folder / "p.sinew"), "--progress"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert "progress" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=60)
    # It may have been done by then; else nothing is left.
    assert process.returncode in (0, 1), words
    files = [p.name for p in folder.iterdir()]
    assert files == (["p.sinew"] if process.returncode == 0 else []), files


def caches_survive_the_round_trip(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("export", project, "--pose", "rest", "-o", folder / "rest.obj")
    for name in ("bend.pc2", "bend.mdd"):
        answered = answer("export", project, "--clip", "bend", "-o", folder / name)
        assert answered["frames"] > 1 and "erms" not in answered  # no error is claimed where none was measured
        sinew("target", project, "add", "--clip", "bend", "--file", folder / name, "--name", name)
        again = next(row for row in answer("measure", project, "--clip", "bend")["errors"]
                     if row["against"] == name and row["method"] == "stack")
        assert again["max_percent"] < 1e-4, again
        sinew("import", "--sequence", folder / name, "--rest", folder / "rest.obj", "-o", folder / "s.sinew")
        assert answer("info", folder / "s.sinew")["targets"][0]["frames"] > 1


def missing_plugin_is_named_and_its_layer_kept(folder):
    project = folder / "p.sinew"
    tiny_arm(project, fitted=True)
    full = answer("measure", project)
    # The project says that a plug-in made its corrective which nobody has.
    with closing(sqlite3.connect(project)) as database, database:
        database.execute("UPDATE layer SET deformer = 'org.example.gone' WHERE name = 'inverse-psd'")
        database.execute("UPDATE model SET deformer = 'org.example.gone'")
    without = sinew("measure", project, "--json", status=4)
    assert "org.example.gone" in without.stderr
    assert json.loads(without.stdout)["left_out"] == [
        {"layer": "inverse-psd", "plugin": "org.example.gone", "why": "the plug-in is missing"}]
    before = project.read_bytes()
    for words in (("measure", project), ("fit", "linear-blend-fit", project), ("export", project, "-o", folder / "strict.glb")):
        assert "cannot be left out" in refusal(*words, "--strict") and project.read_bytes() == before, words
    assert not (folder / "strict.glb").exists()
    assert errors(json.loads(without.stdout), "examples", "stack")["erms"] == errors(full, "examples", "linear-blend")["erms"]
    assert "replaced" not in without.stderr, without.stderr
    sinew("pose", project, "add", "x")
    with closing(sqlite3.connect(project)) as database, database:
        database.execute("UPDATE layer SET deformer = 'org.sinew.inverse-psd' WHERE name = 'inverse-psd'")
        database.execute("UPDATE model SET deformer = 'org.sinew.inverse-psd'")
    assert answer("measure", project)["errors"] == full["errors"]


def blend_that_a_missing_plugin_had_replaced_is_named(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("fit", "linear-blend-fit", project)
    assert [row["muted"] for row in answer("stack", project, "list")["layers"]] == [True, False]
    with closing(sqlite3.connect(project)) as database, database:
        database.execute("UPDATE layer SET deformer = 'org.example.gone' WHERE name = 'linear-blend-fit'")
        database.execute("UPDATE model SET deformer = 'org.example.gone'")
    words = "it replaced 'linear-blend', which is muted, so nothing follows the joints"
    remedy = "'sinew stack P.sinew unmute linear-blend'"
    lines = [line for line in sinew("measure", project, status=4).stderr.splitlines() if words in line]
    assert len(lines) == 1 and remedy in lines[0], lines
    assert "'linear-blend', which it replaced, is muted: unmute it" in sinew("stack", project, "list").stdout
    sinew("stack", project, "unmute", "linear-blend")
    assert "replaced" not in sinew("measure", project, status=4).stderr + sinew("stack", project, "list").stdout


def fit_with_a_caveat_is_kept_and_reported(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    for name, angle in {"near": 0.3, "nearer": 0.301}.items():
        sinew("pose", project, "add", name, "--rotate", f"elbow=0,0,{angle}")
        sinew("export", project, "--pose", name, "-o", folder / "sculpt.obj")
        sinew("example", project, "add", "--name", name, "--pose", name, "--file", folder / "sculpt.obj", "--group", "elbow")
    fitted = sinew("fit", "inverse-psd", project, "--set", "kernel=gaussian", "--set", "width=100", "--json")
    assert "ill conditioned" in json.loads(fitted.stdout)["status"] and "ill conditioned" in fitted.stderr, fitted
    assert answer("history", project)["history"][-1]["label"] == "fit inverse-psd"
    assert [row["name"] for row in answer("stack", project, "list")["layers"]] == ["linear-blend", "inverse-psd"]


def fit_of_a_muted_layer_leaves_it_muted(folder):
    project = folder / "p.sinew"
    tiny_arm(project, fitted=True)
    sinew("stack", project, "mute", "inverse-psd")
    assert "unmute" in sinew("fit", "inverse-psd", project).stderr
    assert [row["muted"] for row in answer("stack", project, "list")["layers"]] == [False, True]


def fields_of_two_layers_stay_apart(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    for more in ([], ["--layer", "finer", "--set", "kernel=linear"]):
        sinew("fit", "inverse-psd", project, *more)
    with closing(sqlite3.connect(project)) as database:
        names = sorted(row[0] for row in database.execute("SELECT name FROM field"))
    assert names == ["finer.conditioning", "finer.residual", "inverse-psd.conditioning", "inverse-psd.residual"], names
    sinew("undo", project)
    with closing(sqlite3.connect(project)) as database:
        assert database.execute("SELECT count(*) FROM field").fetchone() == (2,)


def poses_that_others_depend_on_are_not_changed_silently(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    example = answer("example", project, "list")["examples"][0]
    changed = sinew("pose", project, "set", example["pose"], "--rotate", "elbow=0,0,0.2")
    assert f"example {example['name']} was sculpted" in changed.stderr, changed.stderr
    for action in ("add", "set", "remove"):
        refusal("pose", project, action, "default", *(["--rotate", "elbow=0,0,1"] if action != "remove" else []))


def import_does_not_replace_a_changed_project(folder):
    project, mesh = folder / "p.sinew", folder / "rest.obj"
    tiny_arm(project)
    sinew("export", project, "--pose", "rest", "-o", mesh)
    sinew("pose", project, "add", "mine")
    whole = project.read_bytes()
    words = refusal("import", mesh, "-o", project)
    assert "1 change that would be lost" in words and "--replace" in words, words
    assert project.read_bytes() == whole
    sinew("import", mesh, "-o", project, "--replace")
    assert len(answer("history", project)["history"]) == 1
    sinew("import", mesh, "-o", project)


def fit_into_a_copy_omits_the_unfinished_change_of_a_killed_program(folder):
    project, copy = folder / "p.sinew", folder / "copy.sinew"
    tiny_arm(project, fitted=True)
    killed = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN")
database.execute("UPDATE array SET bytes = zeroblob(length(bytes))")
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", killed, project], check=True)
    assert (folder / "p.sinew-journal").stat().st_size > 0, "the fixture left no journal"
    sinew("fit", "inverse-psd", project, "--layer", "again", "-o", copy)
    with closing(sqlite3.connect(project)) as old, closing(sqlite3.connect(copy)) as new:
        points = "SELECT name, bytes FROM example JOIN array ON array.id = points_posed ORDER BY example.id"
        assert old.execute(points).fetchall() == new.execute(points).fetchall()
        assert any(new.execute(points).fetchone()[1])
    said = sinew("fit", "inverse-psd", project, "-o", folder / "other.sinew", "--memory", "0.06", status=1).stderr
    assert "memory" in said and "other.sinew" in said and "unfinished" not in said, said


def leave_one_out_is_reported_for_every_example(folder):
    project = folder / "p.sinew"
    tiny_arm(project)
    refusal("measure", project, "--leave-one-out")
    sinew("fit", "inverse-psd", project)
    rows = answer("measure", project, "--leave-one-out")["leave_one_out"]
    assert len(rows) == answer("info", project)["examples"].__len__() and all(row["erms"] > 0 for row in rows)


def suggested_poses_are_printed_and_added(folder):
    project = folder / "p.sinew"
    tiny_arm(project, fitted=True)
    found = answer("pose", project, "suggest", "--clip", "both", "--count", "2", "--add")
    assert found["suggested"][1]["erms"] < found["suggested"][0]["erms"] < found["erms"]
    assert [row["example"] for row in found["without"]] == [row["name"] for row in answer("example", project, "list")["examples"]]
    added = [row["name"] for row in answer("pose", project, "list")["poses"]][-2:]
    assert all(name.startswith("both-") for name in added), added
    sinew("export", project, "--pose", found["suggested"][0]["pose"], "-o", folder / "x.obj")
    sinew("undo", project)
    assert not any(row["name"].startswith("both-") for row in answer("pose", project, "list")["poses"])
    assert "--clip" in refusal("pose", project, "suggest", status=2)
    assert "nothing" in refusal("pose", project, "suggest", "--clip", "nothing")
    assert "smooth" in refusal("pose", project, "suggest", "--clip", "both", "--method", "smooth", status=2)


def groups_are_edited_with_their_settings(folder):
    project = folder / "p.sinew"
    tiny_arm(project, fitted=True)
    before = answer("group", project)["groups"]
    assert [group["name"] for group in before] == ["elbow", "wrist"]
    steps(project, "group add arm --joints elbow,wrist", "example join elbow-130 --group arm")
    assert "already in group" in refusal("example", project, "join", "elbow-130", "arm")
    assert "several groups; choose one with --group: elbow, arm" in refusal("example", project, "leave", "elbow-130", status=2)
    steps(project, "stack set inverse-psd --set twist@arm=0.5", "group name arm limb", "group move limb 0")
    assert "place 3" in refusal("group", project, "move", "limb", "3", status=2)
    assert "--by" in refusal("group", project, "move", "limb", status=2)
    groups = answer("group", project, "list")["groups"]
    assert [group["name"] for group in groups] == ["limb", "elbow", "wrist"]
    assert [joint["name"] for joint in groups[0]["joints"]] == ["elbow", "wrist"] and len(groups[0]["examples"]) == 1
    settings = lambda: answer("stack", project, "list")["layers"][1]["settings"]
    assert settings() == {"twist@limb": 0.5}
    count = len(answer("history", project)["history"])
    sinew("group", project, "move", "limb", "--by", "-1")  # it is the first already
    assert len(answer("history", project)["history"]) == count
    steps(project, "example leave elbow-130 elbow", "group joints limb --toggle elbow")
    assert [joint["name"] for joint in answer("group", project)["groups"][0]["joints"]] == ["wrist"]
    assert "exclude each other" in refusal("group", project, "joints", "limb", "--toggle", "elbow", "--joints", "elbow", status=2)
    sinew("group", project, "joints", "limb")
    assert answer("group", project)["groups"][0]["joints"] == []
    assert "nobody" in refusal("stack", project, "set", "inverse-psd", "--set", "twist@nobody=1", status=2)
    assert "no group is named 'none'" in refusal("group", project, "remove", "none")
    sinew("group", project, "remove", "limb")
    assert settings() == {}
    # What one group had for itself outlives it where its last example goes, and does nothing.
    steps(project, "stack set inverse-psd --set twist@wrist=0.5", "example remove wrist-150")
    assert not answer("stack", project, "list")["layers"][1]["stale"]
    sinew("stack", project, "set", "inverse-psd", "--set", "twist@wrist=")
    assert settings() == {}
    made = [row for row in answer("history", project)["history"] if not row["undone"]][2:]
    steps(project, *["undo" for _ in made])
    assert answer("group", project)["groups"] == before


def joint_that_drives_an_example_is_changed_with_its_group_and_name(folder):
    project = folder / "p.sinew"
    tiny_arm(project, fitted=True)
    sinew("example", project, "drive", "elbow-130", "shoulder")
    groups = {row["name"]: ([joint["name"] for joint in row["joints"]], [example["name"] for example in row["examples"]])
              for row in answer("group", project, "list")["groups"]}
    assert groups["Shoulder"] == (["shoulder"], ["elbow-130"]) and "elbow" not in groups, groups
    count = len(answer("history", project)["history"])
    assert "already drives elbow-130" in sinew("example", project, "drive", "elbow-130", "shoulder").stdout
    assert len(answer("history", project)["history"]) == count
    # The shoulder is at rest in both, so that a second joint has to tell them apart.
    assert "in group Shoulder + Wrist" in sinew("example", project, "drive", "wrist-150", "shoulder").stdout
    steps(project, "undo", "undo")
    assert "elbow" in {row["name"] for row in answer("group", project, "list")["groups"]}
    # What one group has for itself goes with its name, and with it.
    settings = lambda: answer("stack", project, "list")["layers"][1]["settings"]
    steps(project, "stack set inverse-psd --set twist@wrist=0.5", "group name wrist hand")
    assert settings() == {"twist@hand": 0.5}
    sinew("group", project, "remove", "hand")
    assert settings() == {}


def muted_examples_are_left_out_until_unmuted(folder):
    project = folder / "p.sinew"
    tiny_arm(project, fitted=True)
    errors = lambda: {(row["against"], row["method"]): row["erms"] for row in answer("measure", project)["errors"]}
    whole = errors()
    sinew("example", project, "mute", "wrist-150")
    assert [row["muted"] for row in answer("example", project, "list")["examples"]] == [False, True]
    if LONG:
        one = errors()
        assert one["examples", "stack"] < 1e-3 and one["twist", "stack"] > whole["twist", "stack"]
    sinew("example", project, "mute", "elbow-130")
    none = errors()
    assert ("examples", "stack") not in none and none["bend", "stack"] == none["bend", "linear-blend"]
    sinew("undo", project)
    sinew("example", project, "unmute", "wrist-150")
    assert errors() == whole


run([arm_main_job_lowers_the_error_at_the_examples_and_between_them,
     undo_and_redo_walk_through_every_change,
     layer_that_blends_takes_the_place_of_the_blend_that_is_there, wrong_sculpts_are_refused_and_change_nothing,
     failed_import_leaves_the_old_project, exports_leave_an_existing_file_when_they_fail,
     outputs_never_replace_inputs_or_changed_projects, sculpts_in_other_units_are_refused, fit_into_a_copy_leaves_the_project,
     interrupted_import_leaves_nothing, missing_plugin_is_named_and_its_layer_kept,
     blend_that_a_missing_plugin_had_replaced_is_named,
     fit_with_a_caveat_is_kept_and_reported, fit_of_a_muted_layer_leaves_it_muted, fields_of_two_layers_stay_apart,
     import_does_not_replace_a_changed_project,
     poses_that_others_depend_on_are_not_changed_silently,
     fit_into_a_copy_omits_the_unfinished_change_of_a_killed_program, leave_one_out_is_reported_for_every_example,
     suggested_poses_are_printed_and_added,
     joint_that_drives_an_example_is_changed_with_its_group_and_name, muted_examples_are_left_out_until_unmuted],
    long=[arm_main_job_lowers_the_error_at_the_examples_and_between_them, stack_layers_move_mute_and_set,
          groups_are_edited_with_their_settings, muted_examples_are_left_out_until_unmuted, exported_sculpt_is_imported_again,
          caches_survive_the_round_trip])
