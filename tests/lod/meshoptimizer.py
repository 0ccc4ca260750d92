#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels beside those of meshoptimizer's npm package on the same meshes, by the same measure: meshoptimizer.py SINEW FOLDER

Its levels come in as MSFT_lod, and `lod show` measures both in the frames of a clip. The package is installed into FOLDER; where node or
the network is missing this skips and says so."""

import shutil
import subprocess
import sys
from pathlib import Path

from harness import Skip, answer, data, run, sinew

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "export"))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position

FOLDER = Path(sys.argv[2])


def others(folder, project, attributes, triangles):
    """A project with levels of meshoptimizer of these sizes."""
    missing = install(FOLDER, HERE.parent / "export" / "players" / "package.json", "meshoptimizer")
    if missing:
        raise Skip(missing)
    script = shutil.copy(HERE / "simplify.mjs", FOLDER)  # packages are looked for beside it
    mesh, leveled, made = folder / "mesh.glb", folder / f"{attributes}.glb", folder / f"{attributes}.sinew"
    sinew("export", project, "-o", mesh, "--allow-error", 100)
    done = subprocess.run(["node", script, mesh, leveled, attributes, *map(str, triangles)], capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    sinew("import", leveled, "-o", made)
    return made


def measured(project, number, clip):
    level, errors = (answer("lod", project, "show", number, "--clip", clip)[key] for key in ("levels", "errors"))
    return level[0]["triangles"], next(row for row in errors if row["clip"] == clip)


def beside(folder, project, clip, triangles):
    """For each size the errors: of Sinew's level, then of meshoptimizer's without and with weights."""
    projects = [project, *(others(folder, project, attributes, triangles) for attributes in ("plain", "weights"))]
    rows = [[measured(made, n, clip) for made in projects] for n in range(1, len(triangles) + 1)]
    for row in rows:
        print(*(f"{count} triangles: {e['rms_percent']:.4f} / {e['largest_percent']:.3f}, UVs {e['uv_rms_percent']:.4f}" for count, e in row), sep="; ")
        assert max(count for count, _ in row) <= 1.02 * min(count for count, _ in row), "of other sizes"
    return [[errors for _, errors in row] for row in rows]


def levels_of_a_human_are_nearer_in_a_clip_that_they_were_not_made_from(folder):
    project = folder / "human.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("lod", project, "make", "--level", "triangles=6688 triangles=3344 triangles=1672", "--clip", "rom")
    for ours, *theirs in beside(folder, project, "dance", (6688, 3344, 1672)):
        assert ours["rms_percent"] <= 0.8 * min(row["rms_percent"] for row in theirs), (ours, theirs)
        assert ours["largest_percent"] <= min(row["largest_percent"] for row in theirs), (ours, theirs)


def textures_slide_no_more_than_half_as_far_again(folder):
    """On a character with UVs, which meshoptimizer has as attributes."""
    project = folder / "man.sinew"
    sinew("import", data("characters/CesiumMan.glb"), "-o", project)
    sinew("lod", project, "make", "--level", "triangles=50% triangles=25%")
    sizes = [level["triangles"] for level in answer("lod", project, "list")["levels"]]
    clip = next(row["clip"] for row in answer("lod", project, "show", 1)["errors"] if row["clip"])
    for ours, *theirs in beside(folder, project, clip, sizes):
        assert ours["uv_rms_percent"] <= 1.5 * min(row["uv_rms_percent"] for row in theirs), (ours, theirs)
        assert ours["rms_percent"] <= min(row["rms_percent"] for row in theirs), (ours, theirs)


run([levels_of_a_human_are_nearer_in_a_clip_that_they_were_not_made_from, textures_slide_no_more_than_half_as_far_again])
