# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of animation space: mean distances beside those of table 8.2 of its thesis, and what its fits of a horse take. As sources.py."""

import array
import functools
import json
import math
import os
import shutil
import sqlite3
import struct
import subprocess
import tempfile
from pathlib import Path

from harness import answer, data, made, sinew
from sources import errors, horse_project, settings


def mean_distance(project, clips):
    """Of the stack's points from the targets of clips, over all points and frames; metres."""
    total, count = 0, 0
    connection = sqlite3.connect(project)
    for clip in clips:
        file = Path(project).with_suffix(".pc2")
        sinew("export", project, "-o", file, "--clip", clip)
        made_points = array.array("f", file.read_bytes()[32:])
        wanted = array.array("f")
        for points, in connection.execute("SELECT points_posed FROM target_frame JOIN target ON target.id = target WHERE name = ? ORDER BY position",
                                          (clip,)):
            wanted.frombytes(points)
        assert len(wanted) == len(made_points)
        total += sum(map(math.dist, zip(*[iter(made_points)] * 3), zip(*[iter(wanted)] * 3)))
        count += len(wanted) // 3
    return total / count


def twist_project():
    project = Path(made().name) / "figures-twist.sinew"
    sinew("sample", "tube", "-o", project)
    return project


def muscle_arm_project():
    project = Path(made().name) / "figures-muscle-arm.sinew"
    sinew("sample", "muscle-arm", "-o", project)
    return project


# As the models of table 8.2 of the animation space thesis: a project, what is learned from, and what is measured.
RATIOS = {"horse": (horse_project, ("--clip", "horse-poses"), ("horse-poses", "gallop")),
          "twist": (functools.cache(twist_project), ("--clip", "twist", "--frames", "every:8"), ("twist",)),
          "arm": (functools.cache(muscle_arm_project), ("--clip", "train"), ("train", "test"))}


@functools.cache
def learned_mean(name, method, *words):
    project, learned, clips = RATIOS[name]
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(shutil.copy(project(), Path(folder) / "learned.sinew"))
        sinew("fit", method, copied, *learned, *settings(words))
        return mean_distance(copied, clips)


def ratio(_folder, name, method, *words):
    """The mean distance of a skin, relative to the trained linear blend's."""
    return {"mean": learned_mean(name, method, *words) / learned_mean(name, "linear-blend-fit")}


def horse_influences(folder, *words):
    """How many influences a point of the fitted rows has on average, from the model's bytes."""
    project = Path(shutil.copy(horse_project(), folder / "horse.sinew"))
    sinew("fit", "animation-space", project, "--clip", "horse-poses", *settings(words))
    points = answer("info", project)["meshes"][0]["points"]
    saved, = sqlite3.connect(project).execute("SELECT array.bytes FROM model JOIN array ON array.id = model.bytes ORDER BY model.id DESC").fetchone()
    first = saved.index(struct.pack("<3I", 1, points, 1)) + 12  # meshes, points, whether they have influences; then offsets
    return {"influences": struct.unpack_from("<I", saved, first + 4 * points)[0] / points}


def horse_in_best_poses(folder, kind):
    """Each skin in the poses of the gallop that fit it best; thousandths of the diagonal."""
    means = {}
    for method, words in (("linear-blend-fit", ()), ("animation-space", ("smoothness=1e-5",))):
        project = Path(shutil.copy(horse_project(), folder / "horse.sinew"))
        sinew("fit", method, project, "--clip", "horse-poses", *settings(words))
        if kind != "given":
            sinew("track", project, "--sequence", data("horse-gallop") / "*.obj", "--clip", "gallop", "--replace", "--method", method,
                  *(["--free"] if kind == "free" else []))
        means[method] = 1e3 * mean_distance(project, ["gallop"]) / answer("info", project)["meshes"][0]["diagonal"]
    return {**means, "ratio": means["animation-space"] / means["linear-blend-fit"]}


def horse_in_any_matrices(folder):
    """Each skin with the matrices that are best for it in each frame of the gallop (least.c); thousandths of the diagonal."""
    means = {}
    for method, words in (("linear-blend-fit", ()), ("animation-space", ("smoothness=1e-5",))):
        project = Path(shutil.copy(horse_project(), folder / "horse.sinew"))
        sinew("fit", method, project, "--clip", "horse-poses", *settings(words))
        done = subprocess.run([os.environ["SINEW_LEAST_FIGURES"], project, "gallop"], capture_output=True, text=True,
                              check=True)
        means[method] = json.loads(done.stdout)["mean"]
    return {**means, "ratio": means["animation-space"] / means["linear-blend-fit"]}


def horse_in_free_poses(folder, through):
    """Animation space and multi-weight enveloping, learned from the ten poses, in the gallop tracked freely through one of two skins."""
    project = Path(shutil.copy(horse_project(), folder / "horse.sinew"))
    result = {}
    for method, words in (("animation-space", ["--set", "smoothness=1e-5"]), ("multi-weight", [])):
        sinew("fit", method, project, "--clip", "horse-poses", *words)
        if method == "animation-space":
            sinew("track", project, "--free", "--sequence", data("horse-gallop") / "*.obj", "--clip", "gallop", "--replace",
                  "--method", through)
        result[method] = errors(answer("measure", project)["errors"])["gallop/stack/erms"]
    return result


ANIMATION_SPACE_SOURCES = {"horse-in-any-matrices": horse_in_any_matrices, "horse-in-best-poses": horse_in_best_poses, "horse-in-free-poses": horse_in_free_poses,
                           "horse-influences": horse_influences, "ratio": ratio}
