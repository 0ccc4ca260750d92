# SPDX-License-Identifier: GPL-3.0-or-later
"""The window stays steady: buttons and the picture keep their places while lists grow and poses are created; the selection and the mask are
visible; an export is offered under a new name."""

from limbs import limbs
from driver import OneWindow, Window, arm, enter, opened, stroke


def button_stays_under_the_mouse_when_its_list_grows(folder):
    with opened(limbs(folder), (1000, 800)) as window:
        window.click_joint("lower_l")
        window.type_into("side/z##rotation", "60")
        window.wait("rotate")
        window.report()
        window.key("Tab", "posing")
        before = stroke(window, joint="lower_l", brush="Inflate")
        assert before["example"] and before["group"], (before["example"], before["group"])
        assert before["example"] in before["groups"][before["group"]]["examples"]
        window.click("side/Mirror")
        window.wait("example-mirror")
        after = window.report()
        assert len(after["examples"]) == len(before["examples"]) + 1
        assert after["widgets"]["side/Mirror"][1] == before["widgets"]["side/Mirror"][1]


def picture_stays_where_it_is_between_clip_and_pose(window):
    assert window.report()["pose"] == "rest"  # a character opens at rest
    window.scrub(0)
    before = window.report()
    assert before["clip"] == "bend"
    window.click("poses/elbow-130")
    window.wait("pose elbow-130")
    assert window.report()["viewport"] == before["viewport"]


def words_changed(window, one, two):
    """Pixels of what is written over the viewport."""
    x, y, width, _ = map(round, window.report()["viewport"])
    return one.differing(two, x, y, x + width // 2, y + 70)


def mask_is_shown_while_other_brushes_work(window):
    enter(window)
    window.point(5, 5)
    free = window.picture()
    stroke(window, brush="Mask")
    window.click("side/Grab")
    window.wait("brush ")
    window.point(5, 5)
    masked = window.picture()
    assert words_changed(window, free, masked) > 20
    assert window.changed(free, masked) > 50  # it darkens the skin
    window.click("side/Clear mask")
    window.wait("mask-clear")
    window.report()
    window.point(5, 5)
    window.report()
    cleared = window.picture()
    assert words_changed(window, free, cleared) == 0 and window.changed(free, cleared) == 0


def export_is_not_offered_over_the_character(folder):
    with Window(folder, arm(folder)) as window:
        window.key("ctrl+e", "export")
        window.report()
        window.tool("key", "Return")
        window.wait(f"export {folder.resolve()}/arm-skinned.glb")
        window.report()
        window.key("Escape", "export-drop")
        window.report()


def stack_is_driven_once_for_each_moment_that_is_scrubbed(window):
    """The picture, the examples' bars and the error share one drive. What stays in the pose, like the camera, needs none."""
    window.scrub(0)
    window.key("h", "heat")
    before = window.report()
    assert before["clip"] == "bend"
    for _ in range(6):
        window.key("Right", "step-on")
    scrubbed = window.report()
    assert scrubbed["seconds"] > before["seconds"] and scrubbed["redraws"] > before["redraws"]
    assert scrubbed["drives"] - before["drives"] == 6, (before["drives"], scrubbed["drives"])
    assert any(abs(weight) > 0.01 for weight in scrubbed["examples"].values())
    window.key("KP_1", "front")
    orbited = window.report()
    assert orbited["drives"] == scrubbed["drives"] and orbited["redraws"] > scrubbed["redraws"]


def what_changes_nothing_to_be_seen_is_not_shown(window):
    """The layout settles in redraws that look the same as the one before, and so do those of a key that does nothing."""
    window.point(5, 5)
    window.report()
    before = window.report()
    for _ in range(4):
        window.tool("key", "Shift_L")
    after = window.report()
    assert after["redraws"] >= before["redraws"] + 8 and after["shown_redraws"] == before["shown_redraws"], (before, after)
    first = window.picture()
    window.key("KP_1", "front")
    rotated = window.report()
    assert rotated["shown_redraws"] > after["shown_redraws"]
    assert window.changed(first, window.picture()) > 1000


def events_that_come_faster_than_redraws_are_shown_some_at_a_time(window):
    window.scrub(0)
    before = window.report()
    window.burst("key", *["Right"] * 12)
    after = window.report()
    assert after["redraws"] - before["redraws"] >= 24, (before, after)
    shown = after["shown_redraws"] - before["shown_redraws"]
    assert 3 <= shown <= 9, shown


CASES = [button_stays_under_the_mouse_when_its_list_grows, export_is_not_offered_over_the_character,
         *OneWindow(arm, drawn=True).cases(mask_is_shown_while_other_brushes_work, what_changes_nothing_to_be_seen_is_not_shown),
         *OneWindow(arm).cases(picture_stays_where_it_is_between_clip_and_pose,
         events_that_come_faster_than_redraws_are_shown_some_at_a_time, stack_is_driven_once_for_each_moment_that_is_scrubbed)]
