# SPDX-License-Identifier: GPL-3.0-or-later
"""A plug-in that is built again while the window is open: the window shows its new version, with the layer's settings and its fitted model.
If the new version cannot be loaded or used, the previous one stays active, and a message says why."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from harness import sinew
from limbs import limbs
from driver import PATIENCE, Window

PLUGINS = Path(sys.argv[2]) / "plugin"
SOURCES = Path(__file__).parents[3]


def built(name):
    return PLUGINS / f"small-{name}.so"


def place(folder, name):
    """A new file in the place of the old one, as `sinew plugin build` and linkers make it."""
    made = folder / "plugins" / "new"
    shutil.copy(built(name), made)
    os.replace(made, folder / "plugins" / "mine.so")


def begin(folder):
    """A project with a fitted layer, a setting, and an environment with the folder of the plug-in."""
    (folder / "plugins").mkdir()
    place(folder, "good")
    env = {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder / 'plugins'}"}
    project = limbs(folder)
    sinew("fit", "test-small", project, "--layer", "bulge", "--set", "height=0.4", env=env)
    return project, env


def wait_for_message(window, words):
    """The state once the status line has these words. Nothing else tells when a file has been found."""
    end = time.monotonic() + PATIENCE
    while True:
        state = window.report()
        if words in state["message"]:
            return state
        assert time.monotonic() < end, f"'{words}' was never shown: {state['message']}"


def new_version_is_shown_with_its_settings_and_its_model(folder):
    project, env = begin(folder)
    before = project.read_bytes()
    with Window(folder, project, env=env, drawn=True) as window:
        state, old = window.report(), window.picture()
        place(folder, "sinks")
        placed = time.monotonic()
        after = wait_for_message(window, "Loaded the new version of Small.")
        print(f"shown {time.monotonic() - placed:.2f} s after it was placed")
        assert not after["alarmed"] and after["layers"] == state["layers"] and after["history"] == state["history"]
        assert window.changed(old, window.picture()) > 1000
        place(folder, "good")
        window.click("poses/bent")
        window.wait("pose bent")
        wait_for_message(window, "Loaded the new version of Small.")
        window.click("poses/rest")
        window.wait("pose rest")
        window.report()
        assert window.changed(old, window.picture()) == 0
    assert project.read_bytes() == before
    assert os.listdir(folder / "plugins") == ["mine.so"]  # no copy outlasts the window


def version_that_cannot_be_used_leaves_the_one_before_it(folder):
    project, env = begin(folder)
    with Window(folder, project, env=env, drawn=True) as window:
        window.report()
        old = window.picture()
        # Written in place, into the file that a program without copies would be running.
        shutil.copy(built("no-fit"), folder / "plugins" / "mine.so")
        state = wait_for_message(window, "'fit' is missing, and every deformer needs it. The previous version stays active.")
        assert state["alarmed"] and window.changed(old, window.picture()) == 0
        place(folder, "aborts-on-load")
        wait_for_message(window, "it crashes while it is loaded (")
        place(folder, "other-model")
        state = wait_for_message(window, "the new Small cannot show this character: ")
        assert state["alarmed"] and "The previous version stays active." in state["message"], state["message"]
        assert window.changed(old, window.picture()) == 0
        place(folder, "sinks")
        wait_for_message(window, "Loaded the new version of Small.")
        assert window.changed(old, window.picture()) > 1000


def layer_that_failed_is_shown_again_with_a_version_that_does_not(folder):
    project, env = begin(folder)
    place(folder, "fails-in-deform")
    with Window(folder, project, env=env) as window:
        assert window.report()["left_out"] == ["bulge"]
        place(folder, "good")
        assert wait_for_message(window, "Loaded the new version of Small.")["left_out"] == []


def compile_shared(path, source, *options):
    path.parent.mkdir(exist_ok=True)
    made = path.with_suffix(".new")
    subprocess.run([*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-O1", "-o", made, source, *options], check=True)
    os.replace(made, path)


def place_with_neighbours(folder, *options):
    """A plug-in that needs a library beside it, one in a folder beside its own, and a file beside it."""
    plugins, far = folder / "plugins", folder / "far"
    for name, library, number in (("near", plugins / "libnear.so", 1), ("far", far / "libfar.so", 2)):
        source = folder / f"{name}.c"
        source.write_text(f"int small_{name}(void);\nint small_{name}(void) {{ return {number}; }}\n")
        if not library.exists():
            compile_shared(library, source, *(["-Wl,-soname,libfar.so"] if name == "far" else []))
    (plugins / "near.txt").write_text("")
    compile_shared(plugins / "mine.so", SOURCES / "tests" / "plugin" / "small" / "small.c", "-std=c11", "-D_GNU_SOURCE", "-fvisibility=hidden",
                   "-DSMALL_NEEDS_NEIGHBOURS", f"-I{SOURCES / 'plugins' / 'include'}", f"-I{SOURCES / 'plugins' / 'runtime'}", *options,
                   f"-L{plugins}", "-lnear", f"-L{far}", "-lfar", "-Wl,-rpath,$ORIGIN:$ORIGIN/../far", "-lm", "-ldl")


def new_version_finds_its_libraries_and_what_is_beside_it(folder, in_process=""):
    project, env = begin(folder)
    place_with_neighbours(folder)
    env["SINEW_PLUGINS_IN_PROCESS"] = in_process
    with Window(folder, project, env=env, drawn=True) as window:
        assert window.report()["left_out"] == []
        old = window.picture()
        place_with_neighbours(folder, '-DSMALL_STAMP="sinks"')
        after = wait_for_message(window, "Loaded the new version of Small.")
        assert not after["alarmed"] and window.changed(old, window.picture()) > 1000
    assert not [name for name in os.listdir(folder / "plugins") if name.startswith(".")]


def new_version_in_the_process_finds_its_libraries_and_what_is_beside_it(folder):
    new_version_finds_its_libraries_and_what_is_beside_it(folder, in_process="1")


def plugin_that_is_installed_meanwhile_can_be_added(folder):
    project, env = begin(folder)
    (folder / "plugins" / "mine.so").unlink()
    with Window(folder, project, env=env) as window:
        window.click("side/Stack")
        window.wait("tab 1")
        place(folder, "good")
        wait_for_message(window, "Loaded the new version of Small.")
        window.click("side/##add-layer")
        assert any(name.endswith("/Small") for name in window.report()["widgets"])
        window.tool("key", "Escape")


CASES = [new_version_is_shown_with_its_settings_and_its_model, version_that_cannot_be_used_leaves_the_one_before_it,
         layer_that_failed_is_shown_again_with_a_version_that_does_not, new_version_finds_its_libraries_and_what_is_beside_it,
         plugin_that_is_installed_meanwhile_can_be_added]
LONG = [new_version_in_the_process_finds_its_libraries_and_what_is_beside_it]
