#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields on the command line: influence colours of a rig, of another method and of proxy joints; a colour field of a plug-in; what info
prints about them."""

import os
import shutil
import sys
from pathlib import Path

from harness import answer, refusal, run, sinew, tiny_arm
from picture import Picture
from sequence import imported

PLUGINS = Path(sys.argv[2])
WIDTH, HEIGHT = 320, 240


def drawn(project, *words, env=None):
    made = project.with_suffix(".png")
    sinew("render", project, "-o", made, "--size", f"{WIDTH}x{HEIGHT}", "--no-grid", *words, env=env)
    return Picture(made)


def linear(pixel):
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (byte / 255 for byte in pixel)]


def hue(pixel):
    """The colour without how bright it is."""
    light = linear(pixel)
    return [v / sum(light) for v in light]


def alike(one, other, most):
    return max(abs(a - b) for a, b in zip(one, other)) < most


def arm(folder):
    tiny_arm(folder / "arm.sinew")
    return folder / "arm.sinew"


# The arm from the front lies along x: places of its upper, fore and hand part, and of the elbow, as parts of the width.
ALONG = ("--yaw", 0, "--pitch", 0, "--parallel")


def influences_of_a_rig_are_pure_at_the_ends_and_mixed_in_between(folder):
    project = arm(folder)
    plain, picture = drawn(project, *ALONG), drawn(project, *ALONG, "--heat", "influences")
    row = HEIGHT // 2
    figure = [x for x in range(WIDTH) if picture.pixel(x, row) != plain.pixel(x, row)]
    begin, end = min(figure), max(figure)
    hues = [hue(picture.pixel(x, row)) for x in range(begin + 3, end - 2)]
    first, last = hues[len(hues) // 20], hues[-len(hues) // 20]
    middle = hues[len(hues) // 2]
    assert not alike(first, middle, 0.2) and not alike(middle, last, 0.2) and not alike(first, last, 0.2), (first, middle, last)
    assert sum(alike(h, one, 0.05) for h in hues for one in (first, middle, last)) > 0.5 * len(hues)
    steps = [max(abs(a - b) for a, b in zip(p, q)) for p, q in zip(hues, hues[1:])]
    assert max(steps) < 0.15, max(steps)  # from one to the next by mixing
    # Beside each other, methods with the same joints have the same colours.
    two = drawn(project, *ALONG, "--heat", "influences", "--method", "linear-blend", "--method", "dual-quaternion")
    place = begin + len(hues) // 20 + 3
    assert alike(hue(two.pixel(place, row)), hue(two.pixel(WIDTH + place, row)), 0.02)


def proxy_joints_have_colours_too(folder):
    project = imported(folder)
    assert "no mesh has a skin" in refusal("render", project, "-o", folder / "x.png", "--heat", "influences")
    sinew("fit", "sad", project, "--set", "joints=6")
    picture = drawn(project, "--clip", "roll", "--frame", 3, "--heat", "influences")
    colors = {tuple(round(5 * v) for v in hue(picture.pixel(x, y))) for x in range(0, WIDTH, 2) for y in range(60, HEIGHT, 2)}
    assert len(colors) > 8, colors
    fields = {row["name"]: row for row in answer("info", project)["fields"]}
    assert set(fields) == {"sad.residual", "sad.error-over-time"}, fields
    assert fields["sad.residual"] == {"name": "sad.residual", "mesh": "roll", "over": "point", "components": 1, "count": 81, "unit": "m"}
    assert fields["sad.error-over-time"]["over"] == "frame" and fields["sad.error-over-time"]["count"] == 12
    lines = sinew("info", project).stdout.splitlines()
    assert any("sad.residual" in line and "a number in m for each of 81 points of roll" in line for line in lines), lines
    assert "no such field over points or faces" in refusal("render", project, "-o", folder / "x.png", "--heat", "sad.error-over-time")


def colours_that_a_plugin_leaves_are_painted_as_they_are(folder):
    project = arm(folder)
    shutil.copy(PLUGINS / "small-good.so", folder)
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder}"}
    sinew("fit", "test-small", project, env=env)
    row = next(row for row in answer("info", project, env=env)["fields"] if row["name"] == "test-small.tint")
    assert row["components"] == 3 and row["unit"] == "colour", row
    assert any("test-small.tint" in line and "a colour for each of" in line for line in sinew("info", project, env=env).stdout.splitlines())
    picture = drawn(project, *ALONG, "--heat", "test-small.tint", env=env)
    pixels = [picture.pixel(x, y) for x in range(0, WIDTH, 3) for y in range(50, HEIGHT, 3)]
    greys = [p[0] for p in pixels if max(p) == min(p)]  # the background is bluish
    assert len(greys) > 200 and 184 <= max(greys) <= 188 and min(greys) > 120, (len(greys), greys)  # a half, shaded a little
    shutil.copy(PLUGINS / "small-too-bright.so", folder / "small-good.so")
    line = refusal("fit", "test-small", project, env=env)
    assert "they must be between 0 and 1" in line, line


if __name__ == "__main__":
    run([influences_of_a_rig_are_pure_at_the_ends_and_mixed_in_between, proxy_joints_have_colours_too,
         colours_that_a_plugin_leaves_are_painted_as_they_are])
