# SPDX-License-Identifier: GPL-3.0-or-later
"""What waits behind a fit, or for a name, is for the moment that was shown when it was asked for, also while a clip plays. The second
argument is the window of held.c, whose sculpts are stored when a file exists."""

import sqlite3
import sys
from array import array
from contextlib import closing
from pathlib import Path

from limbs import BENT, JOINTS, limbs
from driver import Window, enter

HELD = str(Path(sys.argv[2], "window", "test-window-held").resolve())
BEND = BENT["lower_l"][2]  # at the end of the clip, which takes a second


def bend_of(project, pose):
    with closing(sqlite3.connect(f"file:{project}?mode=ro", uri=True)) as database:
        ((vectors,),) = database.execute("SELECT joint_rotation_vectors FROM pose WHERE name = ?", (pose,)).fetchall()
    joint = [name for name, _, _ in JOINTS].index("lower_l")
    return array("d", vectors)[3 * joint + 2]


def assert_bend(project, pose, seconds):
    """That of the moment, which is shown by the sample before it."""
    late = BEND * seconds - bend_of(project, pose)
    assert -1e-6 < late < BEND / 60 + 1e-6, (late, seconds)


def playing(window):
    """A moment in the middle of the clip."""
    state = window.report_at_once()
    while not (state["playing"] and 0.1 < state["seconds"] < 0.7):
        state = window.report_at_once()
    return state


def example_is_of_the_moment_at_which_it_was_added(folder):
    release, project = folder / "release", limbs(folder)
    with Window(folder, project, program=(HELD,), env={"SINEW_TEST_RELEASE": str(release)}) as window:
        x, y, _, _ = enter(window, "bent")["joints"]["lower_l"]
        window.drag((x, y), ((6, 0), (6, 0)))
        window.wait("stroke-end")
        window.key("space", "play")
        before = playing(window)["seconds"]
        window.tool("key", "ctrl+shift+a")
        for _ in range(10):
            stopped = window.report_at_once()
            if not stopped["playing"]:
                break
        later = window.report_at_once()
        assert not stopped["playing"], stopped["seconds"]
        assert before <= stopped["seconds"] == later["seconds"] < 1 and later["busy"] and not later["examples"], (before, stopped["seconds"], later)
        release.touch()
        window.wait("example-add")
        report = window.report()
        assert not report["alarmed"] and len(report["examples"]) == 2 and report["clip"] is None, report["message"]
    assert_bend(project, report["pose"], stopped["seconds"])


def pose_is_of_the_moment_at_which_its_name_was_asked_for(folder):
    project = limbs(folder)
    with Window(folder, project) as window:
        window.key("space", "play")
        playing(window)
        window.key("ctrl+Return", "pose-add")
        asked = window.report_at_once()
        assert not asked["playing"] and window.report()["seconds"] == asked["seconds"] < 1, asked["seconds"]
        window.write("moment")
        window.wait("pose-add moment")
        window.report()
    assert_bend(project, "moment", asked["seconds"])


CASES = [example_is_of_the_moment_at_which_it_was_added, pose_is_of_the_moment_at_which_its_name_was_asked_for]
