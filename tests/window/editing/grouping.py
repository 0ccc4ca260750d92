# SPDX-License-Identifier: GPL-3.0-or-later
"""Examples in groups: made, named, driven, masked, reordered with the mouse and by keys, each step undone; muted and alone for as long
as is wished; settings for one group alone."""

from harness import answer
from driver import OneWindow, Window, arm, enter, opened, stroke

TALL = (1100, 1000)  # the whole right panel


def settings(project, layer=1):
    return answer("stack", project, "list")["layers"][layer]["settings"]


def drag_row(window, name, onto):
    """A row of a list, let go over another one."""
    places = window.report()["widgets"]
    (x, y, width, height), (to_x, to_y, _, to_height) = places[name], places[onto]
    start = x + width / 4, y + height / 2
    dx, dy = to_x + width / 4 - start[0], to_y + to_height / 2 - start[1]
    # Drawn between the moves: what is dragged and what it is over are known by frames.
    window.point(*start)
    window.report()
    window.tool("mousedown", 1)
    window.report()
    for part in (0.3, 0.7, 1):
        window.point(start[0] + part * dx, start[1] + part * dy)
        window.report()
    window.tool("mouseup", 1)


def name_dialog(window, words):
    window.report()
    window.tool("key", "ctrl+a")
    window.tool("type", words)
    window.tool("key", "Return")


def group_is_made_filled_driven_and_taken_back(window):
    before = window.report()["groups"]
    assert before == {"elbow": {"joints": [], "examples": ["elbow-130"]},
                      "wrist": {"joints": [], "examples": ["wrist-150"]}}, before
    window.click("side/New…")
    window.wait("group-add")
    name_dialog(window, "arm")
    window.wait("group-add arm")
    state = window.report()
    assert state["group"] == "arm" and state["groups"]["arm"] == {"joints": [], "examples": []}
    drag_row(window, "side/elbow-130", "side/arm##group")
    window.wait("example-move arm")
    groups = window.report()["groups"]
    assert groups["arm"]["examples"] == ["elbow-130"] and groups["elbow"]["examples"] == []
    window.click("side/##group-joint")
    window.click("list/Elbow##elbow")
    window.wait("group-joint elbow")
    assert window.report()["groups"]["arm"]["joints"] == ["elbow"]
    window.click("side/##join")
    window.click("list/wrist")
    window.wait("example-join wrist")
    assert window.report()["groups"]["wrist"]["examples"] == ["wrist-150", "elbow-130"]
    window.key("alt+Up", "example-earlier")
    assert window.report()["groups"]["wrist"]["examples"] == ["elbow-130", "wrist-150"]
    window.click("side/Remove from group")
    window.wait("example-leave wrist")
    window.click("side/elbow##group")
    window.wait("group elbow")
    window.click("side/Delete##group")
    window.wait("group-remove")
    state = window.report()
    assert list(state["groups"]) == ["wrist", "arm"] and "elbow-130" in state["examples"]
    window.click("side/arm##group")
    window.wait("group arm")
    window.key("alt+shift+Up", "group-earlier")
    assert list(window.report()["groups"]) == ["arm", "wrist"]
    drag_row(window, "side/wrist##group", "side/arm##group")
    window.wait("group-place 0")
    state = window.report()
    assert list(state["groups"]) == ["wrist", "arm"]
    assert state["history"][2:] == [
        "add group arm", "regroup example elbow-130", "change joints of arm", "group example elbow-130",
        "move example elbow-130", "ungroup example elbow-130", "delete group elbow", "move group arm",
        "move group wrist"], state["history"]
    while len(window.report()["history"]) > 2:
        window.key("ctrl+z", "undo")
    assert window.report()["groups"] == before


def setting_of_one_group_follows_its_name(window):
    whole = window.picture()
    window.click("side/Stack")
    window.click("side/Inverse pose space deformation##inverse-psd")
    window.wait("layer 1")
    window.click("side/+##own-smoothing")
    window.click("popup/wrist")
    window.wait("set smoothing@wrist=0")
    window.key("Escape", "escape")
    window.type_into("side/##smoothing@wrist", "0.5")
    window.wait("set smoothing@wrist=0.5")
    window.report()
    assert settings(window.project) == {"smoothing@wrist": 0.5}
    window.click("side/Shape")
    window.click("side/wrist##group")
    window.wait("group wrist")
    window.click("side/Rename…")
    window.wait("group-name")
    name_dialog(window, "hand")
    window.wait("group-name hand")
    assert list(window.report()["groups"]) == ["elbow", "hand"]
    assert settings(window.project) == {"smoothing@hand": 0.5}
    window.click("side/Stack")
    window.click("side/×##smoothing@hand")
    window.wait("unset smoothing@hand")
    window.report()
    assert settings(window.project) == {}
    while len(window.report()["history"]) > 2:
        window.key("ctrl+z", "undo")
    assert settings(window.project) == {} and window.changed(whole, window.picture()) == 0


def skin(window):
    """A picture without the words of help that a resting mouse brings up over the viewport."""
    x, y = window.middle()
    window.point(x, 2 * y)
    return window.picture()


def muted_lasts_until_undone_and_alone_until_ended(folder):
    project = arm(folder)
    with opened(project, TALL, drawn=True) as window:
        window.click("side/elbow-130")
        window.click("side/Go to")
        window.wait("example-go")
        whole = skin(window)
        window.click("side/Mute")
        window.wait("example-mute")
        muted = skin(window)
        assert window.changed(whole, muted) > 100 and window.report()["muted"] == ["elbow-130"]
        # A change, a fit and another session leave it muted.
        window.click("poses/both")
        window.key("ctrl+c", "pose-copy")
        window.key("ctrl+v", "pose-paste")
        window.key("ctrl+f", "fit")
        window.click("side/Shape")
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        assert window.report()["muted"] == ["elbow-130"] and window.changed(muted, skin(window)) == 0
    with Window(folder, project, size=TALL, drawn=True) as window:
        assert window.report()["muted"] == ["elbow-130"]
        while window.report()["muted"]:
            window.key("ctrl+z", "undo")
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        assert window.changed(whole, skin(window)) == 0
        # The other one alone: this pose has no corrective then, over changes, undo and fits.
        window.click("side/wrist-150")
        window.click("side/Solo")
        window.wait("example-solo")
        alone = skin(window)
        entries = window.report()["history"]
        assert window.changed(whole, alone) > 100 and window.report()["solo"] == "wrist-150"
        window.key("ctrl+c", "pose-copy")
        window.key("ctrl+v", "pose-paste")
        assert window.report()["solo"] == "wrist-150" and window.changed(alone, skin(window)) == 0
        window.key("ctrl+z", "undo")
        window.key("ctrl+f", "fit")
        window.click("side/Shape")
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        state = window.report()
        assert state["solo"] == "wrist-150" and state["history"] == entries and window.changed(alone, skin(window)) == 0
        window.click("side/Solo")
        window.wait("example-solo")
        assert window.report()["solo"] is None and window.changed(whole, skin(window)) == 0


def stroke_that_would_not_show_is_refused_at_the_brush(folder):
    project = arm(folder)
    with opened(project, TALL) as window:
        entries = window.report()["history"]

        def refused(words):
            enter(window, "elbow-130")
            x, y, _, _ = window.report()["joints"]["elbow"]
            window.drag((x, y), ((6, 0),) * 3)
            state = window.report()
            assert state["alarmed"] and words in state["message"] and state["history"] == entries, state["message"]
            window.key("Tab", "posing")

        def switch(button, command):
            window.click("side/elbow-130")
            window.click("side/" + button)
            window.wait(command)
            return window.report()["history"]

        entries = switch("Mute", "example-mute")
        refused("elbow-130 is muted")
        entries = switch("Mute", "example-mute")
        window.click("side/wrist-150")
        window.click("side/Solo")
        window.wait("example-solo")
        refused("Only wrist-150 is shown")
        window.click("side/wrist-150")
        window.click("side/Solo")
        window.wait("example-solo")
        window.click("outliner/##on-inverse-psd")
        window.wait("layer-mute")
        entries = window.report()["history"]
        refused("The layer Inverse pose space deformation is muted")
        window.click("outliner/##on-inverse-psd")
        window.wait("layer-mute")
        enter(window, "elbow-130")
        state = stroke(window)
        assert not state["alarmed"] and state["undo"] == "grab elbow-130", state["message"]


def all_muted_leaves_the_skin_below(window):
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    window.key("2", "method 1")
    below = skin(window)
    window.key("1", "method 0")
    for name in ("elbow-130", "wrist-150"):
        window.click("side/" + name)
        window.click("side/Mute")
        window.wait("example-mute")
    state = window.report()
    assert not state["alarmed"], state["message"]
    assert window.changed(below, skin(window)) == 0


def layers_are_dragged_and_moved_by_keys(window):
    window.click("side/Stack")
    window.wait("tab 1")
    drag_row(window, "side/Linear blend##linear-blend", "side/Inverse pose space deformation##inverse-psd")
    window.wait("layer-place 1")
    assert window.report()["layers"] == ["inverse-psd", "linear-blend"]
    window.key("ctrl+Down", "layer-down")
    assert window.report()["layers"] == ["linear-blend", "inverse-psd"]
    window.key("ctrl+z", "undo")
    window.key("ctrl+z", "undo")
    state = window.report()
    assert state["layers"] == ["linear-blend", "inverse-psd"] and len(state["history"]) == 2


def mask_is_painted_and_chosen(window):
    window.click("side/elbow-130")
    window.click("side/Go to")
    window.wait("example-go")
    whole = window.picture()
    window.click("side/Paint mask")
    window.wait("paint-field mask-elbow")
    x, y, _, _ = window.report()["joints"]["wrist"]
    window.drag((x, y), ((3, 0), (3, 0)))
    window.wait("stroke-end")
    assert window.report()["history"][-1] == "paint mask-elbow"
    window.key("Tab", "posing")
    window.click("side/##mask")
    window.click("list/mask-elbow")
    window.wait("example-mask mask-elbow")
    window.report()
    window.click("side/Go to")
    window.wait("example-go")
    assert window.changed(whole, window.picture()) > 100
    window.key("ctrl+z", "undo")
    window.key("ctrl+z", "undo")
    assert window.changed(whole, window.picture()) == 0


CASES = [muted_lasts_until_undone_and_alone_until_ended, stroke_that_would_not_show_is_refused_at_the_brush,
         *OneWindow(arm, size=TALL).cases(group_is_made_filled_driven_and_taken_back, layers_are_dragged_and_moved_by_keys),
         *OneWindow(arm, size=TALL, drawn=True).cases(all_muted_leaves_the_skin_below, mask_is_painted_and_chosen,
         setting_of_one_group_follows_its_name)]
