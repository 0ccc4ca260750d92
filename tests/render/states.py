#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What sinew render draws, against small references (likeness.py)."""

from pathlib import Path

from harness import LONG, run, sample_arm, sinew
from likeness import check

REFERENCES = Path(__file__).parent / "states"
STATES = {
    "materials": ["--pose", "both"],
    "error": ["--pose", "wrist-150", "--method", "linear-blend", "--heat", "error", "--caption", "how far from the sculpt"],
    "bones": ["--pose", "elbow-130", "--look", "x-ray", "--skeleton", "--dark"],
    "edges": ["--clip", "bend", "--frame", "8", "--look", "edges", "--focus", "joints:wrist", "--no-grid"],
    "clay": ["--clip", "both", "--frame", "7", "--look", "clay", "--wireframe", "--dark"],
    "influences": ["--pose", "rest", "--heat", "influences", "--yaw", "-0.5", "--pitch", "0.9"],
}


def pictures_look_like_their_references(folder):
    project = folder / "arm.sinew"
    sample_arm(project, fitted=True)
    for name, words in STATES.items() if LONG else list(STATES.items())[:3]:
        sinew("render", project, "-o", folder / f"{name}.png", "--size", "640x400", *words)
        check(folder / f"{name}.png", REFERENCES)
    sinew("render", project, "-o", folder / "side-by-side.png", "--pose", "elbow-130", "--pose", "wrist-150", "--method", "linear-blend",
          "--method", "inverse-psd", "--heat", "error", "--size", "320x200")
    check(folder / "side-by-side.png", REFERENCES)


run([pictures_look_like_their_references], long=[pictures_look_like_their_references])
