# SPDX-License-Identifier: GPL-3.0-or-later
"""Which pose to sculpt next, after sculpts whose groups the window has made, one for each joint: by a clip's target, and without one."""

import re

from harness import answer, sinew
from driver import Window, arm, draw_plainly, enter, opened, stroke

TALL = (1100, 1000)  # the whole right panel


def e_rms(words):
    return [float(number) for number in re.search(r"The E_RMS of the clip would fall from ([\d.]+) to ([\d.]+)\.", words).groups()]


def sculpt(window, pose, joint):
    enter(window, pose)
    state = stroke(window, joint, brush="Inflate")
    assert not state["alarmed"], state["message"]
    window.key("Tab", "posing")


def suggest(window):
    window.click("side/Suggest")
    window.wait("suggest")
    return window.report()


def frame_of_a_clip_is_suggested_and_an_example_without_a_clip(folder):
    project = arm(folder, fitted=False)
    for row in answer("example", project, "list")["examples"]:
        sinew("example", project, "remove", row["name"])
    for row in answer("group", project, "list")["groups"]:
        sinew("group", project, "remove", row["name"])
    for pose, joint in {"half": "elbow", "turned": "wrist"}.items():
        sinew("pose", project, "add", pose, "--rotate", f"{joint}=0,0,1")
    draw_plainly(folder)
    with (folder / "config" / "sinew" / "preferences").open("a", encoding="utf-8") as file:
        file.write("error-unit erms\n")
    with Window(folder, project, size=TALL) as window:
        sculpt(window, "half", "elbow")
        sculpt(window, "turned", "wrist")
        groups = window.report()["groups"]
        assert {name: row["joints"] for name, row in groups.items()} == {"Elbow": ["elbow"], "Wrist": ["wrist"]}, groups
        history = window.report()["history"]
        window.click("timeline/##clip")
        window.click("list/bend")
        window.wait("clip bend")
        state = suggest(window)
        found = re.match(r"Sculpt bend at ([\d.]+) s", state["message"])
        assert found and not state["alarmed"], state["message"]
        assert state["clip"] == "bend" and abs(state["seconds"] - float(found[1])) < 0.01, (state["clip"], state["seconds"])
        before, after = e_rms(state["message"])
        assert after < before, state["message"]
        assert state["history"] == history and set(state["groups"]) == set(groups)  # nothing has changed
        window.key("Tab", "posing")  # sculpted there, it joins the group of the joint that bends
        state = stroke(window, "elbow")
        assert not state["alarmed"] and len(state["groups"]["Elbow"]["examples"]) == 2, (state["groups"], state["message"])
        window.key("Tab", "posing")
        window.click("poses/half")
        window.wait("pose half")
        state = suggest(window)  # in a pose, without a clip
        assert state["message"].startswith("The other examples predict ") and not state["alarmed"], state["message"]


def from_palette(window, words):
    window.key("ctrl+p", "palette")
    window.report()
    window.tool("type", words)
    window.report()
    window.tool("key", "Return")


def frame_of_a_target_becomes_an_example(folder):
    project = arm(folder, fitted=False)
    frames = folder / "played.pc2"
    sinew("export", project, "-o", frames, "--clip", "twist")
    with opened(project, TALL) as window:
        window.report()
        from_palette(window, "add from target")
        state = window.report()
        assert state["alarmed"] and "No target has frames" in state["message"], state["message"]
        window.click("timeline/##clip")
        window.click("list/bend")
        window.wait("clip bend")
        window.scrub(0.3)
        window.click("side/Target")
        window.wait("example-target")
        state = window.report()
        assert state["history"][-1].startswith("add example ") and not state["alarmed"], state["message"]
        window.click("timeline/##clip")
        window.click("list/twist")
        window.wait("clip twist")
        from_palette(window, "add target")
        window.wait("target-add")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(frames)
        window.wait(f"target-add {frames}")
        state = window.report()
        assert state["history"][-1] == "add target played" and not state["alarmed"], (state["history"], state["message"])
    assert [row["clip"] for row in answer("info", project)["targets"] if row["name"] == "played"] == ["twist"]


CASES = [frame_of_a_clip_is_suggested_and_an_example_without_a_clip]
LONG = [frame_of_a_target_becomes_an_example]
