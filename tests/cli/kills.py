#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of sixteen verbs that are killed at random moments: after each the project opens, and it can be undone, redone and changed.
The argument is how many are killed."""

import random
import shutil
import subprocess
import sys
import time

from harness import SINEW, answer, random_seed, run, sinew, tiny_arm

KILLS = int(sys.argv[2])

# The words of each verb for a project and a folder to write to.
VERBS = {
    "sample": lambda project, out: ("sample", "small-arm", "-o", out / "s.sinew"),
    "import": lambda project, out: ("import", out.parent / "arm.glb", "-o", out / "i.sinew"),
    "joint": lambda project, out: ("joint", project, "add", "killed", "--at", "0,0,0"),
    "pose": lambda project, out: ("pose", project, "add", "killed", "--rotate", "elbow=0,0,0.5"),
    "example": lambda project, out: ("example", project, "mute", answer("example", project, "list")["examples"][0]["name"]),
    "group": lambda project, out: ("group", project, "add", "killed", "--joints", "elbow"),
    "target": lambda project, out: ("target", project, "add", "--clip", "bend", "--file", out.parent / "bend.pc2"),
    "stack": lambda project, out: ("stack", project, "add", "delta-mush"),
    "fit": lambda project, out: ("fit", "inverse-psd", project),
    "fit -o": lambda project, out: ("fit", "linear-blend-fit", project, "-o", out / "f.sinew"),
    "bake": lambda project, out: ("bake", project, "-o", out / "b.sinew"),
    "export": lambda project, out: ("export", project, "-o", out / "e.glb"),
    "measure": lambda project, out: ("measure", project),
    "weights": lambda project, out: ("weights", project, "prune", "--influences", "2"),
    "undo": lambda project, out: ("undo", project),
    "mesh": lambda project, out: ("mesh", project, "subdivide"),
}


def prepare(folder):
    project = tiny_arm(folder / "start.sinew", fitted=True)
    sinew("pose", project, "add", "one more step")
    sinew("export", project, "-o", folder / "arm.glb")
    sinew("export", project, "--clip", "bend", "-o", folder / "bend.pc2")
    return project


def kill_one(verb, start, folder, seconds):
    """Kills a verb after that time; whether it was still at work."""
    project, out = folder / "p.sinew", folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    for left in folder.glob("p.sinew*"):
        left.unlink()
    shutil.copy(start, project)
    process = subprocess.Popen([SINEW, *map(str, VERBS[verb](project, out))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    is_killed = process.poll() is None
    process.kill()
    process.wait()
    for path in (project, *out.glob("*.sinew")):
        assert sinew("info", path, status=None).returncode in (0, 4), path  # a layer that is not refitted may be left out
    labels = [row["label"] for row in answer("history", project)["history"]]
    sinew("undo", project)
    sinew("redo", project)
    assert [row["label"] for row in answer("history", project)["history"]] == labels, (verb, labels)
    sinew("pose", project, "add", "after")
    return is_killed


def seconds_of(verb, start, folder):
    timed, out = shutil.copy(start, folder / "timed.sinew"), folder / "timed"
    out.mkdir(exist_ok=True)
    words = VERBS[verb](timed, out)
    begun = time.monotonic()
    sinew(*words)
    return time.monotonic() - begun


def project_survives_every_kill(folder):
    start = prepare(folder)
    random.seed(random_seed())
    killed = 0
    took = {}
    for i in range(KILLS):
        verb = list(VERBS)[i % len(VERBS)]
        if verb not in took:
            took[verb] = seconds_of(verb, start, folder)
        killed += kill_one(verb, start, folder, random.uniform(0, took[verb]))
    print(f"{KILLS} commands: {killed} were killed at work, the others had ended", flush=True)
    assert killed > 0


def change_without_its_refit_can_be_looked_at(folder):
    """As after a kill between the two."""
    project = tiny_arm(folder / "p.sinew", fitted=True)
    sinew("joint", project, "add", "more", "--at", "0,0,0", env={"SINEW_WORKER": "/bin/false"})
    shown = answer("info", project, status=4)
    assert len(shown["joints"]) == 4 and shown["summary"]["stale"] == ["inverse-psd"], shown
    assert [row["layer"] for row in shown["left_out"]] == ["inverse-psd"], shown
    sinew("undo", project)
    assert answer("info", project)["summary"]["stale"] == []


if __name__ == "__main__":
    run([change_without_its_refit_can_be_looked_at, project_survives_every_kill])
