# SPDX-License-Identifier: GPL-3.0-or-later
"""Text in the window: every control has help, in panels and in dialogs; every message can be read completely at any size of the window,
and says what to do; the status line says what the mouse does."""

from harness import sinew
from driver import OneWindow, Window, arm, opened

# Headings that fold say what they are, and so do menus.
HEADINGS = {"Inverse pose space deformation", "Linear blend", "POSE", "SCULPT", "EXAMPLES", "GROUP", "LAYERS", "PARAMETERS", "ERROR",
            "WHERE IT RUNS", "BAKE FOR ENGINES", "LEVELS OF DETAIL", "METHOD", "SHOW", "HEAT MAP", "CAMERA", "UVS"}


def left_alone(state, panel=None):
    """What has no help, in a panel or dialog or anywhere."""
    named = [name for name in state["unexplained"] if not name.startswith("##MainMenuBar")]
    return sorted(name for name in named if (panel is None or name.startswith(panel + "/"))
                  and not any(name.split("/", 1)[1].startswith(heading) for heading in HEADINGS))


def controls(state, panel):
    return [name for name in state["widgets"] if name.startswith(panel + "/")]


def every_control_has_its_help(folder):
    project = arm(folder)
    sinew("stack", project, "add", "smooth")
    with opened(project, (1100, 1150)) as window:
        window.click("outliner/elbow")
        window.click("side/elbow-130")
        window.wait("group elbow")
        incomplete = []
        for press in ("side/View", "side/History", "side/Stack", "side/Inverse pose space deformation##inverse-psd", "side/Linear blend##linear-blend", "side/Measure", "side/Shape"):
            window.click(press)
            incomplete += left_alone(window.report())
        window.key("Tab", "posing")
        incomplete += left_alone(window.report())
        for brush in "Paint", "Mask":
            window.click("side/" + brush)
            incomplete += left_alone(window.report())
    assert not incomplete, incomplete


def every_control_of_a_dialog_has_its_help(folder):
    with Window(folder) as window:
        state = window.report()
        assert len(controls(state, "welcome")) >= 2 and not left_alone(state), left_alone(state)
    project = arm(folder)
    dialogs = {"Open": ("ctrl+o", "open"), "Save as": ("ctrl+shift+s", "save-as"), "Export": ("ctrl+e", "export"),
               "Preferences": ("ctrl+comma", "preferences"), "Keyboard shortcuts": ("F1", "keys"), "Find command": ("ctrl+p", "palette"),
               "Add pose": ("ctrl+Return", "pose-add")}
    least = {"Open": 9, "Save as": 9, "Export": 8, "Preferences": 6, "Keyboard shortcuts": 2, "Find command": 10, "Add pose": 3}
    with Window(folder, project) as window:
        for title, (key, command) in dialogs.items():
            window.key(key, command)
            state = window.report()
            assert len(controls(state, title)) >= least[title], (title, controls(state, title))
            assert not left_alone(state, title), left_alone(state, title)
            window.key("Escape", "escape")
            assert window.report()["dialog"] == 0
        window.key("ctrl+e", "export")
        window.report()
        window.tool("key", "ctrl+a")
        window.write("out.glb")
        window.wait("export ")
        state = window.report()
        assert len(controls(state, "What the export loses")) == 2 and not left_alone(state, "What the export loses")
        words = " ".join(name for name in state["words"] if name.startswith("What the export loses/"))
        assert "Compared at" in words and "moments" in words and "frame" not in words, words
        window.tool("key", "F1")  # nothing opens over a question
        window.click("What the export loses/Discard")
        window.wait("export-drop")
        window.click("outliner/elbow")
        window.type_into("side/z##rotation", 20)
        window.wait("rotate ")
        window.report()
        window.kill()
    with Window(folder, project) as window:
        title = "Recover unsaved session"
        state = window.report()
        assert len(controls(state, title)) == 2 and not left_alone(state, title), left_alone(state, title)
        window.click(title + "/Continue")


def help_and_about(folder):
    """The pages at what is selected, or at what is typed; About is what --version prints."""
    def read(window):
        state = window.report()
        assert not left_alone(state, "Help") and not left_alone(state, "About")
        return [name.split("/", 1)[1] for name in state["words"] if name.startswith(("Help/", "About/"))]

    with opened(arm(folder)) as window:
        window.click("side/Stack")
        window.click("side/Inverse pose space deformation##inverse-psd")
        window.key("shift+F1", "help")
        words = read(window)
        assert any("inverse-psd" in word for word in words) and "artist.md" in words, words
        window.click("Help/##words")
        window.tool("key", "ctrl+a")
        window.tool("type", "animation-space")
        words = read(window)
        assert "real-data.md" in words and any(word.startswith("sinew fit animation-space") for word in words), words
        window.tool("key", "ctrl+a")
        window.tool("type", "zzz")
        assert read(window) == ["No page has these words."]
        window.click("Help/Close")
        window.click("side/Shape")
        window.key("Tab", "posing")
        window.click("side/Inflate")
        window.key("shift+F1", "help")
        words = read(window)
        assert any(word.startswith("- Draw raises the skin") for word in words), words
        window.key("Escape", "escape")
        window.click("##MainMenuBar/Help")
        window.click("##Menu_00/About")
        window.wait("about")
        words, printed = ([line[:200] for line in lines] for lines in (read(window), sinew("--version").stdout.splitlines()))
        assert words == printed and "SQLite" in words[2] and "GPL" in words[3], (words, printed)
        window.tool("key", "Return")


def escape_closes_what_is_unfolded_before_anything_else(window):
    window.click("outliner/elbow")
    window.wait("joint elbow")
    for opener, item in ("##MainMenuBar/Edit", "Preferences…"), ("timeline/##clip", "twist"):
        window.click(opener)
        assert any(name.endswith("/" + item) for name in window.report()["widgets"]), opener
        window.tool("key", "Escape")
        state = window.report()
        assert not any(name.endswith("/" + item) for name in state["widgets"]) and state["joint"] == "elbow", opener
    window.key("ctrl+o", "open")
    window.click("Open/##filter")
    assert "list/Characters" in window.report()["widgets"]
    window.tool("key", "Escape")
    state = window.report()
    assert "list/Characters" not in state["widgets"] and state["dialog"] != 0
    window.key("Escape", "escape")
    assert window.report()["dialog"] == 0
    window.key("Escape", "escape")
    assert window.report()["joint"] is None


def fits(state, size):
    x, y, width, height = state["words"]["status/message"]
    return x >= 0 and y >= 0 and x + width <= size[0] and y + height <= size[1]


def message_fits_every_size(window):
    """Returns it."""
    for size in ((320, 240), (320, 300), (700, 480), (1000, 640)):
        window.resize(*size)
        state = window.report()
        assert state["alarmed"] and fits(state, size), (size, state["message"], state["words"].get("status/message"))
    return state["message"]


def every_message_is_read_in_whole(window):
    """The long ones, in windows of many sizes."""
    absent = window.folder / ("a character that was moved to another folder " * 3 + "since it was opened last.glb")
    window.key("ctrl+p", "palette")
    window.report()
    window.write("go to rest")
    window.wait("pose-rest")
    window.key("ctrl+shift+a", "example-add")
    state = window.report()
    assert state["alarmed"] and "Click a joint and drag a ring" in state["message"], state["message"]
    assert list(state["examples"]) == ["elbow-130", "wrist-150"] and "example" not in state["poses"]
    assert message_fits_every_size(window) == state["message"]
    window.drag(window.middle(), [(8, 0)], button=2)  # it can be read while one looks around
    window.wait("orbit")
    assert window.report()["message"] == state["message"]
    window.key("ctrl+o", "open")
    window.report()
    window.tool("key", "ctrl+a")
    window.tool("type", f"{absent.name}*")  # a sequence that is not there
    window.tool("key", "Return")
    window.wait("open ")
    assert message_fits_every_size(window) != state["message"]


def line_at_the_foot_says_what_the_mouse_does(window):
    """Whole parts of it, however narrow the window."""
    for width in 1500, 1000, 600, 320:
        window.resize(width, 640)
        window.point(*window.middle())
        x, _, length, _ = window.report()["words"]["status/hint"]
        assert 40 < length and x + length <= width, (width, x, length)


CASES = [help_and_about, every_control_has_its_help, every_control_of_a_dialog_has_its_help,
         *OneWindow(arm).cases(escape_closes_what_is_unfolded_before_anything_else, every_message_is_read_in_whole,
         line_at_the_foot_says_what_the_mouse_does)]
