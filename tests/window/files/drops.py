# SPDX-License-Identifier: GPL-3.0-or-later
"""Files dropped on the window, and crashed sessions."""

import json

from harness import sinew
from driver import Window, arm, home


def view(folder, *lines):
    """The reports of a script."""
    script = folder / "script.txt"
    script.write_text("\n".join([*lines, "window quit", ""]), encoding="utf-8")
    printed = sinew("view", "--script", script, "--echo", "--size", "320x240", env=home(folder, drawn=False)).stdout
    return [json.loads(line.split(" ", 1)[1]) for line in printed.splitlines() if line.startswith("report {")]


def info(project):
    return json.loads(sinew("info", project, "--json").stdout)


def frames_of_as_many_points_become_a_target_of_the_clip_that_is_shown(folder):
    project = arm(folder)
    clip = info(project)["clips"][0]["name"]
    frames = folder / "played.pc2"
    sinew("export", project, "-o", frames, "--clip", clip)
    before = len(info(project)["targets"])
    report, = view(folder, f"window open {project}", f"window clip {clip}", f"window drop {frames}", "window report")
    assert report["path"] == str(project) and not report["alarmed"], report["message"]
    assert report["history"][-1] == "add target played", report["history"]
    targets = info(project)["targets"]
    assert len(targets) == before + 1
    assert [t["clip"] for t in targets if t["name"] == "played"] == [clip], targets


def frames_of_another_mesh_become_a_project_beside_them(folder):
    project = arm(folder)
    cloth, frames = folder / "cloth.sinew", folder / "walk"
    frames.mkdir()
    sinew("sample", "cloth", "-o", cloth)
    sinew("export", cloth, "-o", frames / "cloth_*.obj")
    assert len(list(frames.glob("*.obj"))) > 1
    first, second = view(folder, f"window open {project}", f"window drop {frames}/cloth_*.obj", "window report", f"window open {project}", f"window drop {frames}", "window report")
    assert first["path"] == str(frames / "cloth.sinew") and not first["alarmed"], first
    assert second["path"] == str(frames / "walk.sinew") and not second["alarmed"], second


def point_cache_without_a_mesh_says_what_it_needs(folder):
    cloth, frames = folder / "cloth.sinew", folder / "lonely.pc2"
    sinew("sample", "cloth", "-o", cloth)
    sinew("export", cloth, "-o", frames)
    script = folder / "lonely.txt"
    script.write_text(f"window drop {frames}\nwindow quit\n", encoding="utf-8")
    done = sinew("view", "--script", script, "--size", "320x240", env=home(folder, drawn=False), status=1)
    assert "rest.obj" in done.stderr and "Traceback" not in done.stderr, done.stderr


def session_that_fell_is_offered_until_it_is_left(folder):
    project = arm(folder)
    window = Window(folder, project)
    with window:
        window.report()
        window.kill()
    report, = view(folder, "window report")
    assert report["crashed"] == 1, report
    first, second = view(folder, "window report", "window forget-crashed", "window report")
    assert (first["crashed"], second["crashed"]) == (1, 0)
    report, = view(folder, "window report")
    assert report["crashed"] == 0
    window = Window(folder, project)
    with window:
        window.report()
        window.program.terminate()
        window.program.wait(timeout=60)
    report, = view(folder, "window report")
    assert report["crashed"] == 0, "a window that was asked to end has not crashed"


CASES = [frames_of_as_many_points_become_a_target_of_the_clip_that_is_shown, point_cache_without_a_mesh_says_what_it_needs,
         session_that_fell_is_offered_until_it_is_left]
LONG = [frames_of_another_mesh_become_a_project_beside_them]
