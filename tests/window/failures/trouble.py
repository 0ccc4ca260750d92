# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures around a window: endless fits, full disks, files that cannot be written, missing fonts. Each gives one clear message, loses
nothing, and the window continues."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

from harness import SINEW, Skip, answer
from limbs import limbs
from driver import Window


def among_mounts(*commands):
    """Words before a program that see to it that it finds other file systems than everybody else; no privileges are needed."""
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", " && ".join(["set -e", *commands, 'exec "$0" "$@"'])]
    if not shutil.which("unshare") or subprocess.run([*words, "true"], capture_output=True, check=False).returncode != 0:
        raise Skip("no mounts of one's own here (unshare)")
    return words


def seen_by(window, path):
    """Where that path of the window's mounts lies for everybody else."""
    return Path(f"/proc/{window.program.pid}/root{path}")


def fit_that_is_cancelled_leaves_things_as_they_were_and_the_window_alive(folder):
    project = limbs(folder)
    before = project.read_bytes()
    here = Path(os.environ.get("SINEW_PLUGIN_PATH", Path(SINEW).parents[2] / "deformers"))
    waits = here.parent / "tests" / "plugin" / "small-waits-for-stop.so"
    with Window(folder, project, env={"SINEW_PLUGIN_PATH": f"{here}:{waits}"}) as window:
        start = window.report()
        window.click("side/Stack")
        window.wait("tab 1")
        window.choose_method("Small")
        window.wait("fit test-small")
        state = window.report_at_once()
        while "side/Cancel" not in state["widgets"]:
            state = window.report_at_once()
        # It turns and plays while it is fitted.
        for _ in range(5):
            window.drag(window.middle(state), [(10, 0)], button=2)
            window.wait("orbit")
        window.key("space", "play")
        looked = state
        while looked["redraws"] < state["redraws"] + 20 or not looked["seconds"] > start["seconds"]:
            looked = window.report_at_once()
        window.key("space", "play")
        assert looked["busy"]
        window.click("side/Cancel", state=looked)
        window.wait("cancel")
        state = window.report()
        assert "cancelled" in state["message"] and not state["alarmed"], state["message"]
        assert all(state[key] == start[key] for key in ("history", "layers", "examples", "undo", "saved"))
    assert project.read_bytes() == before


def stroke(window):
    x, y, _, _ = window.report()["joints"]["lower_l"]
    window.drag((x, y), [(0, -5), (0, -5)])
    window.wait("stroke-end")
    return window.report()


def full_disk_is_reported_and_costs_nothing_that_was_saved(folder):
    """A stroke that cannot be stored is taken back: another mesh can be selected, and later strokes are stored."""
    project = limbs(folder, dressed=True)
    disk, filler = folder / "disk", folder / "disk" / "filler"
    disk.mkdir()
    inside = among_mounts(f"mount -t tmpfs -o size=64m none {shlex.quote(str(disk))}",
                          f"cp {shlex.quote(str(project))} {shlex.quote(str(disk))}")
    with Window(folder, disk / project.name, inside=inside) as window:
        window.click("poses/bent")
        window.wait("pose bent")
        window.key("Tab", "posing")
        finished = stroke(window)
        assert finished["undo"] == "grab bent" and not finished["alarmed"], finished["message"]
        with open(seen_by(window, filler), "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass
        full = stroke(window)
        assert full["alarmed"] and "full" in full["message"], full["message"]
        assert full["history"] == finished["history"] and full["examples"] == finished["examples"]
        window.click("outliner/sleeve##mesh")
        window.wait("mesh sleeve")
        window.click("outliner/limbs##mesh")
        window.wait("mesh limbs")
        seen_by(window, filler).unlink()
        again = stroke(window)
        assert not again["alarmed"] and again["history"] == finished["history"] + ["grab bent"], again["message"]
        shutil.copy(seen_by(window, disk / project.name), folder / "after.sinew")
    assert [row["label"] for row in answer("history", folder / "after.sinew")["history"]] == again["history"]


def copies_that_do_not_fit_on_the_disk_leave_the_session_where_it_is(folder):
    """Save as, Export, and a picture."""
    project = limbs(folder)
    disk = folder / "disk"
    disk.mkdir()
    inside = among_mounts(f"mount -t tmpfs -o size=16k none {shlex.quote(str(disk))}")
    with Window(folder, project, inside=inside) as window:
        start = window.report()
        for key, command, name in (("ctrl+shift+s", "save-as", "copy.sinew"), ("ctrl+e", "export", "out.glb"), ("ctrl+e", "export", "pose.obj")):
            window.key(key, command)
            window.report()
            window.tool("key", "ctrl+a")
            window.write(disk / name)
            window.wait(command + " ")
            state = window.report()
            message = state["message"]
            assert state["alarmed"] and name in message and ("full" in message or "space" in message), message
            assert all(state[key] == start[key] for key in ("path", "history", "undo")) and state["dialog"] == 0, message
            assert not list(seen_by(window, disk).iterdir()), "a part of the file is left"
        window.click("outliner/lower_l")
        window.type_into("side/z##rotation", 30)
        window.wait("rotate ")
        assert window.report()["undo"] == "rotate lower_l"


def read_only_folder_is_looked_at_and_saved_elsewhere(folder):
    project = limbs(folder)
    locked = folder / "locked"
    locked.mkdir()
    shutil.move(project, locked)
    before = (locked / project.name).read_bytes()
    where = shlex.quote(str(locked))
    inside = among_mounts(f"mount --bind {where} {where}", f"mount -o remount,bind,ro {where}")
    with Window(folder, locked / project.name, inside=inside) as window:
        state = window.report()
        assert state["alarmed"] and "read-only" in state["message"], state["message"]
        window.click("outliner/lower_l")
        window.type_into("side/z##rotation", 30)
        window.wait("rotate ")
        refused = window.report()
        assert refused["alarmed"] and refused["history"] == state["history"], refused["message"]
        window.key("ctrl+shift+s", "save-as")
        window.report()
        window.tool("key", "ctrl+a")
        window.write(folder / "mine.sinew")
        window.wait("save-as ")
        state = window.report()
        assert state["path"] == str((folder / "mine.sinew").resolve()) and not state["alarmed"], (state["path"], state["message"])
        window.click("outliner/lower_l")
        window.type_into("side/z##rotation", 30)
        window.wait("rotate ")
        assert window.report()["undo"] == "rotate lower_l"
    assert (locked / project.name).read_bytes() == before


def missing_fonts_leave_letters_and_say_so(folder):
    inside = among_mounts("mount -t tmpfs none /usr/share/fonts")
    with Window(folder, limbs(folder), inside=inside) as window:
        state = window.report()
        assert "font" in state["message"], state["message"]
        window.click("poses/bent")  # what is written is smaller, and where it should be
        window.wait("pose bent")


CASES = [fit_that_is_cancelled_leaves_things_as_they_were_and_the_window_alive,
         full_disk_is_reported_and_costs_nothing_that_was_saved,
         copies_that_do_not_fit_on_the_disk_leave_the_session_where_it_is, read_only_folder_is_looked_at_and_saved_elsewhere,
         missing_fonts_leave_letters_and_say_so]
