# SPDX-License-Identifier: GPL-3.0-or-later
"""What the mouse does counts, in order, also where each redraw takes longer than the time between two presses (held.c)."""

import sys
from pathlib import Path

from limbs import limbs
from driver import Window

HELD = str(Path(sys.argv[2], "window", "test-window-held").resolve())


def double_click_opens_a_folder_and_a_file(folder):
    made = folder / "characters"
    made.mkdir()
    project = limbs(folder)
    project.rename(made / "limbs2.sinew")
    slow = folder / "slow"
    with Window(folder, limbs(folder), program=(HELD,), env={"SINEW_TEST_SLOW": str(slow)}) as window:
        window.key("ctrl+o", "open")
        for name in "characters", "limbs2.sinew":
            x, y, width, height = window.report()["widgets"]["Open/" + name]
            window.point(x + width / 2, y + height / 2)
            window.report()
            slow.touch()
            window.tool("click", "--repeat", 2, "--delay", 250, 1)
            if name == "characters":
                assert "Open/limbs2.sinew" in window.report()["widgets"], "the folder was not opened"
            else:
                assert window.wait("open").split(" ", 1)[1] == str(made / "limbs2.sinew")
            slow.unlink()


def two_slow_clicks_open_nothing(folder):
    (folder / "characters").mkdir()
    slow = folder / "slow"
    with Window(folder, limbs(folder), program=(HELD,), env={"SINEW_TEST_SLOW": str(slow)}) as window:
        window.key("ctrl+o", "open")
        x, y, width, height = window.report()["widgets"]["Open/characters"]
        window.point(x + width / 2, y + height / 2)
        slow.touch()
        window.tool("click", "--repeat", 2, "--delay", 700, 1)
        slow.unlink()
        assert "Open/characters" in window.report()["widgets"], "the folder was opened"
        window.key("Escape", "escape")


CASES = [double_click_opens_a_folder_and_a_file, two_slow_clicks_open_nothing]
