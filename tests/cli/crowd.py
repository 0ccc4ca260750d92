#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Crowds by the command line: drawn and refused.

usage: crowd.py SINEW"""

import shutil
from functools import cache
from pathlib import Path

from harness import LONG, answer, made, refusal, run, sinew, tiny_arm
from picture import Picture


@cache
def leveled():
    project = Path(made().name) / "leveled.sinew"
    tiny_arm(project)
    sinew("lod", project, "make", "--level", "triangles=6%", "--clip", "bend")
    return project


def copy(folder):
    return Path(shutil.copy(leveled(), folder / "arm.sinew"))


def drawn(project, *words):
    path = project.parent / "crowd.png"
    reported = answer("render", project, "--crowd", 30, "-o", path, "--size", "160x120", *words)
    return reported, Picture(path)


def seeds_and_moments_differ_and_the_same_ones_do_not(folder):
    project = copy(folder)
    reported, picture = drawn(project)
    assert reported["members"] == reported["in_view"] == 30 and reported["bytes_sent"] == 480 and reported["bytes_kept"] > 0, reported
    assert picture.count(lambda pixel: pixel[0] > pixel[2] + 24) > 300
    if LONG:
        assert drawn(project)[1].differing(picture, 0, 0, 160, 120) == 0
    for words in (["--seed", 1], ["--seconds", 0.3]):
        assert drawn(project, *words)[1].differing(picture, 0, 0, 160, 120) > 100, words


def levels_are_chosen_by_their_pixels(folder):
    project = copy(folder)
    far, _ = drawn(project)
    assert far["levels"] == [0, 30], far
    near, _ = drawn(project, "--size", "480x360", "--zoom", 30)
    assert near["levels"][0] > 0 and near["in_view"] < 30 and near["bytes_sent"] == 16 * near["in_view"], near
    if LONG:
        whole, _ = drawn(project, "--method", "linear-blend")
        assert whole["levels"] == [30], whole


def what_cannot_be_drawn_is_refused(folder):
    project, out = copy(folder), folder / "x.png"
    assert "from 1 to 10000000" in refusal("render", project, "--crowd", 0, "-o", out, status=2)
    assert "whole number" in refusal("render", project, "--crowd", 1.5, "-o", out, status=2)
    assert "fit" in refusal("render", project, "--crowd", 10000000, "-o", out)
    assert "--wireframe" in refusal("render", project, "--crowd", 3, "--wireframe", "-o", out, status=2)
    assert "no such clip" in refusal("render", project, "--crowd", 3, "--clip", "swim", "-o", out)
    assert "--rate" in refusal("render", project, "--crowd", 3, "--rate", 1000, "-o", out, status=2)
    box = refusal("render", project, "--crowd", 3, "--method", "delta-mush", "-o", out)
    assert "delta-mush" in box and "sinew bake" in box, box
    assert not out.exists()


def benchmark_compares_three_ways(folder):
    at_once, one_by_one, points_sent = answer("bench", "gpu", copy(folder), "--crowd", 4, "--seconds", 0.001)["rows"]
    assert at_once["draw_calls"] == 1 and one_by_one["draw_calls"] == 4, (at_once, one_by_one)
    assert at_once["points"] == points_sent["points"] and points_sent["bytes_sent"] == 24 * points_sent["points"] + 64, points_sent
    assert 0 < points_sent["share"] < 0.01 and points_sent["seconds"] > 0, points_sent


run([seeds_and_moments_differ_and_the_same_ones_do_not, levels_are_chosen_by_their_pixels, what_cannot_be_drawn_is_refused],
    long=[benchmark_compares_three_ways, seeds_and_moments_differ_and_the_same_ones_do_not, levels_are_chosen_by_their_pixels])
