#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that are more than a number, on the command line: the positions of points show the values that the plug-in received
(tests/plugin/values.c)."""

import functools
import os
import shutil
import sqlite3
import sys
from pathlib import Path

from harness import LONG, answer, made, obj_points, refusal, run, sinew, tiny_arm

PLUGINS = Path(sys.argv[2])
SET = ("--set", "offset=0.5,0.25,-1", "--set", "tint=#ff8800", "--set", "note=two words")


def setup(folder, name="fitted"):
    """The arm without a corrective, and an environment in which the plug-in is found."""
    shutil.copy(PLUGINS / f"values-{name}.so", folder)
    return tiny_arm(folder / "arm.sinew"), {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder}"}


@functools.cache
def rest():
    """The points of the arm without layers."""
    folder = Path(made().name)
    sinew("export", tiny_arm(folder / "rest.sinew"), "-o", folder / "rest.obj", "--pose", "rest", "--method", "linear-blend")
    return obj_points(folder / "rest.obj")


def shift(project, env):
    """How far the layers move every point at rest, which must be the same for all."""
    file = project.with_suffix(".obj")
    sinew("export", project, "-o", file, "--pose", "rest", env=env)
    moves = {tuple(round(a - b, 5) for a, b in zip(p, q)) for p, q in zip(obj_points(file), rest(), strict=True)}
    assert len(moves) == 1, list(moves)[:5]
    return moves.pop()


def settings(project, env, layer=-1):
    return answer("stack", project, "list", env=env)["layers"][layer]["settings"]


def plugins_prints_kinds_and_allowed_values(folder):
    _, env = setup(folder)
    row = next(row for row in answer("plugins", env=env)["loaded"] if row["short_name"] == "test-values")
    kinds = {p["key"]: p["kind"] for p in row["parameters"]}
    assert kinds == {"offset": "vector", "tint": "colour", "pivot": "joint", "follow": "joint", "mask": "field", "note": "text",
                     "curve": "file"}, kinds
    initial = {p["key"]: p["initial"] for p in row["parameters"]}
    assert initial == {"offset": [0, 0, 0], "tint": [0.5, 0.5, 0.5], "pivot": "", "follow": "", "mask": "", "note": "plain", "curve": ""}
    assert all(("minimum" in p) == (p["kind"] in ("vector", "colour")) for p in row["parameters"])
    lines = sinew("plugins", env=env).stdout
    for line in ("offset=0,0,0 (x,y,z, each -10 to 10)", "tint=0.5,0.5,0.5 (a colour)", "pivot= (a joint)", "note=plain (a line of text)"):
        assert line in lines, line


def values_go_through_the_worker_into_the_fit_and_the_file(folder):
    project, env = setup(folder)
    (folder / "curve.txt").write_text("0.125\n")
    sinew("fit", "test-values", project, *SET, "--set", "follow=elbow", "--set", f"curve={folder / 'curve.txt'}", env=env)
    kept = settings(project, env)
    assert kept["offset"] == [0.5, 0.25, -1] and kept["note"] == "two words" and kept["follow"] == "elbow", kept
    assert kept["curve"] == "curve.txt"  # inside the project's folder
    assert kept["tint"][0] == 1 and abs(kept["tint"][1] - 0.2462) < 1e-4 and kept["tint"][2] == 0
    assert shift(project, env) == (0.625, 0.25, -0.991)  # the note has nine bytes
    text = sinew("stack", project, "list", env=env).stdout
    shown = sinew("info", project, env=env).stdout
    for words in ("offset=0.5,0.25,-1", "tint=#ff8800", 'note="two words"', "follow=elbow", "curve=curve.txt"):
        assert words in text and words in shown, words
    assert next(row for row in answer("info", project, env=env)["stack"] if row["name"] == "test-values")["settings"] == kept
    # A change of stage drive shows at once; one of the file makes the model stale, and a fit reads it again.
    sinew("stack", project, "set", "test-values", "--set", "offset=0,0,2", env=env)
    assert shift(project, env) == (0.125, 0, 2.009)
    assert not answer("stack", project, "list", env=env)["layers"][-1]["stale"]
    (folder / "curve.txt").write_text("0.25\n")
    assert answer("stack", project, "list", env=env)["layers"][-1]["stale"]
    sinew("fit", "test-values", project, env=env)
    assert shift(project, env) == (0.25, 0, 2.009)
    sinew("undo", project)
    sinew("undo", project)
    assert settings(project, env) == kept
    # Without the plug-in everything stays.
    assert settings(project, None)["offset"] == [0.5, 0.25, -1] and settings(project, None)["note"] == "two words"


def file_goes_with_the_project_or_stays_where_it_is(folder):
    project, env = setup(folder)
    inside, outside = folder / "one", folder / "two"
    inside.mkdir()
    outside.mkdir()
    project = Path(shutil.move(project, inside))
    (inside / "curve.txt").write_text("0.5")
    (outside / "far.txt").write_text("0.25")
    # As a shell completes it, from the current folder; in a project elsewhere.
    sinew("fit", "test-values", project, "--set", "curve=one/curve.txt", env=env, cwd=folder)
    assert settings(project, env)["curve"] == "curve.txt"
    third = folder / "three"
    inside.rename(third)
    project = third / "arm.sinew"
    assert not answer("stack", project, "list", env=env)["layers"][-1]["stale"]
    # A copy in another folder reads the same file.
    sinew("fit", "test-values", project, "-o", outside / "copy.sinew", env=env)
    assert settings(outside / "copy.sinew", env)["curve"] == str(third / "curve.txt")
    assert shift(outside / "copy.sinew", env)[0] == 0.5
    if not LONG:
        return
    sinew("fit", "test-values", project, "--set", "curve=two/far.txt", env=env, cwd=folder)
    assert settings(project, env)["curve"] == str(outside / "far.txt")
    assert shift(project, env)[0] == 0.25
    # The model plays on without the file; a fit says that it is gone.
    (outside / "far.txt").unlink()
    assert shift(project, env)[0] == 0.25
    line = refusal("fit", "test-values", project, env=env)
    assert "test-values: curve: " in line and "far.txt: cannot be read: No such file" in line, line
    sinew("fit", "test-values", project, "--set", "curve=", env=env)
    assert "curve" not in settings(project, env) and shift(project, env)[0] == 0


def binding_layer_reads_its_values_whenever_it_is_built(folder):
    project, env = setup(folder, "bound")
    sinew("stack", project, "add", "test-values-bound", *SET, env=env)
    assert shift(project, env) == (0.5, 0.25, -0.991)
    sinew("stack", project, "set", "test-values-bound", "--set", "note=", "--set", "offset=", env=env)
    assert settings(project, env).keys() == {"tint", "note"} and shift(project, env) == (0, 0, 0)
    assert 'note=""' in sinew("stack", project, "list", env=env).stdout
    sinew("stack", project, "set", "test-values-bound", "--set", "note=plain", env=env)
    assert settings(project, env).keys() == {"tint"} and shift(project, env) == (0, 0, 0.005)  # the first note has five bytes


def wrong_value_is_one_line_and_no_change(folder):
    project, env = setup(folder)
    rows = ((2, "offset=0,nan,0", "offset cannot be '0,nan,0'; expected x,y,z, each from -10 to 10"),
            (2, "tint=#ff88", "expected a colour as #ff8800"),
            (1, "pivot=knee", "the character has no joint 'knee'; 'sinew info' lists them"),
            (2, "pivot@nobody=elbow", "no such group or joint 'nobody'"),
            (1, "mask=stain", "no mesh has a field 'stain'"),
            (2, "note=" + 1001 * "x", "its text has more than 1000 bytes"),
            (1, "curve=absent.txt", "absent.txt: cannot be read: No such file"),
            (1, f"curve={folder}", "not a regular file"))
    for status, text, words in rows:
        line = refusal("fit", "test-values", project, "--set", text, env=env, status=status)
        assert words in line, line
    assert len(answer("stack", project, "list", env=env)["layers"]) == 1
    # A project that somebody else wrote.
    sinew("fit", "test-values", project, "--set", "note=x", env=env)
    with sqlite3.connect(project) as file:
        file.execute("UPDATE layer_setting SET text = 'one' || char(10) || 'two'")
    assert "control character (byte 0x0a)" in refusal("info", project, env=env)
    with sqlite3.connect(project) as file:
        file.execute("UPDATE layer_setting SET text = NULL, y = 9e999")
    assert "number 1 of its value is inf" in refusal("info", project, env=env)


def validator_tries_them(folder):
    for name in ("fitted", "bound"):
        rows = answer("validate", PLUGINS / f"values-{name}.so")
        assert any("finite" in row["check"] and "draws of values" in row["words"] for row in rows["checks"]), rows
    result = sinew("validate", PLUGINS / "values-trusting.so", status=1)
    assert "it crashed with signal 6" in result.stdout + result.stderr


if __name__ == "__main__":
    run([plugins_prints_kinds_and_allowed_values, values_go_through_the_worker_into_the_fit_and_the_file,
         file_goes_with_the_project_or_stays_where_it_is, binding_layer_reads_its_values_whenever_it_is_built,
         wrong_value_is_one_line_and_no_change],
        long=[file_goes_with_the_project_or_stays_where_it_is, validator_tries_them])
