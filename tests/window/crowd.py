# SPDX-License-Identifier: GPL-3.0-or-later
"""The window of a crowd: it plays, stops, is zoomed by the wheel, and says in its title how many are in view.

usage: crowd.py SINEW"""

import re
import subprocess
import time

from driver import MOUSE, PATIENCE, home
from harness import SINEW, environment, tiny_arm
from picture import Picture

SIZE = (480, 360)


def tool(*words):
    return subprocess.run(["xdotool", *map(str, words)], check=True, capture_output=True, text=True).stdout.strip()


class CrowdWindow:
    """A crowd of 30 that closes after some redraws."""

    def __init__(self, folder, redraws):
        self.path = folder / f"after-{redraws}.png"
        tool("mousemove", *MOUSE)
        self.program = subprocess.Popen([SINEW, "view", tiny_arm(folder / "arm.sinew"), "--crowd", "30",
                                         "--size", f"{SIZE[0]}x{SIZE[1]}",
                                         "--redraws", str(redraws), "--picture", self.path], env={**environment(["view"]), **home(folder)})

    def focus(self):
        self.id = tool("search", "--sync", "--onlyvisible", "--pid", self.program.pid).split()[0]
        tool("windowfocus", "--sync", self.id)
        tool("mousemove", "--window", self.id, SIZE[0] // 2, SIZE[1] // 2)

    def in_view(self, is_wanted):
        """Waits for a title with a number of members that is wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(r"- (\d+) in view.* redraws a second$", tool("getwindowname", self.id))
            if found and is_wanted(int(found[1])):
                return
            time.sleep(0.1)
        raise AssertionError(tool("getwindowname", self.id))

    def picture(self):
        assert self.program.wait(PATIENCE) == 0
        return Picture(self.path)


def skin(picture):
    return picture.count(lambda pixel: pixel[0] > pixel[2] + 24)


def whole_crowd_is_shown(folder):
    assert skin(CrowdWindow(folder, 2).picture()) > 500


def wheel_moves_the_camera_and_space_stops_the_clips(folder):
    window = CrowdWindow(folder, 100000)
    window.focus()
    window.in_view(lambda count: count == 30)
    tool("click", "--repeat", 12, "--delay", 20, 4)
    window.in_view(lambda count: count < 30)  # the wheel has brought the camera near
    tool("click", "--repeat", 30, "--delay", 20, 5)
    window.in_view(lambda count: count == 30)
    tool("key", "space")
    time.sleep(1)  # what was under way is over
    stopped = tool("getwindowname", window.id)
    time.sleep(1)
    assert tool("getwindowname", window.id) == stopped  # nothing is redrawn
    tool("key", "Escape")
    assert window.program.wait(PATIENCE) == 0


CASES = [whole_crowd_is_shown, wheel_moves_the_camera_and_space_stops_the_clips]
