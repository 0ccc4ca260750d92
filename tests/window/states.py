# SPDX-License-Identifier: GPL-3.0-or-later
"""The window's main states, against small references (likeness.py). One script goes through them, as docs/pictures does."""

from pathlib import Path

from harness import sample_arm, sinew
from likeness import check
from driver import home

REFERENCES = Path(__file__).parent / "states"
WIDTH, HEIGHT = 960, 600
# What is done, up to each picture.
STATES = {
    "opened": ["window open arm.sinew"],
    "posing": ["window clip bend", "window frame", "window joint elbow", "window pose rest", "pose set --rotate elbow=0,0,1.92", "window orbit 0.25 0.05"],
    "sculpting": ["window posing", "window brush grab", "window radius 9", "window stroke 0.455 0.66 1", "window dab 0.46 0.67 1", "window dab 0.472 0.69 1", "window stroke-end",
                  "window brush inflate", "window radius 5"],
    "stack": ["window posing", "window tab 1", "window layer 1"],
    "error": ["window clip bend", "window seek 0.35", "window field error", "window tab 2"],
    "looks": ["window field none", "window shading 2", "window ghosts", "window front", "window wireframe"],
    "history": ["window tab 3", "window shading 1", "window wireframe", "window ghosts"],
    "palette": ["window palette"],
    "keys": ["window escape", "window keys"],
    "bare": ["window escape", "window panels", "window shading 3"],
}


def states_look_like_their_references(folder):
    sample_arm(folder / "arm.sinew", fitted=True, sample="arm")
    script = folder / "states.txt"
    preferences = folder / "config" / "sinew" / "preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text("antialiasing no\n")  # its edges are finer than the references
    lines = [line for name, commands in STATES.items() for line in (*commands, f"window picture {name}.png")]
    script.write_text("\n".join([*lines, "window quit", ""]), encoding="utf-8")
    sinew("view", "--script", script, "--size", f"{WIDTH}x{HEIGHT}", env=home(folder), cwd=folder)
    strange = []
    for name in STATES:
        try:
            check(folder / f"{name}.png", REFERENCES)
        except AssertionError as error:
            strange.append(str(error))
    assert not strange, "\n".join(strange)


CASES = [states_look_like_their_references]
