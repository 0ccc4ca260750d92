# SPDX-License-Identifier: GPL-3.0-or-later
"""A right click in the viewport opens a menu of the mesh and the joint under the mouse; with a drag it is the brush's radius."""

from limbs import limbs
from driver import enter, opened

TALL = (1000, 900)


def open_menu(window, x, y):
    """What the menu says and offers there."""
    window.point(x, y)
    window.report()
    window.tool("click", 3)
    window.wait("view-menu")
    state = window.report()
    entries = [name.split("/")[1] for name in state["widgets"] if name.startswith("popup/")]
    words = [name.split("/")[1] for name in state["words"] if name.startswith("popup/")]
    return words, entries


def close_menu(window):
    window.tool("key", "Escape")
    assert not any(name.startswith("popup/") for name in window.report()["widgets"])


def joint_and_mesh_under_the_mouse_have_a_menu(folder):
    with opened(limbs(folder, dressed=True), TALL, drawn=True) as window:
        window.click("poses/bent")
        window.wait("pose bent")
        window.key("KP_End", "front")
        x, y, _, _ = window.report()["joints"]["lower_l"]
        window.point(x + 200, y + 200)
        shown = window.picture()
        words, entries = open_menu(window, x, y)
        assert words == ["sleeve", "lower_l"], words
        assert {"Select mesh", "Hide mesh", "Isolate mesh", "Lock mesh", "Select joint", "Frame joint", "Hide faces", "Pin", "Lock weights",
                "Reset joint", "Add pose…", "Add example", "Sculpt this pose", "Frame all"} <= set(entries), entries
        assert not [name for name in window.report()["unexplained"] if name.startswith("popup/")]
        window.click("popup/Hide mesh")
        window.wait("mesh-hide sleeve")
        window.point(x + 200, y + 200)
        assert window.changed(shown, window.picture()) > 300
        words, entries = open_menu(window, x, y)
        assert words == ["limbs", "lower_l"], words
        window.click("popup/Show everything")
        window.wait("mesh-show-all")
        open_menu(window, x, y)
        window.click("popup/Select joint")
        window.wait("joint lower_l")
        assert window.report()["joint"] == "lower_l"
        open_menu(window, x, y)
        window.click("popup/Isolate mesh")
        window.wait("mesh-isolate sleeve")
        open_menu(window, x, y)
        window.click("popup/End isolation")
        window.wait("mesh-isolate sleeve")
        before = window.picture()
        open_menu(window, x, y)
        window.click("popup/Frame mesh")
        window.wait("mesh-frame sleeve")
        assert window.changed(before, window.picture()) > 2000
        window.key("a", "frame")
        empty_place_has_a_menu_and_a_drag_of_the_right_button_has_none(window)


def empty_place_has_a_menu_and_a_drag_of_the_right_button_has_none(window):
    left, top, width, height = window.report()["viewport"]
    corner = left + width - 12, top + height - 60
    words, entries = open_menu(window, *corner)
    assert words == [] and "Add pose…" in entries and "Hide mesh" not in entries, (words, entries)
    close_menu(window)
    window.drag(corner, [(-30, 0), (30, 0)], button=3)  # back where it began
    state = window.report()
    assert not any(name.startswith("popup/") for name in state["widgets"])
    window.drag(corner, [(-30, 0)], "alt", button=3)
    window.wait("zoom")
    assert not any(name.startswith("popup/") for name in window.report()["widgets"])


def sculpting_has_a_menu_and_the_radius_in_one_button(folder):
    project = limbs(folder, dressed=True)
    with opened(project, TALL) as window:
        enter(window, "bent")
        window.key("KP_End", "front")
        (ux, uy, _, _), (lx, ly, _, _) = (window.report()["joints"][name] for name in ("upper_r", "lower_r"))
        x, y = (ux + lx) / 2, (uy + ly) / 2
        radius = window.report()["brush_radius"]
        words, entries = open_menu(window, x, y)
        assert words == ["limbs", "upper_r"] and {"Mask by joint", "Invert mask", "Add example"} <= set(entries), (words, entries)
        assert window.report()["brush_radius"] == radius
        window.click("popup/Mask by joint")
        window.wait("mask-joint upper_r")
        assert not window.report()["alarmed"]
        words, entries = open_menu(window, x, y)
        window.click("popup/Clear mask")
        window.wait("mask-clear")
        window.drag((x, y), [(10, 0), (10, 0)], button=3)
        window.wait("radius")
        state = window.report()
        assert state["brush_radius"] > 1.1 * radius and not any(name.startswith("popup/") for name in state["widgets"])
        window.drag((x, y), [(1, 0), (-1, 1)], button=3)  # a hand that trembles
        window.wait("view-menu")
        assert window.report()["brush_radius"] == state["brush_radius"]


CASES = [joint_and_mesh_under_the_mouse_have_a_menu, sculpting_has_a_menu_and_the_radius_in_one_button]
