# SPDX-License-Identifier: GPL-3.0-or-later
"""Work whose time grows with the size of the character is done in the background. The report names each such job when it has finished."""

import json

from harness import obj_points, sinew
from limbs import limbs
from driver import arm, home


def view(folder, *lines):
    """The reports of a script."""
    script = folder / "script.txt"
    script.write_text("\n".join([*lines, "window quit", ""]), encoding="utf-8")
    printed = sinew("view", "--script", script, "--echo", "--size", "320x240", env=home(folder, drawn=False)).stdout
    return [json.loads(line.split(" ", 1)[1]) for line in printed.splitlines() if line.startswith("report {")]


def came_back(report, job):
    return report["redraw_milliseconds"].get(job, {"redraws": 0})["redraws"]


STROKE = ("window frame", "window posing", "window brush inflate", "window radius 12", "window stroke 0.5 0.53 1 0", "window dab 0.55 0.53 1", "window stroke-end")


def session_follows_undo_and_redo_in_the_background(folder):
    project = limbs(folder)
    stroked, undone, redone = view(folder, f"window open {project}", "window pose bent", *STROKE, "window report", "undo", "window report", "redo", "window report")
    assert not stroked["alarmed"] and stroked["undo"] == "inflate bent", (stroked["undo"], stroked["message"])
    assert came_back(stroked, "preparing the mesh") == 1
    follows = [came_back(report, "updating the sculpted mesh") for report in (stroked, undone, redone)]
    assert follows[0] >= 1 and follows[1] > follows[0] and follows[2] > follows[1], follows
    assert redone["sculpting"] and not redone["alarmed"] and not redone["busy"], redone["message"]


def strokes_wait_for_a_session_that_is_away(folder):
    """One that begins in the moment after undo is not lost, and stands on what undo brought back."""
    project = limbs(folder)
    report, = view(folder, f"window open {project}", "window pose bent", *STROKE, "undo", *STROKE[4:], "window report")
    assert report["undo"] == "inflate bent" and not report["alarmed"], report["history"]
    once, again = folder / "once.obj", folder / "again.obj"
    sinew("export", project, "-o", once, "--pose", "bent")
    sinew("undo", project)
    view(folder, f"window open {project}", "window pose bent", *STROKE, "window report")
    sinew("export", project, "-o", again, "--pose", "bent")
    apart = max(abs(a - b) for p, q in zip(obj_points(once), obj_points(again)) for a, b in zip(p, q))
    assert apart < 1e-5, apart


def scale_of_errors_is_found_in_the_background_once_for_a_clip(folder):
    project = arm(folder)
    clip = json.loads(sinew("info", project, "--json").stdout)["targets"][0]["clip"]
    first, second = view(folder, f"window open {project}", f"window clip {clip}", "window heat", "window report", "window step 1", "window step 1", "window report")
    assert came_back(first, "finding the scale of the errors") == 1 and not first["alarmed"], first["message"]
    assert came_back(second, "finding the scale of the errors") == 1


def example_is_added_from_what_is_shown_by_the_job_thread(folder):
    """Muting the corrective shows the skin without it; updating the example keeps that."""
    project = arm(folder)
    sinew("pose", project, "add", "half", "--rotate", "elbow=0,0,0.7")
    sinew("export", project, "-o", folder / "before.obj", "--pose", "half")
    report, = view(folder, f"window open {project}", "window pose half", "example add --name halfway", "window report")
    assert "halfway" in report["examples"] and not report["alarmed"], report["message"]
    sinew("export", project, "-o", folder / "after.obj", "--pose", "half")
    before, after = obj_points(folder / "before.obj"), obj_points(folder / "after.obj")
    apart = max(abs(a - b) for p, q in zip(before, after) for a, b in zip(p, q))
    assert apart < 1e-5, apart


CASES = [session_follows_undo_and_redo_in_the_background, strokes_wait_for_a_session_that_is_away,
         scale_of_errors_is_found_in_the_background_once_for_a_clip, example_is_added_from_what_is_shown_by_the_job_thread]
