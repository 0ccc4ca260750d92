# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sets and what is remembered: preferences, keys, recent projects; the palette; where a project is saved and when."""

import contextlib
import ctypes
import shutil

from contents import contents
from harness import sinew
from limbs import limbs
from driver import HEIGHT, MOUSE, WIDTH, OneWindow, Window, home


def letters_and_keys_are_changed_and_kept(folder):
    project = limbs(folder)
    with Window(folder, project) as window:
        small = window.report()["widgets"]["side/Add"]
        window.key("ctrl+comma", "preferences")
        window.type_into("Preferences/##text-size", "1.3")
        window.wait("prefer text-size 1.30")
        window.click("Preferences/Keys…")
        window.wait("keys")
        window.click("Keyboard shortcuts/None##keys-sample")
        window.key("ctrl+shift+j", "bind sample Ctrl+Shift+J")
        window.key("Escape", "escape")
        assert window.report()["widgets"]["side/Add"][3] > 1.1 * small[3]
    with Window(folder, project) as window:
        assert window.report()["widgets"]["side/Add"][3] > 1.1 * small[3], (small, window.report()["widgets"]["side/Add"])
        window.key("ctrl+shift+j", "sample")
        assert window.report()["path"].endswith("arm.sinew")


def everything_is_as_large_as_its_letters(folder):
    """Panels, the gizmo and what can be grasped, from the first frame on; and as before once they are small again."""
    made = folder / "config" / "sinew"
    made.mkdir(parents=True)
    (made / "preferences").write_text("text-size 2\n")
    with Window(folder, limbs(folder), size=(1500, 1040)) as window:
        window.key("KP_End", "front")
        window.click_joint("lower_l")
        state = window.report()
        assert 50 < state["widgets"]["side/Add"][3] < 75, state["widgets"]["side/Add"]
        x, y, radius, _ = state["gizmo"]
        assert 150 < radius < 160, radius
        far, near = round(0.707 * radius), round(0.293 * radius)
        window.drag((x + far, y - far), [(-far, -near), (-far, near)])  # a quarter turn along the ring about z
        assert abs(float(window.wait("rotate ").split()[3]) - 90) < 3
        window.key("ctrl+o", "open")
        x, y, _, _ = window.report()["widgets"]["Open/Up"]
        assert y > 60, y  # below the title, which is in the window
        window.key("Escape", "escape")
        window.key("ctrl+comma", "preferences")
        window.type_into("Preferences/##text-size", "1")
        window.wait("prefer text-size 1.00")
        window.key("Escape", "escape")
        state = window.report()
        assert state["widgets"]["side/Add"][3] < 35 and 75 < state["gizmo"][2] < 80


@contextlib.contextmanager
def desktop_asks_for(dpi):
    """As its settings do, in a property of the root window."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = x11.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    root, name, words = ctypes.c_ulong(x11.XDefaultRootWindow(display)), x11.XInternAtom(display, b"RESOURCE_MANAGER", 0), f"*dpi:\t75\nXft.dpi:\t{dpi}\n".encode()
    x11.XChangeProperty(display, root, ctypes.c_ulong(name), ctypes.c_ulong(31), 8, 0, words, len(words))  # XA_STRING, replaced
    x11.XSync(display, 0)
    try:
        yield
    finally:
        x11.XDeleteProperty(display, root, ctypes.c_ulong(name))
        x11.XCloseDisplay(display)


def desktop_says_how_large_everything_is(folder):
    with desktop_asks_for(192), Window(folder, limbs(folder), size=(1500, 1040)) as window:
        assert 50 < window.report()["widgets"]["side/Add"][3] < 75


def antialiasing_mixes_the_colours_at_edges_and_large_pixels_are_coarse(folder):
    made = folder / "config" / "sinew"
    made.mkdir(parents=True)
    (made / "preferences").write_text("antialiasing yes\n")
    with Window(folder, limbs(folder), size=(800, HEIGHT), drawn=True) as window:
        window.key("KP_End", "front")
        window.key("g", "grid")
        x, y, width, height = map(round, window.report()["viewport"])
        place = (x, y, x + width, y + height)
        smooth = window.picture().part(*place)
        window.key("ctrl+comma", "preferences")
        window.click("Preferences/Anti-aliasing")
        window.wait("prefer antialiasing no")
        window.key("Escape", "escape")
        sharp = window.picture()
        rough = sharp.part(*place)
        window.key("ctrl+comma", "preferences")
        window.click("Preferences/4")
        window.wait("prefer pixel-size 4")
        window.key("Escape", "escape")
        assert window.changed(sharp, window.picture()) > 500
    colours = [len({row[i:i + 3] for row in picture.rows for i in range(0, len(row), 4)}) for picture in (smooth, rough)]
    assert colours[0] > 1.1 * colours[1], colours


def shadows_darken_the_ground_and_the_skin_unless_turned_off(folder):
    made = folder / "config" / "sinew"
    made.mkdir(parents=True)
    (made / "preferences").write_text("antialiasing no\n")

    def switch(window, state):
        window.key("ctrl+comma", "preferences")
        window.click("Preferences/Shadows")
        window.wait("prefer shadows " + state)
        window.key("Escape", "escape")
        window.point(*MOUSE)
        return window.picture()

    with Window(folder, limbs(folder), size=(800, HEIGHT), drawn=True) as window:
        shadowed = window.picture()
        bare = switch(window, "no")
        again = switch(window, "yes")
        x, y, width, height = map(round, window.report()["viewport"])
        assert window.changed(shadowed, again) == 0
    lighter, darker = 0, 0
    for row in range(y + 70, y + height - 4):
        for column in range(x + 4, x + width - 100):
            change = sum(bare.pixel(column, row)) - sum(shadowed.pixel(column, row))
            lighter, darker = lighter + (change > 12), darker + (change < -12)
    assert lighter > 1000, lighter
    assert darker < lighter / 50, (lighter, darker)
    assert "shadows yes" in (made / "preferences").read_text().splitlines()


def panels_are_resized_by_their_edges_for_good(folder):
    project = limbs(folder)
    for is_first in (True, False):
        with Window(folder, project) as window:
            state = window.report()
            x, y, width, height = state["widgets"]["outliner/outliner-width"]
            if is_first:
                left, _, across, _ = state["viewport"]
                window.drag((x + width / 2, y + height / 2), ((20, 0), (20, 0), (20, 0)))
                window.wait("prefer outliner-width")
                state = window.report()
            assert abs(state["viewport"][0] - left - 60) < 4 and abs(across - state["viewport"][2] - 60) < 4, (left, state["viewport"])


def keys_are_captured_and_a_key_of_another_command_is_refused(folder):
    project = limbs(folder)
    with Window(folder, project) as window:
        window.key("F1", "keys")
        for name, button, pressed, bound, refused in (
                ("sample", "None##keys-sample", "KP_Left", "Keypad4", None),
                ("sample", "+##add-sample", "F5", "Keypad4 F5", None),
                ("sample", "Keypad4 F5##keys-sample", "w", "W", '"Wireframe"'),  # it keeps its keys
                ("sample", "Keypad4 F5##keys-sample", "3", "3", "selects a method"),
                ("open", "Ctrl+O##keys-open", "BackSpace", "", None),
                ("open", "None##keys-open", "Tab", "Tab", '"Pose or sculpt"')):
            window.click("Keyboard shortcuts/" + button)
            window.key(pressed, f"bind {name} {bound}".strip())
            state = window.report()
            assert state["alarmed"] == bool(refused) and (refused or "") in state["message"], (button, state["message"])
        window.click("Keyboard shortcuts/Keypad4 F5##keys-sample")
        window.tool("key", "Escape")  # ends the wait alone
        assert window.report()["dialog"] and "Keyboard shortcuts/Keypad4 F5##keys-sample" in window.report()["widgets"]
        window.click("Keyboard shortcuts/Reset##reset-open")
        window.wait("bind open Ctrl+O")
        window.click("Keyboard shortcuts/##find-key")
        window.tool("type", "wirefr")
        assert not any("sample" in name for name in window.report()["widgets"])
        window.tool("key", "Return")  # ends the text
        assert window.report()["dialog"]
        window.tool("key", "Return")  # the main button
        assert not window.report()["dialog"]
    assert (folder / "config" / "sinew" / "keys").read_text().splitlines()[1:] == ["sample Keypad4 F5"]
    with Window(folder, project) as window:
        window.key("w", "wireframe")
        window.key("KP_Left", "sample")
        assert window.report()["path"].endswith("arm.sinew")
        window.key("Tab", "posing")
        for key, brush in (("3", "smooth"), ("shift+3", "pinch")):
            window.key(key, "brush-" + brush)
            assert window.report()["brush"] == brush
        window.key("F1", "keys")
        window.click("Keyboard shortcuts/Blender")
        window.wait("key-preset blender")
        window.key("Escape", "escape")
        for key, brush in (("x", "draw"), ("shift+3", "pinch"), ("i", "inflate")):
            window.key(key, "brush-" + brush)
            assert window.report()["brush"] == brush
        assert "brush-draw X 5" in (folder / "config" / "sinew" / "keys").read_text().splitlines()


def palette_finds_a_command_by_a_few_letters(window):
    window.key("ctrl+p", "palette")
    window.report()
    window.write("wirefr")
    window.wait("wireframe")
    assert window.report()["dialog"] == 0


def recent_project_is_opened_from_the_welcome(folder):
    project = limbs(folder)
    with Window(folder, project):
        pass
    with Window(folder) as window:
        window.click("welcome/limbs.sinew")
        window.wait("open ")
        assert window.report()["path"] == str(project.resolve())


def turn_joint(window, degrees):
    window.click("outliner/lower_l")
    window.type_into("side/z##rotation", degrees)
    window.wait("rotate ")
    return window.report()


def project_saved_under_another_name_leaves_the_first_one_alone(folder):
    project = limbs(folder)
    with Window(folder, project) as window:
        turn_joint(window, 20)
        before = contents(project)
        window.key("ctrl+shift+s", "save-as")
        window.report()
        window.tool("key", "ctrl+a")
        window.write("other.sinew")
        window.wait("save-as ")
        state = window.report()
        assert state["path"] == str((folder / "other.sinew").resolve()) and state["saved"], (state["path"], state["message"])
        assert contents(state["path"]) == before
        turn_joint(window, 40)
    assert contents(project) == before and contents(folder / "other.sinew") != before


def project_is_written_when_the_stroke_ends_and_not_before(window):
    window.click("poses/bent")
    window.wait("pose bent")
    window.key("Tab", "posing")
    x, y, _, _ = window.report()["joints"]["lower_l"]
    before = window.project.read_bytes()
    window.point(x, y)
    window.tool("mousedown", 1)
    window.wait("stroke ")
    for _ in range(3):
        window.tool("mousemove_relative", "--", 0, -5)
        window.wait("dab")
    window.report()
    assert window.project.read_bytes() == before
    window.tool("mouseup", 1)
    window.wait("stroke-end")
    window.report()
    assert window.project.read_bytes() != before


def recorded_session_makes_the_same_project_again(folder):
    project = limbs(folder)
    copy = shutil.copy(project, folder / "again.sinew")
    with Window(folder, project) as window:
        turn_joint(window, 60)
        window.key("Tab", "posing")
        x, y, _, _ = window.report()["joints"]["lower_l"]
        for brush in "Grab", "Inflate":
            window.click("side/" + brush)
            window.drag((x, y), [(3, -5), (3, -5)])
            window.wait("stroke-end")
            window.report()
        window.key("ctrl+z", "undo")
        window.key("ctrl+p", "palette")
        window.report()
        window.write("session as script")
        window.wait("write-script")
        window.report()
    script = next(folder.glob("limbs-session-*.txt"))
    script.write_text(script.read_text() + "window quit\n")
    sinew("view", copy, "--script", script, "--size", f"{WIDTH}x{HEIGHT}", cwd=folder, env=home(folder))
    assert contents(copy) == contents(project)


CASES = [panels_are_resized_by_their_edges_for_good, everything_is_as_large_as_its_letters,
         desktop_says_how_large_everything_is, antialiasing_mixes_the_colours_at_edges_and_large_pixels_are_coarse,
         shadows_darken_the_ground_and_the_skin_unless_turned_off, keys_are_captured_and_a_key_of_another_command_is_refused,
         recent_project_is_opened_from_the_welcome, project_saved_under_another_name_leaves_the_first_one_alone,
         *OneWindow(limbs).cases(palette_finds_a_command_by_a_few_letters,
         project_is_written_when_the_stroke_ends_and_not_before)]
LONG = [letters_and_keys_are_changed_and_kept, recorded_session_makes_the_same_project_again]
