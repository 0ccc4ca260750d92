#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Undo never fails: a random walk of edits by keys and mouse, with undo, redo and jumps in the history in between. Wherever the walk
comes to a place in the history again, what the project holds is what it held there, to the last bit."""

import os
import random

from contents import contents
from harness import random_seed, run
from limbs import limbs
from driver import Window
from under_xvfb import under_xvfb

STEPS = int(os.environ.get("SINEW_WALK_STEPS", "60"))
WALKS = int(os.environ.get("SINEW_WALKS", "1"))  # each with the next seed
KEYS = {"pose": ["ctrl+m", "alt+r", "alt+shift+r", "ctrl+c", "ctrl+v", "ctrl+shift+a", "Tab", "Tab"],
        "sculpt": ["alt+m", "ctrl+i", "Tab", "ctrl+shift+a", "1", "2", "4", "5", "9"]}
TITLES = ["Delete pose", "Solo", "Mute", "Mirror", "Delete example", "Mute layer", "Move layer down", "Move layer up", "Go to rest pose",
          "Update example", "Rename pose", "Delete layer"]


class Walk:
    """The states by their place in the history, as far as they are known."""

    def __init__(self, window, project, chance):
        self.window, self.project, self.chance = window, project, chance
        self.state = window.report()
        self.known = {len(self.state["history"]): contents(project)}
        self.changes = self.returns = 0

    def place(self):
        return len(self.state["history"])

    def look(self, *words):
        """What there is once those words of xdotool are done with."""
        self.window.tool(*words)
        self.state = self.window.report()
        for key in "Return", "Escape":  # where a name is asked for, it is what it was; two quick drags are a double click, which opens a field
            if self.state["dialog"] != 0 or self.state["typing"]:
                self.window.tool("key", key)
                self.state = self.window.report()
        return contents(self.project)

    def edit(self):
        chance, window = self.chance, self.window
        sculpting = self.state["sculpting"]
        kind = chance.random()
        if sculpting and kind < 0.6:
            x, y, _, _ = self.state["joints"][chance.choice(("lower_l", "lower_r", "upper_l"))]
            held = chance.choice(([], ["shift"], ["ctrl"]))
            words = ["mousemove", "--window", window.id, round(x + chance.randint(-20, 20)), round(y),
                     *(word for key in held for word in ("keydown", key)), "mousedown", 1,
                     "mousemove_relative", "--", chance.randint(-9, 9), chance.randint(-9, 9), "mouseup", 1,
                     *(word for key in held for word in ("keyup", key))]
        elif not sculpting and kind < 0.6 and "side/z##rotation" in self.state["widgets"]:
            x, y, width, height = self.state["widgets"][f"side/{chance.choice('xyz')}##rotation"]
            words = ["mousemove", "--window", window.id, round(x + width / 2), round(y + height / 2), "mousedown", 1,
                     "mousemove_relative", "--", chance.randint(5, 40), 0, "mouseup", 1]
        elif kind < 0.7:
            names = [name for name in self.state["widgets"] if name.startswith(("outliner/", "poses/"))]
            x, y, width, height = self.state["widgets"][chance.choice(names)]
            words = ["mousemove", "--window", window.id, round(x + width / 2), round(y + height / 2), "click", 1]
        elif kind < 0.8:
            window.key("ctrl+p", "palette")
            window.report()
            words = ["type", chance.choice(TITLES) + "\n"]
        else:
            words = ["key", chance.choice(KEYS["sculpt" if sculpting else "pose"])]
        place, before = self.place(), self.known[self.place()]
        held = self.look(*words)
        if self.place() == place:
            assert held == before, f"{words}: the project has changed and the history has not: {self.state['message']}"
        else:
            assert self.place() > place, f"{words}: the history has lost an entry: {self.state['message']}"
            self.known = {at: state for at, state in self.known.items() if at <= place}
            self.known[self.place()] = held
            self.changes += 1

    def step(self, key, by):
        place = self.place()
        held = self.look("key", key)
        assert not self.state["alarmed"], self.state["message"]
        assert self.place() - place in (0, by), (key, place, self.place())
        self.returns += self.place() != place
        assert self.known.setdefault(self.place(), held) == held, f"{key} to {self.state['history'][-1]} is not what it was"

    def go(self):
        kind = self.chance.random()
        if kind < 0.25:
            self.step("ctrl+z", -1)
        elif kind < 0.4:
            self.step("ctrl+shift+z", 1)
        else:
            self.edit()


def walk_with(folder, seed):
    print("walk from seed", seed, flush=True)
    project = limbs(folder)
    with Window(folder, project) as window:
        window.key("g", "grid")  # what a software rasteriser takes longest for
        window.click("poses/bent")
        window.click("outliner/lower_l")
        walk = Walk(window, project, random.Random(seed))
        for _ in range(STEPS):
            walk.go()
        while walk.state["undo"]:
            walk.step("ctrl+z", -1)
        while walk.state["redo"]:
            walk.step("ctrl+shift+z", 1)
        print(f"{walk.changes} changes, {walk.returns} returns", flush=True)
        assert min(walk.changes, walk.returns) > STEPS / 8


def every_place_in_the_history_holds_what_it_held(folder):
    first = random_seed()
    for seed in range(first, first + WALKS):
        here = folder / str(seed)
        here.mkdir()
        walk_with(here, seed)


if __name__ == "__main__":
    under_xvfb()
    run([every_place_in_the_history_holds_what_it_held])
