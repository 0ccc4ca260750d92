# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels: at every width nothing sticks out of them, and help covers no control."""

import time

from driver import PATIENCE, WIDTH, Window, arm, enter, opened


def nothing_sticks_out_of_a_panel(folder):
    made = folder / "config" / "sinew"
    made.mkdir(parents=True)
    (made / "preferences").write_text("antialiasing no\nshadows no\npixel-size 4\nside-width 240\n")
    with Window(folder, arm(folder)) as window:
        enter(window)
        for side, tab in (240, "Shape"), (240, "Stack"), (300, "Shape"):
            state = window.report()
            x, y, width, height = state["widgets"]["side/side-width"]
            window.drag((x + width / 2, y + height / 2), [(240 - side, 0)] if side != 240 else [])
            window.click("side/" + tab)
            state = window.report()
            out = [name for name, place in state["widgets"].items() if name.startswith("side/") and name != "side/side-width"
                   and place[0] + place[2] > WIDTH - 14]
            assert not out, (side, tab, out)
            window.click("side/Shape")


def ink_above(picture, box, left, right):
    """How far the text between two places reaches above the middle of the box beside it."""
    _, y, _, height = map(round, box)
    rows = [row for row in range(y, y + height) if any(sum(picture.pixel(column, row)) > 240 for column in range(left, right))]
    return y + height / 2 - rows[0]


def switches_stand_beside_the_middle_of_their_text(folder):
    """As a check box does beside the label of its own; the texts begin with letters of the same height."""
    with opened(arm(folder), (1100, 900), drawn=True) as window:
        enter(window)
        window.click("side/Add layer")
        window.wait("sculpt-layer-add")
        window.report()
        window.point(5, 5)
        state = window.report()
        picture, places = window.picture(), state["widgets"]
        place = places["side/Through volume"]
        labelled = ink_above(picture, place, round(place[0] + place[3] + 5), round(place[0] + place[2]))
        for switch, row in ("outliner/##on-linear-blend", "outliner/Linear blend##layer-linear-blend"), ("side/##sculpt-on-base", "side/base##sculpt-layer"):
            box, (x, _, width, _) = places[switch], places[row]
            above = ink_above(picture, box, round(x), round(x + min(width, 80)))
            assert abs(above - labelled) <= 0.5, (switch, above, labelled)


def help_is_beside_the_panel(folder):
    with opened(arm(folder)) as window:
        enter(window)
        for name in ("side/Inflate", "side/Radius", "outliner/wrist", "poses/both"):
            x, y, width, height = window.report()["widgets"][name]
            window.point(x + width / 2, y + height / 2)
            end = time.monotonic() + PATIENCE
            shown = None
            while not shown and time.monotonic() < end:
                places = window.report()["words"]
                shown = next((place for key, place in places.items() if key.endswith("/help")), None)
            assert shown, name
            view_x, _, view_width, _ = window.report()["viewport"]
            assert shown[0] >= view_x and shown[0] + shown[2] <= view_x + view_width, (name, shown)


def errors_have_the_unit_that_is_chosen(folder):
    with Window(folder, arm(folder), size=(1000, 900)) as window:
        window.click("side/Stack")
        window.wait("tab")
        window.click("side/Measure")
        window.wait("measure")
        for unit, ending in ("mm", " mm"), ("cm", " cm"), ("E_RMS", "–"):
            if unit == "cm":
                window.key("ctrl+comma", "preferences")
                window.click("Preferences/cm")
                window.wait("prefer length-unit cm")
                window.key("Escape", "escape")
            elif unit == "E_RMS":
                window.click("side/E_RMS")
                window.wait("prefer error-unit erms")
            words = [name.split("/", 1)[1] for name in window.report()["words"] if name.startswith("side/")]
            assert any(word.endswith(ending) for word in words), (unit, words)
            assert not any(word.endswith(other) for word in words for other in {" mm", " cm", "–"} - {ending}), (unit, words)


def lengths_are_typed_in_the_unit_that_is_shown(folder):
    with Window(folder, arm(folder), size=(1000, 900)) as window:
        window.click("poses/elbow-130")
        window.wait("pose elbow-130")
        window.key("Tab", "posing")
        window.type_into("side/Radius", 50)
        window.wait("radius 5")
        assert abs(window.report()["brush_radius"] - 0.05) < 1e-9
        window.key("ctrl+comma", "preferences")
        window.click("Preferences/m")
        window.wait("prefer length-unit m")
        window.key("Escape", "escape")
        window.type_into("side/Radius", 0.1)
        window.wait("radius 10")
        assert abs(window.report()["brush_radius"] - 0.1) < 1e-9


CASES = [nothing_sticks_out_of_a_panel, switches_stand_beside_the_middle_of_their_text, help_is_beside_the_panel,
         errors_have_the_unit_that_is_chosen, lengths_are_typed_in_the_unit_that_is_shown]
