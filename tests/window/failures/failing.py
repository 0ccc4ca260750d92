# SPDX-License-Identifier: GPL-3.0-or-later
"""A plug-in that fails while the character is posed: the window says which layer, shows the character without it, and continues."""

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from harness import sinew
from limbs import limbs
from driver import Window

PLUGINS = Path(sys.argv[2]) / "plugin"
# tests/cli/plugins crashes every function in every way; here are a failure that is returned, a crash, and a call that does not return.
# The first of each is always tried, the others in the long tests.
FAILURES = {"drives-to-infinity": "not finite", "fails-in-prepare": "failed in prepare"}
FAULTS = {"scribbles": "crashed in deform", "exits-in-deform": "ended its process in deform",
          "hangs-in-drive": "has not returned from drive after 1 seconds"}
MISDEEDS = {"layout:abort": "abort()", "load:error": "failed", "release:crash": ""}  # by function


def misbehaving(folder, misdeed):
    """An environment with a plug-in of which one function goes wrong."""
    place = folder / "misbehaving"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(PLUGINS / "misbehaves.so", place)
    (place / "misdeed.txt").write_text(misdeed)
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{place}"}


def plugged(folder, name):
    """An environment with the plug-in of that name, which takes the place of the one before it."""
    place = folder / "plugins"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(PLUGINS / f"small-{name}.so", place)
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{place}"}


def with_bulge(folder):
    """A project with a layer "bulge" of the plug-in that keeps the rules."""
    project = limbs(folder)
    sinew("fit", "test-small", project, "--layer", "bulge", env=plugged(folder, "good"))
    return project


def failing_layer_is_named_and_left_out_and_the_session_goes_on(folder, most=1):
    project = with_bulge(folder)
    before = project.read_bytes()
    for name, words in [*FAILURES.items()][:most]:
        with Window(folder, project, env=plugged(folder, name)) as window:
            state = window.report()
            assert state["left_out"] == ["bulge"] and state["alarmed"], state["message"]
            assert "Layer 'bulge'" in state["message"] and words in state["message"], state["message"]
            drawn = state["redraws"]
            window.click("poses/bent")
            window.wait("pose bent")
            state = window.report()
            assert state["left_out"] == ["bulge"] and not state["alarmed"] and state["redraws"] > drawn, state["message"]
        assert project.read_bytes() == before, name


def plugin_that_ends_is_named_and_left_out_and_the_session_goes_on(folder, most=1):
    project = with_bulge(folder)
    for name, words in [*FAULTS.items()][:most]:
        with Window(folder, project, env=plugged(folder, name) | ({"SINEW_PLUGIN_SECONDS": "1"} if "hangs" in name else {})) as window:
            state = window.report()
            assert state["left_out"] == ["bulge"] and state["alarmed"], (name, state["message"])
            assert "Layer 'bulge'" in state["message"] and words in state["message"], state["message"]
            drawn = state["redraws"]
            window.click("poses/bent")
            window.wait("pose bent")
            state = window.report()
            assert state["left_out"] == ["bulge"] and not state["alarmed"] and state["redraws"] > drawn, state["message"]


def misdeed_in_any_function_costs_the_layer(folder, most=1):
    project = limbs(folder)
    env = misbehaving(folder, "")
    sinew("fit", "test-misbehaves", project, "--layer", "bulge", env=env)
    before = project.read_bytes()
    for misdeed, words in [*MISDEEDS.items()][:most]:
        function = misdeed.split(":")[0]
        with Window(folder, project, env=misbehaving(folder, misdeed)) as window:
            state = window.report()
            assert state["left_out"] == (["bulge"] if function != "release" else []), (misdeed, state["message"])
            assert function == "release" or f" {function}" in state["message"] and words in state["message"], (misdeed, state["message"])
            window.click("poses/bent")
            window.wait("pose bent")
            window.report()
        assert project.read_bytes() == before, misdeed


def every_failure_costs_the_layer_alone(folder):
    for place, case in (("returned", failing_layer_is_named_and_left_out_and_the_session_goes_on),
                        ("ended", plugin_that_ends_is_named_and_left_out_and_the_session_goes_on),
                        ("misdeed", misdeed_in_any_function_costs_the_layer)):
        (folder / place).mkdir()
        case(folder / place, most=None)


def layer_that_fails_only_in_a_later_pose_is_left_out_then(folder):
    project = with_bulge(folder)
    sinew("pose", project, "add", "far", "--rotate", "root=0.5,0,0")
    with Window(folder, project, env=plugged(folder, "fails-in-far-poses")) as window:
        state = window.report()
        assert state["left_out"] == [] and not state["alarmed"], state["message"]
        window.click("poses/bent")
        window.wait("pose bent")
        assert window.report()["left_out"] == []
        window.click("poses/far")
        window.wait("pose far")
        state = window.report()
        assert state["left_out"] == ["bulge"] and state["alarmed"], state["message"]
        assert "Layer 'bulge'" in state["message"] and "failed in drive" in state["message"], state["message"]


def check_left_out_with_words(window):
    state = window.report()
    assert state["left_out"] == ["bulge"] and state["alarmed"], state["message"]
    assert "Layer 'bulge'" in state["message"] and "failed in drive" in state["message"], state["message"]


def type_rotation(window):
    window.type_into("side/x##rotation", 30)


def layer_that_first_fails_through_an_edit_is_left_out_with_words(folder, edit=type_rotation):
    """Digits that are typed are tried one by one, as the steps of a drag are: the words outlast the edit, and go with the next command."""
    project = with_bulge(folder)
    with Window(folder, project, env=plugged(folder, "fails-in-far-poses")) as window:
        window.click("poses/bent")
        window.wait("pose bent")
        window.click("outliner/root")
        window.wait("joint root")
        state = window.report()
        assert state["left_out"] == [] and not state["alarmed"], state["message"]
        edit(window)
        window.wait("rotate ")
        check_left_out_with_words(window)
        window.click("poses/bent")
        window.wait("pose bent")
        assert not window.report()["alarmed"], window.report()["message"]
        window.key("ctrl+z", "undo")
        window.report()


def layer_that_first_fails_through_a_drag_is_left_out_with_words(folder):
    layer_that_first_fails_through_an_edit_is_left_out_with_words(folder, drag_rotation)


def drag_rotation(window):
    """Of the number beside the joint's name, far enough."""
    x, y, width, height = window.report()["widgets"]["side/x##rotation"]
    window.drag((x + width / 2, y + height / 2), [(20, 0)] * 8)


def layer_that_first_fails_through_a_scrub_is_left_out_with_words(folder):
    project = with_bulge(folder)
    with Window(folder, project, env=plugged(folder, "fails-between-frames")) as window:
        assert window.report()["left_out"] == []
        x, y, width, height = window.report()["widgets"]["timeline/scrub"]
        window.drag((x + 0.3 * width, y + height / 2), [(7, 0)] * 6)
        window.wait("seek")
        check_left_out_with_words(window)


def blend_that_a_missing_plugin_had_replaced_is_named(folder):
    project = limbs(folder)
    sinew("stack", project, "add", "dual-quaternion")
    with closing(sqlite3.connect(project)) as database, database:
        database.execute("UPDATE layer SET deformer = 'org.example.gone' WHERE name = 'dual-quaternion'")
    with Window(folder, project) as window:
        assert "it replaced 'linear-blend', which is muted" in window.report()["message"], window.report()["message"]
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("side/dual-quaternion##dual-quaternion")
        window.wait("layer ")
        words = window.report()["words"]
        assert any("The plug-in is missing." in row and "It replaced Linear blend, which is muted" in row for row in words), words


def work_goes_on_beside_a_failing_layer(folder):
    project = with_bulge(folder)
    with Window(folder, project, env=plugged(folder, "deforms-to-nan")) as window:
        assert window.report()["left_out"] == ["bulge"]
        window.click("outliner/lower_l")
        window.type_into("side/z##rotation", 30)
        window.wait("rotate ")
        state = window.report()
        assert state["undo"] == "rotate lower_l" and state["left_out"] == ["bulge"] and not state["alarmed"], state["message"]
        window.key("ctrl+z", "undo")
        state = window.report()
        assert state["undo"] != "rotate lower_l" and state["left_out"] == ["bulge"] and not state["alarmed"], state["message"]


def left_out_layer_is_tried_again_when_asked_to(folder):
    project = with_bulge(folder)
    with Window(folder, project, env=plugged(folder, "deforms-to-nan")) as window:
        assert window.report()["left_out"] == ["bulge"]
        window.click("side/Stack")
        window.wait("tab 1")
        window.click(next(name for name in window.report()["widgets"] if name.startswith("side/") and name.endswith("##bulge")))
        window.wait("layer ")
        window.click(next(name for name in window.report()["widgets"] if "Unmute" in name))
        window.wait("layer-mute")
        state = window.report()  # it fails again, and is left out again
        assert state["left_out"] == ["bulge"] and state["alarmed"] and "Layer 'bulge'" in state["message"], state["message"]
        assert state["undo"] == "fit bulge", state["undo"]


CASES = [failing_layer_is_named_and_left_out_and_the_session_goes_on,
         plugin_that_ends_is_named_and_left_out_and_the_session_goes_on, misdeed_in_any_function_costs_the_layer,
         layer_that_first_fails_through_an_edit_is_left_out_with_words, left_out_layer_is_tried_again_when_asked_to,
         blend_that_a_missing_plugin_had_replaced_is_named]
LONG = [every_failure_costs_the_layer_alone, layer_that_fails_only_in_a_later_pose_is_left_out_then,
        layer_that_first_fails_through_a_drag_is_left_out_with_words,
        layer_that_first_fails_through_a_scrub_is_left_out_with_words, work_goes_on_beside_a_failing_layer]
