#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the pictures of the list of methods: the sample arm with elbow and wrist rotated, under each method that makes a layer.

usage: draw_pictures.py SINEW

Each picture is NAME/NAME.png in the folder of the deformer; it is installed beside the plug-in."""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
VIEW = "--pose", "both", "--size", "168x126", "--yaw", "0.35", "--pitch", "0.3", "--look", "clay", "--dark", "--no-grid", "--zoom", "1.15"
NO_LAYERS = "motion", "motion-skeleton", "skin-weights"


def sinew(*words, check=True):
    return subprocess.run([sys.argv[1], *map(str, words)], check=check, capture_output=True, text=True)


def draw(method, arm, folder):
    project = folder / f"{method}.sinew"
    project.write_bytes(arm.read_bytes())
    if method != "linear-blend" and sinew("stack", project, "add", method, check=False).returncode != 0:
        sinew("fit", method, project)  # it learns from the sculpts and the clips
    sinew("render", project, *VIEW, "-o", HERE / method / f"{method}.png")


def main():
    with tempfile.TemporaryDirectory() as folder:
        arm = Path(folder) / "arm.sinew"
        sinew("sample", "small-arm", "-o", arm)
        for method in sorted(path.name for path in HERE.iterdir() if path.is_dir() and path.name not in NO_LAYERS):
            draw(method, arm, Path(folder))
            print(method)


main()
