# SPDX-License-Identifier: GPL-3.0-or-later
"""The file dialog, by the keyboard and by the mouse: completion, sorting, dates and sizes, folders that were used before."""

import os
import shutil

from driver import Window
from limbs import limbs

FILES = {"hero2.glb": (1500, 3), "hero10.glb": (3000, 2), "hero1.obj": (20, 1), "notes.txt": (5, 9), "zeta.fbx": (500, 4)}


def stock(folder):
    """A folder with files of several kinds, sizes and dates, and a project."""
    made = folder / "characters"
    made.mkdir()
    for name, (size, day) in FILES.items():
        (made / name).write_bytes(b"x" * size)
        os.utime(made / name, (86400 * day, 86400 * day))
    shutil.copy(limbs(folder), made / "limbs2.sinew")
    return made


def listed(window, dialog="Open"):
    """The files, from top to bottom."""
    places = window.report()["widgets"]
    names = [name for name in (*FILES, "limbs2.sinew") if f"{dialog}/{name}" in places]
    return sorted(names, key=lambda name: places[f"{dialog}/{name}"][1])


def names_are_completed_and_chosen_by_keys(folder):
    made = stock(folder)
    with Window(folder, folder / "limbs.sinew") as window:
        window.key("ctrl+o", "open")
        window.report()
        window.tool("type", "char")
        window.report()
        window.tool("key", "Tab")  # "characters/"
        window.report()
        window.tool("key", "Return")
        assert listed(window) == ["hero1.obj", "hero2.glb", "hero10.glb", "limbs2.sinew", "zeta.fbx"], listed(window)
        window.tool("key", "alt+Up")
        assert not listed(window)
        window.tool("type", "characters/li")
        window.report()
        window.tool("key", "Tab")
        window.report()
        window.tool("key", "Return")
        assert window.wait("open").split(" ", 1)[1] == str(made / "limbs2.sinew")
        window.key("ctrl+o", "open")  # in the same folder; the arrow keys choose
        window.report()
        for _ in range(3):
            window.tool("key", "Down")
            window.report()
        window.tool("key", "Up")
        window.report()
        window.tool("key", "Return")
        assert window.wait("open").split(" ", 1)[1] == str(made / "hero2.glb")
    assert str(made) in (folder / "state" / "sinew" / "folders").read_text().splitlines()


def files_are_sorted_by_name_date_and_size(folder):
    made = stock(folder)
    with Window(folder, made / "limbs2.sinew") as window:
        window.key("ctrl+o", "open")
        for heading, order in (("Size##sort-Size", ["limbs2.sinew", "hero10.glb", "hero2.glb", "zeta.fbx", "hero1.obj"]),
                               ("Size ↓##sort-Size", ["hero1.obj", "zeta.fbx", "hero2.glb", "hero10.glb", "limbs2.sinew"]),
                               ("Modified##sort-Modified", ["limbs2.sinew", "zeta.fbx", "hero2.glb", "hero10.glb", "hero1.obj"]),
                               ("Name##sort-Name", ["hero1.obj", "hero2.glb", "hero10.glb", "limbs2.sinew", "zeta.fbx"])):
            window.click("Open/" + heading)
            assert listed(window) == order, (heading, listed(window))
        window.key("Escape", "escape")


def folder_keeps_the_name_that_is_saved_and_is_offered_again(folder):
    made = stock(folder)
    with Window(folder, folder / "limbs.sinew") as window:
        window.key("ctrl+shift+s", "save-as")
        window.report()
        window.tool("key", "Down")
        window.report()
        window.tool("key", "Return")  # into the folder; the suggested name stays
        window.report()
        window.tool("key", "Return")
        assert window.wait("save-as").split(" ", 1)[1] == str(made / "limbs-2.sinew")
    with Window(folder, folder / "limbs.sinew") as window:
        window.key("ctrl+o", "open")
        window.click("Open/##recent-folders")
        window.click("list/" + str(made))
        assert "limbs2.sinew" in listed(window)
        window.key("Escape", "escape")


CASES = [names_are_completed_and_chosen_by_keys, files_are_sorted_by_name_date_and_size,
         folder_keeps_the_name_that_is_saved_and_is_offered_again]
