#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sculpt layers of an example: the example's points are their sum, at every opacity; fits and exports see the sum; each change is one step."""

import math
import sqlite3
from array import array
from contextlib import closing

from harness import LONG, answer, obj_points, refusal, run, sinew, steps, tiny_arm, write_moved_obj

NAME = "elbow-130"


def points(project, folder):
    """What the fitted stack makes of the pose of the example."""
    made = folder / "shown.obj"
    sinew("export", project, "-o", made, "--pose", NAME)
    return obj_points(made)


def furthest(one, other):
    return max(math.dist(p, q) for p, q in zip(one, other))


def layers(project):
    return [(row["name"], row["opacity"], row["muted"]) for row in answer("example", project, "layers", NAME)["layers"]]


def between(one, other, share):
    return [[a + share * (b - a) for a, b in zip(p, q)] for p, q in zip(one, other)]


def points_are_the_sum_of_the_layers(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    sculpted = points(project, folder)
    sinew("export", project, "-o", folder / "below.obj", "--pose", NAME, "--method", "linear-blend")
    below = obj_points(folder / "below.obj")
    assert layers(project) == [] and furthest(sculpted, below) > 0.002
    sinew("example", project, "layer", NAME, "wrinkles", "--add")
    assert layers(project) == [("wrinkles", 1, False), ("base", 1, False)]
    assert furthest(points(project, folder), sculpted) < 1e-6
    for opacity in (0.25, 1) if LONG else (0.25,):
        sinew("example", project, "layer", NAME, "base", "--opacity", opacity)
        assert furthest(points(project, folder), between(below, sculpted, opacity)) < 1e-5, opacity
    sinew("example", project, "layer", NAME, "base", "--opacity", 0.5, "--mute")
    assert furthest(points(project, folder), below) < 1e-5
    rows = {row["name"]: row for row in answer("example", project, "list")["examples"]}
    assert rows[NAME]["edited"] == 0, rows[NAME]
    steps(project, "undo", f"example layer {NAME} base --opacity 1")
    assert furthest(points(project, folder), sculpted) < 1e-5
    # Whatever replaces the sculpt as a whole changes what is in no layer; the layers stay.
    write_moved_obj(folder / "shown.obj", folder / "raised.obj", lambda p: (0, 0.001, 0))
    sinew("example", project, "update", NAME, "--file", folder / "raised.obj")
    raised = points(project, folder)
    sinew("example", project, "layer", NAME, "base", "--opacity", 0)
    lower = [[c - (a - b) for a, b, c in zip(p, q, r)] for p, q, r in zip(sculpted, below, raised)]
    assert furthest(points(project, folder), lower) < 1e-5


def layers_are_renamed_merged_removed_and_refused(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    sculpted = points(project, folder)
    steps(project, f"example layer {NAME} wrinkles --add", f"example layer {NAME} wrinkles --rename folds")
    assert [row[0] for row in layers(project)] == ["folds", "base"]
    assert "with this name" in refusal("example", project, "layer", NAME, "base", "--add")
    assert "with this name" in refusal("example", project, "layer", NAME, "folds", "--rename", "base")
    assert "has no sculpt layer named 'nothing'" in refusal("example", project, "layer", NAME, "nothing", "--mute")
    assert "none below" in refusal("example", project, "layer", NAME, "base", "--merge")
    assert "--opacity" in refusal("example", project, "layer", NAME, "base", "--opacity", 11, status=2)
    assert "exclude each other" in refusal("example", project, "layer", NAME, "base", "--mute", "--unmute", status=2)
    sinew("example", project, "layer", NAME, "base", "--opacity", 0.5)
    half = points(project, folder)
    sinew("example", project, "layer", NAME, "folds", "--mute")
    assert "unmute folds" in refusal("example", project, "layer", NAME, "folds", "--merge")
    steps(project, f"example layer {NAME} folds --unmute", f"example layer {NAME} folds --merge")
    assert layers(project) == [("base", 1, False)] and furthest(points(project, folder), half) < 1e-6
    sinew("example", project, "layer", NAME, "base", "--opacity", 0)  # it holds what both were
    assert next(row["edited"] for row in answer("example", project, "list")["examples"] if row["name"] == NAME) == 0
    sinew("undo", project)
    sinew("example", project, "layer", NAME, "base", "--remove")
    assert layers(project) == [] and furthest(points(project, folder), sculpted) > 0.002
    sinew("undo", project)
    assert layers(project) == [("base", 1, False)] and furthest(points(project, folder), half) < 1e-6
    if not LONG:
        return
    # Subdivided, they still add up; the parts of a split have the sum.
    sinew("mesh", project, "subdivide", "--scheme", "catmull-clark")
    finer = points(project, folder)
    sinew("example", project, "layer", NAME, "base", "--opacity", 0.5)
    sinew("example", project, "layer", NAME, "base", "--opacity", 1)
    assert furthest(points(project, folder), finer) < 1e-6
    with closing(sqlite3.connect(project)) as database:
        (count,), (blob,) = (database.execute(f"SELECT {what} FROM {table}").fetchone()
                             for what, table in (("point_count", "mesh"), ("bytes", "sculpt_layer JOIN array ON array.id = points")))
        assert 0 < len(array("I", blob)) < count and max(array("I", blob)) < count
    sinew("example", project, "split", NAME, "--mask", "z+", "--name", "one", "--name", "two")
    assert answer("example", project, "layers", "one")["layers"] == []


run([points_are_the_sum_of_the_layers, layers_are_renamed_merged_removed_and_refused],
    long=[points_are_the_sum_of_the_layers, layers_are_renamed_merged_removed_and_refused])
