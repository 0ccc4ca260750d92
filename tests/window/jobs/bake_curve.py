#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of a bake: made in the background, a click on it shows a skin, and one step keeps that."""

import json

from harness import run, sinew
from driver import Window, draw_plainly, home
from under_xvfb import under_xvfb

SIZE = (1100, 980)


def project(folder, sample="twist-bar"):
    """A small one: it is baked in a moment."""
    made = folder / f"{sample}.sinew"
    if not made.exists():
        sinew("sample", sample, "-o", made)
        sinew("fit", "inverse-psd", made)
    return made


def baked(window):
    """In the Stack tab, with two morph targets at most, after the bake."""
    window.click("side/Stack")
    window.wait("tab 1")
    window.type_into("side/Morph targets", 2)
    window.wait("bake-budget morphs=2")
    window.click("side/Bake")
    window.wait("bake")
    return window.report()


def click_shows_a_skin_and_one_step_keeps_it(folder):
    with Window(folder, project(folder), size=SIZE) as window:
        window.click("poses/turned-180")
        window.wait("pose turned-180")
        plain = window.picture()
        state = baked(window)
        assert state["baked"] == ["1 influence, 0 morphs", "2 influences, 0 morphs", "4 influences, 0 morphs", "4 influences, 2 morphs", "4 influences, 4 morphs"], state["baked"]
        assert state["baked_shown"] == 3 and not state["alarmed"], state["message"]
        history, layers = state["history"], state["layers"]
        window.click("side/skin-0")
        window.wait("bake-show 0")
        assert window.report()["baked_shown"] == 0
        worst = window.picture()
        assert window.changed(plain, worst) > 200
        window.key("alt+Right", "bake-larger")  # the next in size
        assert window.report()["baked_shown"] == 1
        window.click("side/2 morphs##row-3")
        window.wait("bake-show 3")
        state = window.report()
        assert state["baked_shown"] == 3 and state["history"] == history and state["layers"] == layers, state["message"]
        assert window.changed(worst, window.picture()) > 200
        window.click("side/Keep this skin")
        window.wait("bake-keep")
        kept = window.report()
        assert kept["history"] == [*history, "bake 4 influences, 2 morphs"], kept["history"]
        assert kept["layers"] == [*layers, "baked", "baked-morphs"] and kept["baked_shown"] == -1 and "baked" not in kept, kept["layers"]
        window.key("ctrl+z", "undo")
        assert window.report()["layers"] == layers
        window.key("ctrl+y", "redo")
        assert window.report()["layers"] == kept["layers"]
    stack = json.loads(sinew("stack", project(folder), "list", "--json").stdout)["layers"]
    assert [(layer["name"], layer["muted"]) for layer in stack] == [("linear-blend", True), ("inverse-psd", True), ("baked", False), ("baked-morphs", False)], stack


def errors_are_shown_in_the_unit_that_is_chosen(folder):
    """In the chart, in the list and below the curve: as lengths until E_RMS is chosen in Preferences."""
    with Window(folder, project(folder), size=SIZE) as window:
        window.click("poses/turned-180")
        window.wait("pose turned-180")
        baked(window)
        for chosen, title, other in ((None, "Mean error, mm", "E_RMS"), ("E_RMS", "E_RMS", "ean error")):
            if chosen:
                window.key("ctrl+comma", "preferences")
                window.click("Preferences/" + chosen)
                window.wait("prefer error-unit erms")
                window.key("Escape", "escape")
            words = [name.split("/", 1)[1] for name in window.report()["words"] if name.startswith("side/")]
            assert any(word.startswith(title) for word in words), words
            assert any(word.startswith("Each joint alone") for word in words), words
            assert not any(other in word or "of the diagonal" in word for word in words), words


def other_changes_end_what_is_shown(folder):
    """A bake is of the project as it was; when a change is undone, it is again. Nothing of it is stored unless it is kept."""
    draw_plainly(folder)
    script = folder / "script.txt"
    script.write_text("\n".join(["pose turned-180", "bake influences=1", "report", "layer 1", "layer-mute", "report", "undo", "report",
                                 "bake-drop", "report", "bake-keep"]), encoding="utf-8")
    ended = sinew("view", project(folder), "--script", script, "--echo", "--size", "320x240", env=home(folder), status=1)
    shown, changed, again, dropped = [json.loads(line.split(" ", 1)[1]) for line in ended.stdout.splitlines() if line.startswith("report {")]
    assert shown["baked"] == ["1 influence, 0 morphs"] and shown["baked_shown"] == 0, shown["message"]
    assert changed["baked_shown"] == -1 and "baked" not in changed, changed["message"]
    assert again["baked_shown"] == 0 and again["history"] == shown["history"], again["message"]
    assert dropped["baked_shown"] == -1 and "baked" not in dropped, dropped["message"]
    assert "There is no baked skin to keep" in ended.stderr, ended.stderr


def cancelled_bake_changes_nothing(folder):
    with Window(folder, project(folder, "small-arm"), size=SIZE) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        window.click("side/Bake")
        window.wait("bake")
        while "side/Cancel" not in (state := window.report_at_once())["widgets"]:
            assert state["busy"], "the bake was done before it could be cancelled"
        window.click("side/Cancel", state=state)
        window.wait("cancel")
        after = window.report()
        assert "baked" not in after and after["baked_shown"] == -1 and "cancelled" in after["message"], after["message"]


if __name__ == "__main__":
    under_xvfb()
    run([errors_are_shown_in_the_unit_that_is_chosen, click_shows_a_skin_and_one_step_keeps_it, other_changes_end_what_is_shown, cancelled_bake_changes_nothing])
