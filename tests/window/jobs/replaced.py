# SPDX-License-Identifier: GPL-3.0-or-later
"""A result from the background that arrives after its character was replaced is dropped. The second argument is the window of
held.c, whose refinements end when a file exists."""

import sys
from pathlib import Path

from harness import sample_arm, sinew
from driver import Window

HELD = str(Path(sys.argv[2], "window", "test-window-held").resolve())


def other_faces_of_the_arm(folder):
    """A character with as many points as the sample arm: the renderer cannot tell that its refined mesh is not the arm's."""
    path = folder / "other.obj"
    sinew("export", sample_arm(folder / "exported.sinew", sample="arm"), "-o", path, "--pose", "rest")
    lines = path.read_text(encoding="utf-8").splitlines()
    faces = [line.split()[1:] for line in lines if line.startswith("f ")]
    halves = [f"f {' '.join(half)}" for face in faces for half in (face[:3], [face[2], *face[3:], face[0]]) if len(half) > 2]
    path.write_text("\n".join([line for line in lines if not line.startswith("f ")] + halves) + "\n", encoding="utf-8")
    return path


def at_once(window, condition):
    """The first state that satisfies the condition, while a job is under way."""
    state = window.report_at_once()
    while not condition(state):
        state = window.report_at_once()
    return state


def refined_mesh_of_a_replaced_character_is_not_shown(folder):
    release = folder / "release"
    with Window(folder, other_faces_of_the_arm(folder), program=(HELD,), env={"SINEW_TEST_RELEASE": str(release)}, drawn=True) as window:
        assert window.report()["path"].endswith("other.sinew")
        window.click("side/View")
        window.wait("tab 2")
        window.click("side/Twice")
        window.wait("refined")
        item = "##Menu_00/New sample arm"
        window.click("##MainMenuBar/File", state=window.report_at_once())
        window.click(item, state=at_once(window, lambda state: item in state["widgets"]))
        window.wait("sample")
        at_once(window, lambda state: state["path"].endswith("arm.sinew"))
        window.key("alt+shift+r", "pose-reset")  # the next document has the same meshes
        state = at_once(window, lambda state: state["undo"] == "reset all joints")
        assert state["busy"] and not state["alarmed"], state["message"]
        release.touch()
        state = window.report()
        assert state["undo"] == "reset all joints" and not state["alarmed"], (state["undo"], state["message"])
        x, y = window.middle()
        window.point(x, 2 * y)  # nothing there is drawn differently under the mouse
        arrived = window.picture()
        window.click("side/Off")
        window.wait("subdivide 0")
        window.point(x, 2 * y)
        different = window.changed(arrived, window.picture())
        assert different == 0, different


CASES = [refined_mesh_of_a_replaced_character_is_not_shown]
