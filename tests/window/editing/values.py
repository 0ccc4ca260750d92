# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters that are more than a number, from the panel: a vector, a colour, a joint, a field, a text and a file, set and undone with
real events. The plug-in is tests/plugin/values.c."""

import functools
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from driver import OneWindow, Window, opened
from harness import answer, made, sinew, tiny_arm
from sequence import imported

PLUGINS = Path(sys.argv[2]) / "plugin"


@functools.cache
def plugins():
    """An environment in which the plug-ins of these tests are found."""
    folder = Path(made().name) / "plugins"
    folder.mkdir()
    for name in "values-bound.so", "small-good.so":
        shutil.copy(PLUGINS / name, folder)
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder}"}


def with_values(folder):
    """The arm with a layer of the plug-in and a field over points."""
    project = tiny_arm(folder / "arm.sinew")
    sinew("stack", project, "add", "test-values-bound", env=plugins())
    with closing(sqlite3.connect(project)) as database, database:
        values = database.execute("INSERT INTO array (bytes) SELECT zeroblob(8 * point_count) FROM mesh").lastrowid
        database.execute("INSERT INTO field (name, domain, mesh, components, element_count, elements) SELECT 'painted', 0, id, 1, point_count, ? "
                         "FROM mesh", (values,))
    (folder / "curve.txt").write_text("0.125")
    return project


class Panel:
    """The parameters of the plug-in, in a window."""

    def __init__(self, window):
        self.window = window

    def begin(self):
        self.window.click("side/Stack")
        self.window.click("side/Values##test-values-bound")
        self.window.wait("layer 1")

    def settings(self):
        return settings(self.window.project, 1)


def settings(project, layer):
    return answer("stack", project, "list", env=plugins())["layers"][layer]["settings"]


def vector_and_colour_are_typed_and_undone(panel):
    window = panel.window
    whole = window.picture()
    window.type_into("side/##offset.y", "0.25")
    window.wait("set offset=0,0.25,0")
    window.report()
    assert panel.settings() == {"offset": [0, 0.25, 0]}
    assert window.changed(whole, window.picture()) > 100
    window.type_into("side/##offset.x", "0.5")
    window.wait("set offset=0.5,0.25,0")
    window.report()
    assert panel.settings() == {"offset": [0.5, 0.25, 0]}
    window.key("ctrl+z", "undo")
    window.key("ctrl+z", "undo")
    window.report()
    assert panel.settings() == {}
    assert window.changed(whole, window.picture()) == 0
    window.type_into("side/##tint", "ff8800")
    window.wait("set tint=#ff8800")
    window.report()
    tint = panel.settings()["tint"]
    assert tint[0] == 1 and abs(tint[1] - 0.2462) < 1e-4 and tint[2] == 0, tint
    window.click("side/Reset")
    window.wait("unset tint")
    window.report()
    assert panel.settings() == {}


def vector_is_dragged_live(panel):
    window = panel.window
    x, y, width, height = window.report()["widgets"]["side/##offset.z"]
    window.drag((x + width / 2, y + height / 2), [(4, 0)] * 5)
    window.wait("try-set offset=0,0,")
    window.wait("set offset=0,0,")
    window.report()
    offset = panel.settings()["offset"]
    assert offset[:2] == [0, 0] and 0 < offset[2] <= 10, offset


def undo_in_a_drag_of_a_colour_brings_the_colour_back(panel):
    window = panel.window
    before = window.report()
    x, y, width, height = before["widgets"]["side/##tint"]
    window.point(x + width - height / 2, y + height / 2)  # the swatch opens the picker, below it
    window.tool("click", 1)
    window.report()
    for key in "ctrl+z", "Escape", None:
        window.point(x + 60, y + height + 80)
        window.report()
        window.tool("mousedown", 1)
        window.report()
        window.point(x + 80, y + height + 90)
        window.report()
        if key:
            window.tool("key", key)
        window.tool("mouseup", 1)
        state = window.report()
        assert (state["history"] == before["history"]) == bool(key), (key, state["history"])
        assert ("tint" in panel.settings()) == (not key), (key, panel.settings())


def undo_in_a_drag_of_a_number_leaves_the_colour_that_was_typed_before(panel):
    window = panel.window
    window.open_field("side/##tint")
    window.tool("type", "ff8800")
    x, y, width, height = window.report()["widgets"]["side/##offset.z"]
    window.point(x + width / 2, y + height / 2)
    window.report()
    window.tool("mousedown", 1)
    window.report()
    window.point(x + width / 2 + 20, y + height / 2)
    window.report()
    window.tool("key", "ctrl+z")
    window.tool("mouseup", 1)
    line = window.wait("set tint=")
    window.report()
    assert line.endswith("tint=#ff8800"), line
    assert list(panel.settings()) == ["tint"], panel.settings()


def joint_and_field_are_chosen_from_lists(panel):
    window = panel.window
    window.click("side/##follow")
    window.click("list/elbow")
    window.wait("set follow=elbow")
    window.report()
    assert panel.settings() == {"follow": "elbow"}
    window.click("side/##mask")
    window.click("list/painted")
    window.wait("set mask=painted")
    window.report()
    assert panel.settings() == {"follow": "elbow", "mask": "painted"}
    window.key("ctrl+z", "undo")
    window.key("ctrl+z", "undo")
    window.report()
    assert panel.settings() == {}


def choice_that_the_plugin_does_not_have_is_shown_and_replaced(folder):
    """As another version of the plug-in may have left it in the project."""
    project = tiny_arm(folder / "arm.sinew")
    sinew("fit", "test-small", project, "--set", "kind=one", env=plugins())
    with closing(sqlite3.connect(project)) as database, database:
        assert database.execute("UPDATE layer_setting SET value = 1e6 WHERE key = 'kind'").rowcount == 1
    with Window(folder, project, env=plugins(), size=(1000, 900)) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("side/Small##test-small")
        window.wait("layer 1")
        window.click("side/##kind")
        window.click("list/One")
        window.wait("set kind=one")
        window.report()
        assert settings(project, 1) == {"kind": 0}


def text_and_file_are_typed_and_a_file_is_chosen(panel):
    window = panel.window
    window.type_into("side/##note", "two words")
    window.wait("set note=two words")
    window.report()
    assert panel.settings() == {"note": "two words"}
    window.type_into("side/##curve", "absent.txt")
    window.wait("set curve=absent.txt")
    state = window.report()
    assert "absent.txt: cannot be read" in state["message"], state["message"]
    assert panel.settings() == {"note": "two words"}
    window.click("side/…##choose-curve")
    window.wait("choose-file curve")
    state = window.report()
    window.click(next(name for name in state["widgets"] if name.endswith("/curve.txt")))
    window.report()
    window.click(next(name for name in window.report()["widgets"] if name.endswith("/Choose")))
    window.wait("set curve=")
    window.report()
    assert panel.settings() == {"note": "two words", "curve": "curve.txt"}
    window.key("ctrl+z", "undo")
    window.report()
    assert panel.settings() == {"note": "two words"}


def word_of_a_whole_number_is_set_by_its_place_on_the_slider(folder):
    project = imported(folder)
    sinew("fit", "sad", project, "--set", "joints=4", "--set", "refine=0")
    with opened(project, (1000, 900)) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        window.click(next(name for name in window.report()["widgets"] if name.startswith("side/") and name.endswith("##sad")))
        window.wait("layer ")
        window.type_into("side/##refine", "-1")
        window.wait("set refine=auto")
        assert not window.report()["alarmed"]
        assert answer("stack", project, "list")["layers"][-1]["settings"]["refine"] == -1
        number_that_is_typed_is_kept_when_one_above_it_takes_over(window, project)


def number_that_is_typed_is_kept_when_one_above_it_takes_over(window, project):
    """Which is drawn before the typed one, and moves at once where it is clicked."""
    window.open_field("side/##refine")
    window.tool("type", 7)
    window.click("side/##joints")
    window.wait("set joints=")
    window.report()
    set_now = answer("stack", project, "list")["layers"][-1]["settings"]
    assert set_now["refine"] == 7 and set_now["joints"] != 4, set_now


CASES = [word_of_a_whole_number_is_set_by_its_place_on_the_slider, choice_that_the_plugin_does_not_have_is_shown_and_replaced,
         *OneWindow(with_values, Panel, env=plugins(), size=(1000, 900), drawn=True).cases(
             vector_and_colour_are_typed_and_undone),
         *OneWindow(with_values, Panel, env=plugins(), size=(1000, 900)).cases(
             undo_in_a_drag_of_a_colour_brings_the_colour_back,
             undo_in_a_drag_of_a_number_leaves_the_colour_that_was_typed_before, vector_is_dragged_live,
             joint_and_field_are_chosen_from_lists, text_and_file_are_typed_and_a_file_is_chosen)]
