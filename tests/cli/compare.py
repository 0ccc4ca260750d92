#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Methods side by side: sinew compare, its page, and the frames that a fit reads."""

import base64
import hashlib
import json
import math
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as tree
from pathlib import Path

from harness import LONG, Skip, answer, environment, obj_points, refusal, run, sinew, tiny_arm
from html_page import Page, names_no_address

METHODS = "linear-blend,linear-blend-fit,inverse-psd,dual-quaternion+inverse-psd"
SHORT = ("--train", "bend", "--test", "twist", "--folds", 2, "--curve", "4,12")


def drawing():
    """The environment of a verb that draws: see DRAWS in harness.py."""
    return environment(["render"])


def comparison_says_what_measure_says(folder):
    project = tiny_arm(folder / "arm.sinew")
    before = hashlib.sha256(project.read_bytes()).digest()
    rows = answer("compare", project, "--methods", METHODS, *SHORT)["methods"]
    assert hashlib.sha256(project.read_bytes()).digest() == before and list(folder.iterdir()) == [project]
    assert [row["method"] for row in rows] == METHODS.split(",")
    measured = answer("measure", project, "--clip", "twist")["errors"]
    for key in ("erms", "distortion_percent", "enveloping_error", "max_percent", "normals_degrees"):
        assert rows[0]["test"][key] == next(row[key] for row in measured if row["method"] == "linear-blend"), key
    sinew("fit", "linear-blend-fit", project, "--clip", "bend")
    fitted = answer("measure", project, "--clip", "bend", "--method", "linear-blend-fit")["errors"]
    assert rows[1]["train"]["erms"] == next(row["erms"] for row in fitted if row["method"] == "linear-blend-fit")
    assert rows[1]["trained_on"] == "25 frames" and rows[2]["trained_on"] == "2 sculpts" and rows[0]["trained_on"] is None
    assert [point["frames"] for point in rows[1]["curve"]] == [4, 12, 25] and rows[2]["curve"] == []
    assert rows[1]["left_out_of_training"] == "2 parts of the clip" and rows[1]["left_out"]["erms"] > rows[1]["train"]["erms"]
    for row in rows:
        assert row["cost"]["ratio"] > 0 and row["cost"]["operations"] > 0 and "erms" in row["export"], row
        test = row["test"]
        assert math.isclose(math.hypot(test["point_mean_percent"], test["point_spread_percent"]), 100 * test["enveloping_error"], rel_tol=1e-9)


def page_is_one_file_with_tables_charts_and_pictures(folder):
    project = tiny_arm(folder / "a<b>&c.sinew")
    page = folder / "page.html"
    rows = answer("compare", project, "--methods", METHODS, *SHORT, "--pictures", 2, "-o", page, env=drawing())["methods"]
    text = page.read_text(encoding="utf-8")
    parsed = Page(text)
    # Nothing is loaded from elsewhere, and names are text.
    assert all(value.startswith("data:image/png;base64,") for value in parsed.loads), parsed.loads
    assert names_no_address(text) and "a&lt;b&gt;&amp;c.sinew" in text and "<b>&c" not in text
    # Errors on the test clip, the training clip, and what was left out; costs; losses.
    assert [len(table) for table in parsed.tables] == [len(rows)] * 5, parsed.heads
    for table, split in zip(parsed.tables, ("test", "train", "left_out")):
        for cells, row in zip(table, rows):
            assert cells[0] == row["method"] and math.isclose(float(cells[1]), row[split]["erms"], rel_tol=1e-8), (cells, split)
            assert math.isclose(float(cells[5]), row[split]["normals_degrees"], rel_tol=1e-8)
    charts = re.findall(r"<svg.*?</svg>", text, re.S)
    assert len(charts) == 3
    for chart in charts:
        tree.fromstring(chart)
    assert charts[0].count("<rect") == 2 * len(rows) and charts[1].count("<polyline") == 1
    # A row for the ground truth and one for each method, two views wide; an error map has other colours than clay.
    assert len(parsed.images) == 1 + len(rows)
    for image in parsed.images:
        png = base64.b64decode(image.partition(",")[2], validate=True)
        assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (560, 320)
    assert len(set(parsed.images)) == len(parsed.images)


def top_of_curves(page):
    """The largest number beside the curves."""
    chart = re.findall(r"<svg.*?</svg>", page.read_text(encoding="utf-8"), re.S)[1]
    return max(float(number) for number in re.findall(r'text-anchor="end">([\d.]+)</text>', chart))


def curves_are_drawn_on_the_scale_of_the_baseline_in_any_order(folder):
    project = tiny_arm(folder / "arm.sinew")
    tops = []
    for methods in ("linear-blend-fit,linear-blend", "linear-blend-fit", "linear-blend,linear-blend-fit")[:3 if LONG else 2]:
        page = folder / "page.html"
        rows = answer("compare", project, "--train", "both", "--test", "twist", "--folds", 0, "--curve", 1, "--methods", methods, "--pictures", 0, "-o", page)["methods"]
        tops.append(top_of_curves(page))
        assert all(row["curve"] == [] or row["curve"][-1]["erms"] < tops[-1] for row in rows), (tops, rows)
    assert tops[0] == tops[-1 if LONG else 0] > tops[1], tops  # a fit to one frame is far off, though not twice as far as the baseline


def tables_are_sorted_by_a_click(folder):
    """The page's script, in a document of as many elements as it asks for."""
    node = shutil.which("node")
    if not node:
        raise Skip("no node to run the page's script")
    project, page = tiny_arm(folder / "arm.sinew"), folder / "page.html"
    sinew("compare", project, "--train", "bend", "--test", "twist", "--folds", 0, "--curve", "none", "--methods", METHODS, "--pictures", 0, "-o", page)
    text = page.read_text(encoding="utf-8")
    rows = [[cell[0] for cell in table] for table in Page(text).tables][0]
    numbers = [float(table[1]) for table in Page(text).tables[0]]
    script = re.search(r"<script>(.*?)</script>", text, re.S)[1]
    said = json.loads(subprocess.run([node, Path(__file__).with_name("sorted_table.js")], input=json.dumps({"script": script, "rows": [[name, {"v": repr(number)}] for name, number in zip(rows, numbers)] + [["none", {"v": ""}]]}),
                                     capture_output=True, text=True, check=True).stdout)
    order = sorted(range(len(rows)), key=lambda row: numbers[row])
    assert said[0] == {"sort": [None, "ascending"], "rows": [rows[row] for row in order] + ["none"]}, said
    assert said[1] == {"sort": [None, "descending"], "rows": [rows[row] for row in reversed(order)] + ["none"]}, said
    assert said[2] == {"sort": ["ascending", None], "rows": sorted(rows + ["none"])}, said


def method_that_fails_is_a_row_with_its_reason(folder):
    """Two sculpts of one pose in one group contradict each other."""
    project = tiny_arm(folder / "arm.sinew")
    sinew("export", project, "--pose", "both", "-o", folder / "both.obj")
    sinew("export", project, "--pose", "rest", "-o", folder / "rest.obj")
    for name, mesh in (("first", "both.obj"), ("second", "rest.obj")):
        sinew("example", project, "add", "--name", name, "--pose", "both", "--file", folder / mesh, "--group", "twice", status=None)
    page = folder / "page.html"
    said = answer("compare", project, "--methods", "linear-blend,inverse-psd", *SHORT, "-o", page, "--pictures", 0, status=1)
    rows = said["methods"]
    assert "1 of 2 methods failed" in said["error"] and "inverse-psd" in said["error"], said["error"]
    assert "same pose" in rows[1]["failure"] and "test" not in rows[1] and "erms" in rows[0]["test"], rows[1]
    alone = folder / "alone.html"
    sinew("compare", project, "--methods", "inverse-psd", *SHORT, "-o", alone, "--pictures", 0, status=1)
    assert "same pose" in Page(alone.read_text(encoding="utf-8")).tables[0][0][1]
    parsed = Page(page.read_text(encoding="utf-8"))
    assert parsed.images == [] and "same pose" in parsed.tables[0][1][1]


def wrong_words_are_refused_and_nothing_is_written(folder):
    project = tiny_arm(folder / "arm.sinew")
    page = folder / "page.html"
    for words, expected, status in ((("--test", "twist"), "--train CLIP", 2), (("--train", "walk", "--test", "twist"), "no clip is named 'walk'", 1),
                                    ((*SHORT[:4], "--methods", "nonsense"), "'nonsense'", 1), ((*SHORT[:4], "--curve", "8,4"), "ascending", 2),
                                    ((*SHORT[:4], "--methods", "skin-weights"), "weights", 1), (("--train", "bend", "--test", "bend"), "'bend'", 2),
                                    ((*SHORT[:4], "--folds", "-1"), "--folds", 2)):
        assert expected in refusal("compare", project, *words, "-o", page, status=status), words
    assert "html" in refusal("compare", project, *SHORT[:4], "-o", folder / "page.pdf", status=2)
    assert list(folder.iterdir()) == [project]


def fit_to_chosen_frames_is_kept_and_undone_by_all(folder):
    project = tiny_arm(folder / "arm.sinew")
    layer = lambda: next(row for row in answer("info", project)["stack"] if row["name"] == "linear-blend-fit")
    sinew("fit", "linear-blend-fit", project, "--clip", "bend,twist", "--frames", "cover:3")
    assert layer()["fitted_on"] == "bend,twist" and layer()["frames"] == "cover:3" and not layer()["stale"]
    few = answer("measure", project, "--method", "linear-blend-fit", "--clip", "bend")["errors"][-1]["erms"]
    sinew("fit", "linear-blend-fit", project)  # the choice is kept
    assert answer("measure", project, "--method", "linear-blend-fit", "--clip", "bend")["errors"][-1]["erms"] == few
    sinew("fit", "linear-blend-fit", project, "--frames", "all")
    assert layer()["frames"] == "all" and layer()["fitted_on"] == "bend,twist"
    many = answer("measure", project, "--method", "linear-blend-fit", "--clip", "bend")["errors"][-1]["erms"]
    assert many < few < 1.5 * many, (few, many)
    assert "every:N" in refusal("fit", "linear-blend-fit", project, "--frames", "some", status=2)
    assert "reads no clips" in refusal("fit", "inverse-psd", project, "--frames", "every:2", status=2)



def poses_worth_simulating_come_back_as_a_target(folder):
    """Where the slow rig is linear blend itself, its meshes of the clip are what linear blend makes of the project's poses."""
    project, rig = tiny_arm(folder / "arm.sinew"), folder / "rig.sinew"
    made = answer("target", project, "make", folder / "poses.glb", "--range", "elbow=z:0:120", "--range", "wrist=y:-30:40")
    assert made["clip"] == "training" and "training" in [clip["name"] for clip in answer("info", project)["clips"]]
    described = json.loads((folder / "poses.json").read_text())
    joints, frames = described["joints"], described["frames"]
    assert joints == ["shoulder", "elbow", "wrist"] and described["parents"] == [None, "shoulder", "elbow"]
    assert len(frames) == made["poses"] and frames[0]["pose"] == "rest"
    # The elbow's range is the given one, the wrist's twist that of the clips, 150 degrees; pairs are at the ends of both.
    names = [frame["pose"] for frame in frames]
    assert {"elbow z +60", "elbow z +120", "wrist x +75", "wrist x +150", "wrist y -30", "wrist y +40", "elbow z +120, wrist x +150"} <= set(names), names
    angle = 2 * math.acos(frames[names.index("elbow z +120")]["local_rotations_xyzw"][1][3])
    assert math.isclose(angle, math.radians(120), abs_tol=1e-9)
    # The rig: what another program reads, poses and writes.
    sinew("import", folder / "poses.glb", "-o", rig)
    assert [clip["name"] for clip in answer("info", rig)["clips"]] == ["training"]
    frames_back = answer("export", rig, "--clip", "training", "-o", folder / "meshes.pc2")["frames"]
    assert frames_back == made["poses"]
    sinew("target", project, "add", "--clip", "training", "--file", folder / "meshes.pc2")
    rows = answer("measure", project, "--clip", "training")["errors"]
    assert rows[0]["frames"] == made["poses"] and rows[0]["erms"] < 1e-3 and rows[0]["normals_degrees"] < 0.05, rows
    # One frame of the file is a pose, and is the clip's.
    pose = folder / "pose.json"
    index = names.index("elbow z +120, wrist x +150")
    pose.write_text(json.dumps({"joints": joints, "local_rotations_xyzw": frames[index]["local_rotations_xyzw"]}))
    sinew("pose", project, "add", "read", "--file", pose)
    sinew("export", project, "--pose", "read", "-o", folder / "read.obj")
    sinew("export", project, "--pose", f"training:{frames[index]['seconds']}", "-o", folder / "played.obj")
    assert all(math.dist(a, b) < 1e-6 for a, b in zip(obj_points(folder / "read.obj"), obj_points(folder / "played.obj")))
    sinew("undo", project)
    sinew("undo", project)
    assert "training" in refusal("target", project, "make", folder / "again.glb")
    sinew("undo", project)
    assert "training" not in [clip["name"] for clip in answer("info", project)["clips"]]
    words = ("target", project, "make", folder / "all.glb", "--clip", "all", "--range", "elbow=z:0:120", "--range", "wrist=y:-30:40")
    assert f"fewer than 900: the joints' ranges allow {len(set(names)) - 1} different poses" in sinew(*words, "--poses", 900).stdout
    sinew("undo", project)
    few = answer("target", project, "make", folder / "few.gltf", "--poses", 4, "--clip", "few", "--fps", 2)
    assert 4 <= few["poses"] <= 9 and json.loads((folder / "few.json").read_text())["frames_per_second"] == 2
    for words, expected in ((("--range", "elbow=z:120:0"), "expected JOINT"), (("--range", "knee=z:0:9"), "no joint is named 'knee'"),
                            (("--points", "x.pc2"), "has no option --points")):
        assert expected in refusal("target", project, "make", folder / "bad.glb", "--clip", "bad", *words, status=None), words
    assert not (folder / "bad.glb").exists() and not (folder / "bad.json").exists()


def frames_are_placed_on_their_clip_by_keys_a_rate_or_their_own_times(folder):
    project = tiny_arm(folder / "arm.sinew")
    sinew("export", project, "--clip", "bend", "--fps", 10, "-o", folder / "odd.pc2")
    add = "target", project, "add", "--file", folder / "odd.pc2", "--name", "odd"
    assert "has 25 keys, but there are 11 frames; give their rate with --fps, or --times" in refusal(*add, "--clip", "bend")
    assert "check --fps" in refusal(*add, "--clip", "bend", "--fps", 1)
    assert answer(*add, "--clip", "bend", "--times")["made"] == answer(*add, "--clip", "bend", "--fps", 10)["changed"] == [{"target": "odd"}]
    assert next(row for row in answer("measure", project, "--clip", "bend")["errors"] if row["against"] == "odd")["erms"] < 1e-3
    sinew(*add)  # without a clip they have one of their own
    assert next(target["clip"] for target in answer("info", project)["targets"] if target["name"] == "odd") is None


def methods_are_compared_by_the_sculpts_and_one_is_kept(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    said = answer("compare", project, "--methods", "inverse-psd,pose-regression")
    below, *rows = said["methods"]
    assert below["method"] is None and {row["method"] for row in rows} == {"inverse-psd", "pose-regression"}
    assert [row["left_out"]["erms"] for row in rows] == sorted(row["left_out"]["erms"] for row in rows)
    before = answer("history", project)["history"]
    sinew("fit", "pose-regression", project, "--instead", "--clip", "examples")
    layers = {layer["name"]: layer["muted"] for layer in answer("stack", project, "list")["layers"]}
    assert layers == {"linear-blend": False, "inverse-psd": True, "pose-regression": False}, layers
    learned = next(row["learned"]["erms"] for row in rows if row["method"] == "pose-regression")
    stack = next(row for row in answer("measure", project)["errors"] if row["against"] == "examples" and row["method"] == "stack")
    assert math.isclose(stack["erms"], learned, rel_tol=1e-9), (stack, learned)
    assert len(answer("history", project)["history"]) == len(before) + 1
    sinew("undo", project)
    assert not any(layer["muted"] for layer in answer("stack", project, "list")["layers"])
    for words, expected in ((("--methods", "sad"), "sad does not learn from sculpts"), (("--folds", "3"), "--folds goes with a clip"),
                            (("--methods", "nobody"), "no method 'nobody'")):
        assert expected in refusal("compare", project, *words, status=None), words
    for example in answer("example", project, "list")["examples"]:
        sinew("example", project, "mute", example["name"])
    assert "there must be two; this project has 0" in refusal("compare", project)


run([methods_are_compared_by_the_sculpts_and_one_is_kept, comparison_says_what_measure_says,
     page_is_one_file_with_tables_charts_and_pictures,
     curves_are_drawn_on_the_scale_of_the_baseline_in_any_order, tables_are_sorted_by_a_click,
     method_that_fails_is_a_row_with_its_reason,
     wrong_words_are_refused_and_nothing_is_written, poses_worth_simulating_come_back_as_a_target,
     frames_are_placed_on_their_clip_by_keys_a_rate_or_their_own_times],
    long=[curves_are_drawn_on_the_scale_of_the_baseline_in_any_order, fit_to_chosen_frames_is_kept_and_undone_by_all])
