# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in other scripts: each character is drawn by a font of the system, or as a box with its number, and none is lost in typing."""

from harness import sinew
from driver import Window, arm

NAMES = ("日", "本", "🦾", "🦿", "ж", "ł", "?")


def rows(window, state):
    """The pixels of the poses' names."""
    picture = window.picture()
    parts = []
    for name in NAMES:
        x, y, width, height = map(round, state["widgets"]["poses/" + name])
        parts.append(bytes(b"".join(picture.part(x, y, x + min(width, 40), y + height).rows)))
    return parts


def characters_beyond_the_font_are_distinguished(folder):
    project = arm(folder)
    for name in ("elbow-130", "wrist-150", "both"):
        sinew("example", project, "remove", name, status=None)
        sinew("pose", project, "remove", name, status=None)
    for name in NAMES:
        sinew("pose", project, "add", name, "--rotate", "elbow=0,0,1")
    (folder / "none.conf").write_text('<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
    for env in ({}, {"FONTCONFIG_FILE": str(folder / "none.conf")}):  # the fonts that are here; none
        with Window(folder, project, env=env, size=(1000, 800), drawn=True) as window:
            state = window.report()
            if env:
                assert "fonts-noto-cjk" in state["message"] and not state["alarmed"], state["message"]
            shown = rows(window, state)
            assert len(set(shown)) == len(NAMES), [len(set(shown)), env]
            if env:  # it is said once
                window.key("g", "grid")
                assert window.report()["message"] == ""


def characters_survive_a_change_of_the_name(folder):
    project = arm(folder)
    sinew("pose", project, "add", "🦾 日 \ue000", "--rotate", "elbow=0,0,1")
    with Window(folder, project) as window:
        window.click("poses/🦾 日 \ue000", 3)
        window.report()
        window.click("popup/Rename")
        window.report()
        window.tool("key", "End")
        window.tool("type", "x")
        window.report()
        window.tool("key", "Return")
        assert window.wait("pose-name") == "pose-name 🦾 日 \ue000x"
        assert window.report()["pose"] == "🦾 日 \ue000x"


CASES = [characters_beyond_the_font_are_distinguished, characters_survive_a_change_of_the_name]
