# SPDX-License-Identifier: GPL-3.0-or-later
"""No event is lost, however soon it comes after another: each is for what the window shows after all that came before it. A burst is in the
X server before the window takes the first of its events."""

import subprocess

from driver import OneWindow, arm

TIMES = 4


def middle(window, place):
    x, y, width, height = place
    return "mousemove", "--window", window.id, round(x + width / 2), round(y + height / 2)


def expect_posing(window):
    """After Tab; and back."""
    window.wait("posing")
    state = window.report()
    assert state["sculpting"] and not state["alarmed"], state["message"]
    window.key("Tab", "posing")
    return window.report()


def key_after_a_typed_number_is_for_the_window(window):
    overlapping = "keydown", "Return", "keydown", "Tab", "keyup", "Return", "keyup", "Tab"
    window.click_joint("elbow")
    state = window.report()
    for time in range(TIMES):
        ends = overlapping if time % 2 else ("key", "Return", "Tab")
        window.burst(*middle(window, state["widgets"]["side/z##rotation"]), "keydown", "ctrl", "click", 1, "keyup", "ctrl",
                     "key", *str(10 + time), *ends)
        assert round(float(window.wait("rotate ").split()[3])) == 10 + time
        state = expect_posing(window)


def keys_before_and_after_a_name_are_for_their_field_and_for_the_window(window):
    window.click_joint("elbow")
    for time in range(TIMES):
        name = "bent" + "abcdefgh"[time]
        window.burst("key", "ctrl+Return", "ctrl+a", *name, "Return", "Tab")
        window.wait("pose-add " + name)
        expect_posing(window)


def name_is_typed_ahead_while_a_change_is_in_progress(window):
    """The field opens after the change: what is typed before is for it, and Escape closes it."""
    window.click_joint("elbow")
    window.burst("key", "ctrl+Return", "Return", "ctrl+Return", "ctrl+a", *"flat", "Return", "Tab")
    window.wait("pose-add flat")
    expect_posing(window)
    window.burst("key", "ctrl+Return", "Return", "ctrl+Return", "a", "Escape", "Tab")
    expect_posing(window)
    assert not window.report()["dialog"]


def key_that_opens_a_field_is_not_for_it_however_long_it_is_held(window):
    window.click_joint("elbow")
    window.burst("keydown", "ctrl", "keydown", "Return", "keyup", "ctrl")
    window.wait("pose-add")
    for _ in range(3):
        window.burst("sleep", 0.4, "mousemove_relative", 1, 1)
        assert any(name.startswith("Add pose/") for name in window.report_at_once()["widgets"])
    window.tool("keyup", "Return", "key", "ctrl+a", "b", "Return")
    window.wait("pose-add b")


def wheel_is_for_what_is_under_the_mouse(window):
    state = window.report()
    view = middle(window, state["viewport"])
    for time in range(TIMES):
        joint = ("elbow", "wrist")[time % 2]
        window.burst(*middle(window, state["widgets"]["outliner/" + joint]), "click", 1, *view, "click", 4, "click", 4,
                     *middle(window, state["widgets"]["outliner/shoulder"]))
        window.wait("joint " + joint)
        window.wait("zoom")
        window.burst(*view, "key", "ctrl+comma", "Escape", "click", 5)
        window.wait("preferences")
        window.wait("escape")
        window.wait("zoom")


def press_after_a_dialog_is_for_what_was_behind_it(window):
    for time in range(TIMES):
        joint = ("elbow", "wrist")[time % 2]
        x, y, _, _ = window.report()["joints"][joint]
        window.burst("mousemove", "--window", window.id, round(x), round(y), "key", "ctrl+comma", "Escape", "click", 1)
        window.wait("preferences")
        window.wait("escape")
        window.wait("joint " + joint)


def name_is_typed_into_the_field_that_a_click_opens(window):
    row = middle(window, window.report()["widgets"]["poses/elbow-130"])
    window.tool(*row, "click", 3)
    rename = middle(window, window.report()["widgets"]["popup/Rename"])
    window.tool("key", "Escape")
    for time in range(TIMES):
        name = "elbow" + "abcdefgh"[time]
        window.burst(*row, "click", 3, *rename, "click", 1, "key", "ctrl+a", *name, "Return", "Tab")
        window.wait("pose-name " + name)
        expect_posing(window)


def picture_is_written_although_keys_follow_it_at_once(window):
    window.burst("key", "p", "w", "g")
    for line in "written", "wireframe", "grid":
        window.wait(line)


def server_stays_when_its_last_client_goes(_):
    """One that started again would put the mouse back, and cut off the next window."""
    for place in (11, 12), (13, 14):
        subprocess.run(["xdotool", "mousemove", *map(str, place)], check=True)
        seen = subprocess.run(["xdotool", "getmouselocation"], capture_output=True, text=True, check=True).stdout
        assert seen.startswith(f"x:{place[0]} y:{place[1]} "), seen


CASES = [*OneWindow(arm).cases(key_after_a_typed_number_is_for_the_window,
         keys_before_and_after_a_name_are_for_their_field_and_for_the_window,
         name_is_typed_ahead_while_a_change_is_in_progress, key_that_opens_a_field_is_not_for_it_however_long_it_is_held,
         wheel_is_for_what_is_under_the_mouse, press_after_a_dialog_is_for_what_was_behind_it,
         name_is_typed_into_the_field_that_a_click_opens, picture_is_written_although_keys_follow_it_at_once),
         server_stays_when_its_last_client_goes]
