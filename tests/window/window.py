#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as people use it: real mouse and key events in a window under Xvfb. The program says what it has done and drawn
(--trace), and that is waited for."""

import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from harness import SINEW, SKIP, environment, refusal, run, sinew
from picture import Picture

PATIENCE = 90  # seconds for a machine that is busy; nothing waits longer than it must
WIDTH, HEIGHT = 700, 420
# The viewport without what is written over it: left of the side panel and the scale bar, above the timeline.
VIEW = (4, 56, 340, 340)
SCRUB_Y = HEIGHT - 27 - 22


class Window:
    """`sinew view` on a project, in a folder for its pictures; to be used with `with`, which closes it with Escape."""

    def __init__(self, project, folder):
        self.lines = queue.Queue()
        self.heard = []
        self.folder = folder
        self.program = subprocess.Popen([Path(SINEW).resolve(), "view", project, "--trace", "--size", f"{WIDTH}x{HEIGHT}"], cwd=folder,
                                        stdout=subprocess.PIPE, text=True, env=environment(["view"]))
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.program.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def __enter__(self):
        self.wait("ready")
        found = self.tool("search", "--sync", "--onlyvisible", "--pid", self.program.pid)
        self.id = found.split()[0]
        self.tool("windowfocus", "--sync", self.id)
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.key("Escape", "quit")
            assert self.program.wait(PATIENCE) == 0
        else:
            self.program.kill()
            self.program.wait()

    def tool(self, *words):
        done = subprocess.run(["xdotool", *map(str, words)], capture_output=True, text=True, check=False, timeout=PATIENCE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def wait(self, beginning):
        """The next line that begins so."""
        while True:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, f"the window closed while '{beginning}' was waited for, after {self.heard[-5:]}"
            self.heard.append(line)
            if line.startswith(beginning):
                return line

    def key(self, key, done):
        self.tool("key", key)
        return self.wait(done)

    def drag(self, button, dx, dy, *held):
        down = [word for key in held for word in ("keydown", key)]
        up = [word for key in held for word in ("keyup", key)]
        self.tool("mousemove", "--window", self.id, 150, 200, *down, "mousedown", button, "mousemove_relative", "--", dx, dy,
                  "mousemove_relative", "--", dx, dy, "mouseup", button, *up)

    def scrub(self, fraction):
        """Presses on the timeline."""
        left, right = 46, WIDTH - 264 - 130
        self.tool("mousemove", "--window", self.id, int(left + fraction * (right - left)), SCRUB_Y, "mousedown", 1)
        line = self.wait("seek")
        self.tool("mouseup", 1)
        return float(line.split()[1])

    def picture(self):
        self.tool("key", "p")
        return Picture(self.folder / self.wait("written").split(" ", 1)[1])


def changed(one, two):
    return one.differing(two, *VIEW)


def project_of(folder):
    """A copy of the sample arm, fitted once."""
    made = Path(os.environ["SINEW_WINDOW_TEST"]) / "arm.sinew"
    if not made.exists():
        sinew("sample", "arm", "-o", made)
        sinew("fit", "inverse-psd", made)
    return shutil.copy(made, folder / "arm.sinew")


def mouse_turns_pans_and_zooms(folder):
    with Window(project_of(folder), folder) as window:
        before = window.picture()
        assert (before.width, before.height) == (WIDTH, HEIGHT)
        window.drag(1, 40, 15, "alt")
        assert float(window.wait("orbit").split()[1]) < 0
        turned = window.picture()
        assert changed(before, turned) > 500
        window.drag(2, 20, 20, "shift")
        window.wait("pan")
        panned = window.picture()
        assert changed(turned, panned) > 500
        window.tool("click", 4)
        assert float(window.wait("zoom").split()[1]) < 1
        assert changed(panned, window.picture()) > 500


def space_plays_and_arrows_step(folder):
    with Window(project_of(folder), folder) as window:
        still = window.picture()
        assert changed(still, window.picture()) == 0
        window.key("space", "play")
        moving = [window.picture() for _ in range(4)]
        assert any(changed(still, other) > 300 for other in moving)
        window.key("space", "play")
        paused = window.picture()
        assert changed(paused, window.picture()) == 0
        for _ in range(4):
            window.key("Right", "step 1")
        assert changed(paused, window.picture()) > 300
        window.key("Left", "step -1")


def methods_and_before_show_their_own_skin(folder):
    with Window(project_of(folder), folder) as window:
        assert 0.5 < window.scrub(0.6) < 0.7
        whole = window.picture()
        window.key("2", "method 1")
        linear = window.picture()
        assert changed(whole, linear) > 100
        window.key("1", "method 0")
        assert changed(whole, window.picture()) == 0
        window.tool("keydown", "b")
        window.wait("before 1")
        held = window.picture()
        assert changed(held, linear) == 0 and changed(held, whole) > 100
        window.tool("keyup", "b")
        window.wait("before 0")
        assert changed(whole, window.picture()) == 0
        window.key("9", "method 8")  # there is none: nothing changes but the status line
        assert changed(whole, window.picture()) == 0


def heat_and_looks_are_drawn_and_taken_away(folder):
    with Window(project_of(folder), folder) as window:
        window.scrub(0.7)
        window.key("h", "heat 1")  # first, since errors are shown at the moments that have a truth
        heated = window.picture()
        for key, name in (("s", "skeleton"), ("w", "wireframe"), ("l", "flat"), ("g", "grid")):
            window.key(key, name)
            shown = changed(heated, window.picture())
            assert shown > 20, f"{name}: {shown} pixels"
            window.key(key, name)
        assert changed(heated, window.picture()) == 0
        window.key("h", "heat 0")
        assert changed(heated, window.picture()) > 300


def tiny_and_huge_windows_are_drawn(folder):
    with Window(project_of(folder), folder) as window:
        for width, height in ((160, 160), (1500, 1100), (300, 210)):
            window.tool("windowsize", window.id, width, height)
            for _ in range(20):
                size = window.picture()
                if (size.width, size.height) == (width, height):
                    break
            assert (size.width, size.height) == (width, height)
        window.key("f", "frame")


def project_is_left_as_it_was(folder):
    project = project_of(folder)
    before = Path(project).read_bytes()
    with Window(project, folder) as window:
        window.key("2", "method 1")
    assert Path(project).read_bytes() == before


def missing_display_and_wrong_words_are_told(folder):
    project = project_of(folder)
    for env in ({"DISPLAY": ":987"}, {"SDL_VIDEODRIVER": "offscreen"}):
        line = refusal("view", project, env={"XDG_RUNTIME_DIR": str(folder), **env})
        assert "needs a display" in line and "sinew render" in line
    assert "--size 10x10" in refusal("view", project, "--size", "10x10", status=2)


def main():
    missing = [name for name in ("xvfb-run", "xdotool") if not shutil.which(name)]
    if missing:
        print("skipped:", " and ".join(missing), "not installed")
        sys.exit(SKIP)
    if "SINEW_WINDOW_TEST" not in os.environ:
        os.environ.pop("SDL_VIDEODRIVER", None)
        os.environ.pop("WAYLAND_DISPLAY", None)
        with tempfile.TemporaryDirectory(prefix="sinew-test-") as made:
            screen = ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24"]
            again = subprocess.run([*screen, sys.executable, *sys.argv], env={**os.environ, "SINEW_WINDOW_TEST": made},
                                   check=False)
        sys.exit(again.returncode)
    run([mouse_turns_pans_and_zooms, space_plays_and_arrows_step, methods_and_before_show_their_own_skin,
         heat_and_looks_are_drawn_and_taken_away, tiny_and_huge_windows_are_drawn, project_is_left_as_it_was,
         missing_display_and_wrong_words_are_told])


main()
