# SPDX-License-Identifier: GPL-3.0-or-later
"""The window and files: scripts, and dropped sculpts."""

import shutil

from contents import contents
from harness import answer, sinew, tiny_arm
from driver import arm, home


def script_does_again_what_was_recorded(folder):
    project = arm(folder, fitted=False)
    script = folder / "bend.txt"
    script.write_text("# the elbow\nwindow joint elbow\npose set --rotate elbow=0,0,1.57\npose add bent\nwindow posing\nwindow brush inflate\nwindow radius 6\n"
                      "window stroke 0.425 0.4 1\nwindow dab 0.43 0.42 1\nwindow stroke-end\nwindow picture shown.png\nwindow write-script\nwindow quit\n")
    twice = [folder / "one", folder / "two"]
    for place in twice:
        place.mkdir()
        if place is twice[1]:  # what was recorded ends where it was written, before the end
            again = folder / "again.txt"
            again.write_text((twice[0] / "arm-session-1.txt").read_text() + "window quit\n")
        copy = shutil.copy(project, place / "arm.sinew")
        sinew("view", copy, "--script", script if place is twice[0] else again, "--size", "900x600", cwd=place,
              env=home(place, drawn=False))
    lists = [[row["label"] for row in answer("history", place / "arm.sinew")["history"]] for place in twice]
    assert len(lists[0]) == len(lists[1]) and lists[0][-1] == lists[1][-1] == "inflate bent", lists
    assert contents(twice[0] / "arm.sinew") == contents(twice[1] / "arm.sinew")
    assert (twice[1] / "shown.png").exists()


def operators_of_a_session_make_the_same_project_without_a_window(folder):
    """What is chosen and shown completes a line of a script; what is recorded needs neither."""
    project = tiny_arm(folder / "arm.sinew")
    copy = shutil.copy(project, folder / "again.sinew")
    clip = answer("info", project)["clips"][0]["name"]
    before = answer("pose", project, "list")["poses"]
    script = folder / "script.txt"
    script.write_text("\n".join([
        f"window clip {clip}", "window seek 0.3", "pose set --rotate elbow=0,0,0.5", "pose set --reset wrist", "pose add \"of a clip\"",
        "window pose elbow-130", "pose set --rotate wrist=0,0,0.25", "window joint elbow", "joint limit --degrees 90", "joint moves",
        "pose set --move elbow=0.01,0,0", "window pose-copy", "pose set --rotate elbow=0,0,1", "window pose rest", "pose add straight",
        "window example elbow-130", "example name --new bend", "example mute", "weights prune --influences 1", "undo", "save", "joint limit --degrees 70", "weights prune --influences 2",
        "window revert", "window history 14", f"window clip {clip}", "window seek 0.2", "example add", "window pose straight", "pose set --rotate wrist=0,0,0.7", "example add",
        "example update bend",
        "window fit", "window bake influences=1", "window bake-show 0", "window bake-keep",
        "window write-script", "window quit", ""]))
    sinew("view", project, "--script", script, "--size", "600x400", cwd=folder, env=home(folder, drawn=False))
    recorded = (folder / "arm-session-1.txt").read_text().splitlines()
    for line in (f"pose add --name=unnamed --from={clip}:0.3 --rotate=elbow=0,0,0.5", "pose set --pose=unnamed --reset=wrist",
                 "pose name --pose=unnamed --new='of a clip'", "redo", "pose add --name=straight --from=rest", "example mute --example=bend", "fit --method=inverse-psd",
                 "bake --budget=influences=1,joints=255,helpers=0,proxies=0,morphs=0 --for=any --skin='1 influence, 0 morphs'"):
        assert line in recorded, recorded
    operators = folder / "operators.txt"
    operators.write_text("\n".join(line for line in recorded if not line.startswith("window ")) + "\n")
    sinew("do", copy, operators)
    assert len(answer("pose", copy, "list")["poses"]) == len(before) + 4
    assert contents(copy) == contents(project)


def sculpt_dropped_on_an_example_becomes_it(folder):
    project = arm(folder, fitted=False)
    sculpt, script = folder / "sculpt.obj", folder / "drop.txt"
    sinew("export", project, "-o", sculpt, "--pose", "rest")  # as good as any: it differs from the skin in the example's pose
    script.write_text(f"window example elbow-130\nwindow drop {sculpt}\nwindow quit\n")
    before = [row["label"] for row in answer("history", project)["history"]]
    sinew("view", project, "--script", script, cwd=folder, env=home(folder, drawn=False))
    after = [row["label"] for row in answer("history", project)["history"]]
    assert after[:len(before)] == before and len(after) == len(before) + 1, after


CASES = [script_does_again_what_was_recorded, operators_of_a_session_make_the_same_project_without_a_window,
         sculpt_dropped_on_an_example_becomes_it]
