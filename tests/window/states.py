#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window's main states, against small references (likeness.py). One script goes through them, as docs/pictures does."""

from pathlib import Path

from harness import run, sample_arm, sinew
from likeness import check
from driver import home
from under_xvfb import under_xvfb

REFERENCES = Path(__file__).parent / "states"
WIDTH, HEIGHT = 960, 600
# A dialog takes a sixth of a second to dim what is behind it: that passes while pictures are written.
DIMMING = ["picture dimming.png"] * 12
# What is done, up to each picture.
STATES = {
    "opened": ["open arm.sinew"],
    "posing": ["clip bend", "frame", "joint elbow", "pose rest", "rotate 0 0 110 elbow", "orbit 0.25 0.05"],
    "sculpting": ["posing", "brush grab", "radius 9", "stroke 0.455 0.66 1", "dab 0.46 0.67 1", "dab 0.472 0.69 1", "stroke-end",
                  "brush inflate", "radius 5"],
    "stack": ["posing", "tab 1", "layer 1"],
    "error": ["clip bend", "seek 0.35", "field error", "tab 2"],
    "looks": ["field none", "shading 2", "ghosts", "front", "wireframe"],
    "history": ["tab 3", "shading 1", "wireframe", "ghosts"],
    "palette": ["palette", *DIMMING],
    "keys": ["escape", "keys", *DIMMING],
    "bare": ["escape", "panels", "shading 3"],
}


def states_look_like_their_references(folder):
    sample_arm(folder / "arm.sinew", fitted=True, sample="arm")
    script = folder / "states.txt"
    lines = [line for name, commands in STATES.items() for line in (*commands, f"picture {name}.png")]
    script.write_text("\n".join([*lines, "quit", ""]), encoding="utf-8")
    sinew("view", "--script", script, "--size", f"{WIDTH}x{HEIGHT}", env=home(folder), cwd=folder)
    strange = []
    for name in STATES:
        try:
            check(folder / f"{name}.png", REFERENCES)
        except AssertionError as error:
            strange.append(str(error))
    assert not strange, "\n".join(strange)


if __name__ == "__main__":
    under_xvfb()
    run([states_look_like_their_references])
