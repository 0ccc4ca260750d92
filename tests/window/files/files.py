#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window and files: scripts, and dropped sculpts."""

import shutil

from harness import answer, run, sinew
from driver import arm, home
from under_xvfb import under_xvfb


def script_does_again_what_was_recorded(folder):
    project = arm(folder, fitted=False)
    script = folder / "bend.txt"
    script.write_text("# the elbow\nwindow joint elbow\nwindow rotate 0 0 90 elbow\npose add bent\nwindow posing\nwindow brush inflate\nwindow radius 6\n"
                      "window stroke 0.425 0.4 1\nwindow dab 0.43 0.42 1\nwindow stroke-end\nwindow picture shown.png\nwindow write-script\nwindow quit\n")
    twice = [folder / "one", folder / "two"]
    for place in twice:
        place.mkdir()
        if place is twice[1]:  # what was recorded ends where it was written, before the end
            again = folder / "again.txt"
            again.write_text((twice[0] / "arm-session-1.txt").read_text() + "window quit\n")
        copy = shutil.copy(project, place / "arm.sinew")
        sinew("view", copy, "--script", script if place is twice[0] else again, "--size", "900x600", cwd=place,
              env={"XDG_CONFIG_HOME": str(place), "XDG_STATE_HOME": str(place), "XDG_DATA_HOME": str(place)})
    lists = [[row["label"] for row in answer("history", place / "arm.sinew")["history"]] for place in twice]
    assert lists[0] == lists[1] and "inflate bent" in lists[0], lists
    assert (twice[1] / "shown.png").exists()


def sculpt_dropped_on_an_example_becomes_it(folder):
    project = arm(folder, fitted=False)
    sculpt, script = folder / "sculpt.obj", folder / "drop.txt"
    sinew("export", project, "-o", sculpt, "--pose", "rest")  # as good as any: it differs from the skin in the example's pose
    script.write_text(f"window example elbow-130\nwindow drop {sculpt}\nwindow quit\n")
    before = [row["label"] for row in answer("history", project)["history"]]
    sinew("view", project, "--script", script, cwd=folder, env=home(folder))
    after = [row["label"] for row in answer("history", project)["history"]]
    assert after[:len(before)] == before and len(after) == len(before) + 1, after


if __name__ == "__main__":
    under_xvfb()
    run([script_does_again_what_was_recorded, sculpt_dropped_on_an_example_becomes_it])
