# SPDX-License-Identifier: GPL-3.0-or-later
"""The window as people use it: looking, playing, comparing."""

import math

from harness import refusal
from driver import WIDTH, OneWindow, Window, arm, opened


def mouse_turns_pans_and_zooms(window):
    before = window.picture()
    middle = window.middle()
    assert (before.width, before.height) == (1000, 640)
    window.drag(middle, [(40, 15), (40, 15)], button=2)
    assert float(window.wait("orbit").split()[1]) < 0
    orbited = window.picture()
    assert window.changed(before, orbited) > 500
    window.drag(middle, [(20, 20), (20, 20)], "shift", button=2)
    window.wait("pan")
    panned = window.picture()
    assert window.changed(orbited, panned) > 500
    window.tool("click", 4)
    assert float(window.wait("zoom").split()[1]) < 1
    assert window.changed(panned, window.picture()) > 500


def navigation_is_chosen_in_the_preferences(folder):
    with Window(folder, arm(folder)) as window:
        middle = window.middle()
        window.drag(middle, [(30, 0)], button=2)
        window.wait("orbit")
        window.key("ctrl+comma", "preferences")
        window.click("Preferences/Maya")
        window.wait("prefer navigation maya")
        window.key("Escape", "escape")
        window.drag(middle, [(30, 0)], button=2)
        window.drag(middle, [(0, 30)], "alt", button=2)
        window.wait("pan")
        assert not any(line.startswith("orbit") for line in window.lines_read[-3:])
    with Window(folder, folder / "arm.sinew") as window:
        window.drag(window.middle(), [(0, 30)], "alt", button=2)
        window.wait("pan")


def chosen_joint_is_framed_with_what_it_moves(folder):
    """From near and from far, at rest and bent: the joint and those that hang on it fill the viewport, and nothing else does."""
    with opened(arm(folder)) as window:
        frame_joints(window)


def frame_joints(window):
    window.click("poses/both")
    window.wait("pose both")
    for joint, far in ("elbow", "wrist"), ("shoulder", "elbow"):
        window.click("outliner/" + joint)
        window.wait("joint " + joint)
        for wheel in 4, 5:
            window.point(*window.middle())
            for _ in range(6):
                window.tool("click", wheel)
                window.wait("zoom")
            window.key("f", "frame-chosen")
            state = window.report()
            x, y, width, height = state["viewport"]
            places = [state["joints"][name][:2] for name in (joint, far)]
            assert all(x < px < x + width and y < py < y + height for px, py in places), (joint, places)
            assert math.dist(*places) > 0.3 * min(width, height), (joint, places)


def space_plays_and_arrows_step(window):
    still = window.picture()
    assert window.changed(still, window.picture()) == 0
    window.key("space", "play")
    moving = [window.picture() for _ in range(4)]
    assert any(window.changed(still, other) > 300 for other in moving)
    window.key("space", "play")
    paused = window.picture()
    assert window.changed(paused, window.picture()) == 0
    stepped = []
    for key, done in ("Right", "step-on"), ("Left", "step-back"), ("Left", "step-back"):
        for _ in range(4):
            window.key(key, done)
        stepped.append(window.picture())
    # The pause may be at the end or the turn of the clip, where steps on hardly change the picture.
    assert max(window.changed(paused, other) for other in stepped) > 300


def scrub_and_leave(window, fraction):
    """The mouse goes away from the timeline, whose help would come up over the viewport."""
    time = window.scrub(fraction)
    window.point(WIDTH - 4, 4)
    return time


def methods_and_before_show_their_own_skin(window):
    assert 0.5 < scrub_and_leave(window, 0.6) < 0.7
    whole = window.picture()
    window.key("2", "method 1")
    linear = window.picture()
    assert window.changed(whole, linear) > 100
    window.key("1", "method 0")
    assert window.changed(whole, window.picture()) == 0
    window.tool("keydown", "b")
    window.wait("before 1")
    held = window.picture()
    assert window.changed(held, linear) == 0 and window.changed(held, whole) > 100
    window.tool("keyup", "b")
    window.wait("before 0")
    assert window.changed(whole, window.picture()) == 0
    window.key("9", "method 8")  # there is none: nothing changes but the status line
    assert window.changed(whole, window.picture()) == 0


def heat_and_looks_are_drawn_and_taken_away(window):
    scrub_and_leave(window, 0.7)
    window.key("h", "heat")  # first, since errors are shown at the moments that have a truth
    heated = window.picture()
    for key, name in (("s", "skeleton"), ("w", "wireframe"), ("l", "flat"), ("g", "grid")):
        window.key(key, name)
        shown = window.changed(heated, window.picture())
        assert shown > 20, f"{name}: {shown} pixels"
        window.key(key, name)
    assert window.changed(heated, window.picture()) == 0
    window.key("h", "heat")
    assert window.changed(heated, window.picture()) > 300


def tiny_and_huge_windows_are_drawn(window):
    whole = window.report()
    for width, height in ((160, 160), (1500, 1100), (80, 60), (1, 1), (2000, 30), (30, 1500), (300, 210), (1000, 640)):
        window.resize(width, height)
        window.key("a", "frame")
        x, y, across, high = window.report()["viewport"]
        assert across >= 1 and high >= 1 and x + across <= width and y + high <= height, (width, height, across, high)
    state = window.report()
    assert state["widgets"].keys() == whole["widgets"].keys() and not state["alarmed"], state["message"]


def project_is_left_as_it_was(folder):
    project = arm(folder)
    before = project.read_bytes()
    with Window(folder, project) as window:
        window.key("2", "method 1")
    assert project.read_bytes() == before


def missing_display_and_wrong_usage_are_reported(folder):
    project = arm(folder)
    for env in ({"DISPLAY": ":987"}, {"SDL_VIDEODRIVER": "offscreen"}):
        line = refusal("view", project, env={"XDG_RUNTIME_DIR": str(folder), **env})
        assert "needs a display" in line and "sinew render" in line
    assert "--size 10x10" in refusal("view", project, "--size", "10x10", status=2)
    assert "no such file" in refusal("view", folder / "absent.sinew")
    (folder / "wrong.txt").write_text("window play\nwindow fly away\n")
    assert "wrong.txt, line 2: there is no command 'window fly'" in refusal("view", "--script", folder / "wrong.txt")
    (folder / "wrong.txt").write_text("window orbit 0.1 nan\n")
    assert "wrong.txt, line 1: orbit: nan is no number" in refusal("view", "--script", folder / "wrong.txt")
    for line, said in (("orbit 1 1", "there is no operator 'orbit 1'"), ("window layer-name base", "'window layer-name' is 'stack name'"),
                       ("window undo", "'window undo' is 'undo'"), ("window operate pose add", "'window operate' is 'NOUN OPERATOR'"), ("pose add --nam bent", "'pose add' has no option --nam")):
        (folder / "wrong.txt").write_text(f"undo\n{line}\n")
        assert f"wrong.txt, line 2: {said}" in refusal("view", "--script", folder / "wrong.txt"), line


CASES = [*OneWindow(arm, drawn=True).cases(mouse_turns_pans_and_zooms, space_plays_and_arrows_step,
         methods_and_before_show_their_own_skin, heat_and_looks_are_drawn_and_taken_away, tiny_and_huge_windows_are_drawn),
         chosen_joint_is_framed_with_what_it_moves, navigation_is_chosen_in_the_preferences,
         missing_display_and_wrong_usage_are_reported]
LONG = [project_is_left_as_it_was]
