#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plug-ins that crash in the program itself: one line names the plug-in, and nothing is damaged."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import SINEW, answer, refusal, run, sample_arm, sinew

PLUGINS = Path(sys.argv[2])


def beside_ours(folder, name):
    """An environment with the shipped plug-ins and one of the tests'."""
    shutil.copy(PLUGINS / f"small-{name}.so", folder)
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder}"}


def with_layer(folder, good):
    """A project with a layer of the tests' plug-in that is called so, and its environment; another may take its place."""
    env = beside_ours(folder, good)
    project = folder / "p.sinew"
    sample_arm(project)
    sinew(*(("stack", project, "add", "test-small") if good == "binds" else ("fit", "test-small", project)), env=env)
    return project, env


def replaced(folder, env, good, name):
    (folder / f"small-{good}.so").unlink()
    shutil.copy(PLUGINS / f"small-{name}.so", folder)
    return env


def ends_with_words(verb, project, env, *words):
    """The verb ends with a line that has those words, with status 1, and the way out that it names is one."""
    result = sinew(*verb, env=env, status=1)
    # Other threads may write theirs behind it: several can throw at once, and the C++ library says so for each.
    line = next((line for line in result.stderr.splitlines() if "test-small" in line), "")
    for word in ("test-small", "mute", *words):
        assert word in line, f"{word}: {result.stderr}"
    sinew("stack", project, "mute", "test-small", env=env)
    sinew("measure", project, env=env)


def crash_in_deform_names_the_deformer_and_what_to_do(folder):
    env = beside_ours(folder, "crashes-in-deform")
    project = folder / "p.sinew"
    sample_arm(project)
    # The fit itself goes well; its error is measured by running it.
    lines = sinew("fit", "test-small", project, env=env, status=1).stderr.splitlines()
    assert "crashed in deform" in lines[-2] and lines[-1] == f"sinew: what this command changed before that is in {project}", lines
    before = project.read_bytes()
    output = folder / "out.obj"
    for words in (("measure", project), ("export", project, "--pose", "rest", "-o", output)):
        line = refusal(*words, env=env)
        assert "test-small" in line and "crashed in deform" in line and "mute" in line, line
    assert project.read_bytes() == before
    assert not output.exists()
    # The way out that the line names is one.
    sinew("stack", project, "mute", "test-small", env=env)
    sinew("measure", project, env=env)


def exit_overflow_and_throw_in_deform_are_named(folder):
    project, env = with_layer(folder, "good")
    held = "good"
    for name, words in (("exits-in-deform", ("ended the program in deform", "(exit())")),
                        ("exits-at-once-in-deform", ("ended the program in deform", "(_exit())")), ("overflows-in-deform", ("crashed in deform", "stack overflowed")),
                        ("throws-in-deform", ("crashed in deform", "abort()"))):
        replaced(folder, env, held, name)
        held = name
        ends_with_words(("measure", project), project, env, *words)
        sinew("undo", project, env=env)


def line_names_the_layer_and_what_to_do(folder):
    env = beside_ours(folder, "good")
    project = folder / "p.sinew"
    sample_arm(project)
    sinew("fit", "test-small", project, "--layer", "bulge", env=env)
    held = "good"
    env["SINEW_PLUGIN_SECONDS"] = "1"
    for name, function in (("crashes-in-deform", "deform"), ("exits-in-deform", "deform"), ("hangs-in-drive", "drive"), ("hangs-in-load", "load")):
        replaced(folder, env, held, name)
        held = name
        line = next(line for line in sinew("measure", project, env=env, status=1).stderr.splitlines() if "test-small" in line)
        assert f"{function} of layer 'bulge'" in line and "mute bulge'" in line, line


def layer_that_fails_is_named_with_what_to_do(folder):
    env = beside_ours(folder, "good")
    project = folder / "p.sinew"
    sample_arm(project)
    sinew("fit", "test-small", project, "--layer", "bulge", env=env)
    held = "good"
    for name, words in (("fails-in-drive", "driving"), ("fails-in-prepare", "preparing"), ("fails-in-deform", "deforming"),
                        ("deforms-to-nan", "not finite"), ("drives-to-infinity", "not finite"), ("never-ends-its-passes", "more than 10000")):
        replaced(folder, env, held, name)
        held = name
        line = sinew("measure", project, env=env, status=1).stderr
        assert "layer 'bulge' (test-small)" in line and words in line and "mute bulge'" in line, line


def fit_that_binds_and_fails_leaves_the_project_usable(folder):
    project, env = with_layer(folder, "binds")
    env["SINEW_PLUGIN_SECONDS"] = "1"
    held = "binds"
    for name, words in (("aborts", ("crashed in fit", "abort()")), ("throws", ("crashed in fit", "abort()")),
                        ("hangs", ("not returned from fit", "1 seconds"))):
        replaced(folder, env, held, f"binds-and-{name}")
        held = f"binds-and-{name}"
        ends_with_words(("measure", project), project, env, *words)
        sinew("undo", project, env=env)


def calls_without_end_are_named_and_ended(folder):
    project, env = with_layer(folder, "good")
    env["SINEW_PLUGIN_SECONDS"] = "1"
    held = "good"
    for function in ("load", "drive", "deform"):
        replaced(folder, env, held, f"hangs-in-{function}")
        held = f"hangs-in-{function}"
        ends_with_words(("measure", project), project, env, f"not returned from {function}", "1 seconds")
        sinew("undo", project, env=env)


def fits_in_the_program_end_when_they_report_nothing(folder):
    """Those of a comparison: one that hangs is named, and one that reports goes on until it is stopped."""
    project, page = sample_arm(folder / "p.sinew"), folder / "page.html"
    words = ("compare", project, "--train", "bend", "--test", "twist", "--methods", "test-small", "-o", page)
    env = beside_ours(folder, "hangs") | {"SINEW_PLUGIN_SECONDS": "1"}
    line = sinew(*words, env=env, status=1).stderr
    assert "test-small has reported nothing in fit" in line and "for 1 seconds" in line, line
    (folder / "small-hangs.so").unlink()
    env |= beside_ours(folder, "waits-for-stop")
    process = subprocess.Popen([SINEW, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **env})
    time.sleep(2.5)
    assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "cancelled" in errors, (process.returncode, errors)


def files_that_fail_while_they_are_loaded_are_listed_with_the_reason(folder):
    rows = {"aborts-on-load": "crashes", "exits-on-load": "ends the program", "crashes-on-unload": "crashes"}
    for name in (*rows, "good"):
        env = beside_ours(folder, name)
    env |= {"SINEW_PLUGIN_SECONDS": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    found = answer("plugins", env=env)
    refused = {Path(row["path"]).name: row["reason"] for row in found["refused"]}
    for name, words in rows.items():
        assert words in refused[f"small-{name}.so"], refused
    assert "test-small" in [row["short_name"] for row in found["loaded"]]
    # What was found is read at the next start, until the file changes.
    cache = folder / "cache" / "sinew" / "plugins"
    cache.write_text(cache.read_text().replace("it crashes", "it crashed earlier"))
    reasons = {Path(row["path"]).name: row["reason"] for row in answer("plugins", env=env)["refused"]}
    for name in ("aborts-on-load", "crashes-on-unload"):
        assert "crashed earlier" in reasons[f"small-{name}.so"], f"it was tried again: {reasons}"
    (folder / "small-good.so").unlink()
    shutil.copy(PLUGINS / "small-good.so", folder / "small-aborts-on-load.so")
    found = answer("plugins", env=env)
    assert "small-aborts-on-load.so" in [Path(row["path"]).name for row in found["loaded"]], found["refused"]


def file_that_loops_while_it_is_loaded_is_listed_with_the_reason(folder):
    env = beside_ours(folder, "hangs-on-load") | {"SINEW_PLUGIN_SECONDS": "1"}
    assert "not loaded within 1 seconds" in answer("plugins", env=env)["refused"][0]["reason"]


def file_that_waited_for_too_long_is_tried_again(folder):
    env = beside_ours(folder, "waits-on-load") | {"SINEW_PLUGIN_SECONDS": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    beside_ours(folder, "good")
    reason = answer("plugins", env=env)["refused"][0]["reason"]
    assert "not loaded within 1 seconds" in reason and "tries it again" in reason, reason
    kept = (folder / "cache" / "sinew" / "plugins").read_text()
    assert "small-good.so" in kept and "small-waits-on-load.so" not in kept, kept


def trial_that_was_killed_or_exited_is_tried_again(folder):
    for name in ("is-killed-on-load", "exits-on-load", "aborts-on-load"):
        env = beside_ours(folder, name)
    env |= {"XDG_CACHE_HOME": str(folder / "cache")}
    refused = {Path(row["path"]).name: row["reason"] for row in answer("plugins", env=env)["refused"]}
    assert "try again" in refused["small-is-killed-on-load.so"] and "crashes" not in refused["small-is-killed-on-load.so"], refused
    kept = (folder / "cache" / "sinew" / "plugins").read_text()
    assert "aborts-on-load.so" in kept and "killed-on-load.so" not in kept and "exits-on-load.so" not in kept, kept


def crash_of_a_remaining_thread_is_reported(folder):
    env = beside_ours(folder, "leaves-a-thread")
    result = sinew("plugins", env=env, status=None)
    assert result.returncode in (0, 1), result.returncode
    assert result.returncode == 0 or "small-leaves-a-thread.so crashed in a thread" in result.stderr, result.stderr


def printing_does_not_break_json(folder):
    project, env = with_layer(folder, "binds")
    replaced(folder, env, "binds", "binds-and-prints")
    result = sinew("measure", project, "--json", env=env)
    json.loads(result.stdout)
    assert "a line of a plug-in" in result.stderr


def locale_of_a_plugin_does_not_affect_the_program(folder):
    project, env = with_layer(folder, "binds")
    replaced(folder, env, "binds", "binds-and-sets-the-locale")
    sinew("measure", project, env=env)
    sinew("stack", project, "set", "test-small", "--set", "height=0.3", env=env)
    assert "0.3" in sinew("stack", project, "list", env=env).stdout


def locale_that_drive_or_deform_sets_is_restored(folder):
    project, env = with_layer(folder, "good")
    words = ("measure", project)
    before = sinew(*words, env=env).stdout
    assert "." in before, before
    held = "good"
    for function in ("drive", "deform"):
        replaced(folder, env, held, f"sets-the-locale-in-{function}")
        held = f"sets-the-locale-in-{function}"
        assert sinew(*words, env=env).stdout == before


run([crash_in_deform_names_the_deformer_and_what_to_do, exit_overflow_and_throw_in_deform_are_named,
     line_names_the_layer_and_what_to_do, layer_that_fails_is_named_with_what_to_do, fit_that_binds_and_fails_leaves_the_project_usable, calls_without_end_are_named_and_ended, fits_in_the_program_end_when_they_report_nothing, files_that_fail_while_they_are_loaded_are_listed_with_the_reason,
     file_that_loops_while_it_is_loaded_is_listed_with_the_reason, file_that_waited_for_too_long_is_tried_again, trial_that_was_killed_or_exited_is_tried_again, crash_of_a_remaining_thread_is_reported, locale_that_drive_or_deform_sets_is_restored, printing_does_not_break_json, locale_of_a_plugin_does_not_affect_the_program])
