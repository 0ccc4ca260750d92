#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plug-ins that crash in the program itself: one line names the plug-in, and nothing is damaged."""

import functools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import LONG, SINEW, answer, made, refusal, run, sinew, tiny_arm

PLUGINS = Path(sys.argv[2])


def beside_ours(folder, name):
    """An environment with the shipped plug-ins and one of the tests'."""
    shutil.copy(PLUGINS / f"small-{name}.so", folder)
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder}"}


def with_binding_layer(folder):
    """A project with a layer of the tests' plug-in that binds, and its environment; another may take its place."""
    env = beside_ours(folder, "binds")
    project = folder / "p.sinew"
    tiny_arm(project)
    sinew("stack", project, "add", "test-small", env=env)
    return project, env


@functools.cache
def fitted():
    """A project with a layer 'bulge' of the tests' plug-in."""
    folder = Path(made().name)
    project = tiny_arm(folder / "good.sinew")
    sinew("fit", "test-small", project, "--layer", "bulge", env=beside_ours(folder, "good"))
    return project


def with_bulge(folder):
    """A copy of it, and its environment."""
    return Path(shutil.copy(fitted(), folder / "p.sinew")), beside_ours(folder, "good")


def replaced(folder, env, good, name):
    (folder / f"small-{good}.so").unlink()
    shutil.copy(PLUGINS / f"small-{name}.so", folder)
    return env


def without(verb, project, env):
    """What the verb prints while the layer is muted."""
    sinew("stack", project, "mute", named(project), env=env)
    printed = sinew(*verb, env=env).stdout.replace(" (muted)", "")
    sinew("undo", project, env=env)
    return printed


def leaves_the_layer_out(verb, expected, env, *words):
    """The verb prints what is expected without the layer, and one line that has those words."""
    result = sinew(*verb, env=env, status=4)
    # The C++ library writes lines of its own.
    lines = [line for line in result.stderr.splitlines() if "test-small" in line]
    assert len(lines) == 1 and "(test-small)" in lines[0] and "is left out" in lines[0], result.stderr
    for word in ("mute", *words):
        assert word in lines[0], f"{word}: {result.stderr}"
    assert result.stdout == expected, (result.stdout, expected)


def named(project):
    """The name of the layer of the tests' plug-in."""
    return next(layer["name"] for layer in answer("stack", project, "list")["layers"] if layer["deformer"] == "org.sinew.test.small")


def crash_in_deform_names_the_deformer_and_what_to_do(folder):
    env = beside_ours(folder, "crashes-in-deform")
    project = folder / "p.sinew"
    tiny_arm(project)
    # The fit itself goes well; its error is measured by running it.
    line = sinew("fit", "test-small", project, env=env, status=1).stderr.splitlines()[-1]
    assert "crashed in deform" in line and f"what this command changed before that is in {project}" in line, line
    words = ("export", project, "--pose", "rest", "-o", folder / "out.obj")
    leaves_the_layer_out(words, without(words, project, env), env, "crashed in deform", "does not own")
    # Nothing else can be shown of a method that is asked for by name.
    line = sinew("measure", project, "--method", "test-small", env=env, status=1).stderr
    assert "crashed in deform" in line and "left out" not in line, line


WAYS_TO_END = (("exits-at-once-in-deform", "ended its process in deform"), ("hangs-in-load", "not returned from load", "1 seconds"),
               ("crashes-in-release", "crashed in release"),
               # tests/cli/plugins/misdeeds.py takes a sample of these.
               ("overflows-in-deform", "crashed in deform", "stack overflowed"), ("exits-in-deform", "ended its process in deform"),
               ("throws-in-deform", "crashed in deform", "abort()"),
               ("hangs-in-deform", "not returned from deform"), ("crashes-in-load", "crashed in load"), ("crashes-in-layout", "crashed in layout"),
               ("crashes-in-drive", "crashed in drive"), ("crashes-in-passes", "crashed in passes"), ("crashes-in-prepare", "crashed in prepare"),
               ("crashes-in-lower", "crashed in lower"), ("scribbles", "crashed in deform"))


def every_way_to_end_in_any_function_leaves_the_layer_out(folder):
    project, env = with_bulge(folder)
    verb = ("info", project, "--bounds")  # which runs every function that a skin needs
    expected = without(verb, project, env)
    held = "good"
    for name, *words in WAYS_TO_END if LONG else WAYS_TO_END[:3]:
        replaced(folder, env, held, name)
        held = name
        env["SINEW_PLUGIN_SECONDS"] = "1" if "hangs" in name else "60"
        if name == "crashes-in-release":
            # What it made is there by then.
            line = sinew(*verb, env=env).stderr
            assert "'bulge' (test-small) crashed in release" in line and "left out" not in line, line
            continue
        leaves_the_layer_out(verb, expected, env, "layer 'bulge'", "mute bulge'", *words)


def each_verb_goes_on_without_the_layer(folder):
    project, env = with_bulge(folder)
    picture, file = folder / "p.png", folder / "p.glb"
    replaced(folder, env, "good", "crashes-in-drive")
    verbs = (("export", project, "-o", file), file), (("render", project, "-o", picture, "--size", "160x120", "--pose", "rest"), picture)
    for verb, made in verbs if LONG else verbs[:1]:
        refused = sinew(*verb, "--strict", env=env, status=1).stderr
        assert "crashed in drive" in refused and "it is left out" not in refused and not made.exists(), refused
        result = sinew(*verb, "--json", env=env, status=4)
        left_out = json.loads(result.stdout)["left_out"]
        assert [(row["layer"], row["plugin"]) for row in left_out] == [("bulge", "test-small")] and "crashed in drive" in left_out[0]["why"], left_out
        assert result.stderr.count("crashed in drive") == 1 and "'bulge' (test-small)" in result.stderr, result.stderr
        bytes_without = made.read_bytes()
        sinew("stack", project, "mute", "bulge", env=env)
        assert answer(*verb, env=env)["left_out"] == []
        assert made.read_bytes() == bytes_without, verb
        sinew("undo", project, env=env)
    # A fit of another layer goes on, and one of this plug-in costs that fit alone.
    sinew("fit", "linear-blend-fit", project, "--clip", "bend", env=env)
    replaced(folder, env, "crashes-in-drive", "crashes")
    before = project.read_bytes()
    assert "test-small" in refusal("fit", "test-small", project, "--layer", "more", env=env) and project.read_bytes() == before


def same_bits_come_from_its_own_process(folder):
    project, env = with_bulge(folder)
    isolated, alone = folder / "isolated.obj", folder / "alone.obj"
    verb = ("export", project, "--pose", "both", "-o")
    sinew(*verb, isolated, env=env)
    sinew(*verb, alone, env=env | {"SINEW_PLUGINS_IN_PROCESS": "1"})
    assert isolated.read_bytes() == alone.read_bytes()


def memory_that_cannot_be_shared_is_said_in_one_line(folder):
    project, env = with_bulge(folder)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

    words = ("measure", project)
    limited = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, check=True, timeout=120, preexec_fn=limit,
                             env={**os.environ, **env})
    lines = [line for line in limited.stderr.splitlines() if "plug-ins run in this program itself" in line]
    assert len(lines) == 1 and lines[0].startswith("warning: ") and "File too large" in lines[0], limited.stderr
    assert limited.stdout == sinew(*words, env=env).stdout


def layer_that_fails_is_named_and_left_out(folder):
    project, env = with_bulge(folder)
    verb = ("measure", project, "--clip", "bend")
    expected = without(verb, project, env)
    held = "good"
    faults = (("fails-in-prepare", "in prepare"), ("deforms-to-nan", "not finite"), ("never-ends-its-passes", "more than 10000"),
              ("drives-too-many", "more than 67108864 coefficients"), ("wants-too-much-scratch", "more than the limit of 4294967296"),
              ("other-model", "failed in load"), ("fails-in-drive", "in drive"), ("fails-in-deform", "in deform"), ("drives-to-infinity", "not finite"))
    for name, words in faults if LONG else faults[:2]:
        replaced(folder, env, held, name)
        held = name
        leaves_the_layer_out(verb, expected, env, "layer 'bulge'", "mute bulge'", words)
    # In the program itself it ends the verb, and so it does where nothing else is asked for.
    replaced(folder, env, held, "deforms-to-nan")
    for words, more in ((verb, {"SINEW_PLUGINS_IN_PROCESS": "1"}), ((*verb, "--method", "bulge"), {})):
        line = sinew(*words, env=env | more, status=1).stderr
        assert "left out" not in line and "layer 'bulge' (test-small)" in line and "not finite" in line and "mute bulge'" in line, line


def fit_that_binds_and_fails_leaves_the_project_usable(folder):
    project, env = with_binding_layer(folder)
    expected = without(("measure", project), project, env)
    held = "binds"
    for name, words in (("throws", ("crashed in fit", "abort()")), ("hangs", ("not returned from fit", "1 seconds")))[:2 if LONG else 1]:
        replaced(folder, env, held, f"binds-and-{name}")
        held = f"binds-and-{name}"
        env["SINEW_PLUGIN_SECONDS"] = "1" if name == "hangs" else "60"
        leaves_the_layer_out(("measure", project), expected, env, *words)


def fits_in_the_program_end_when_they_report_nothing(folder):
    """Those of a comparison: one that hangs is named, and one that reports goes on until it is stopped."""
    project, page = tiny_arm(folder / "p.sinew"), folder / "page.html"
    words = ("compare", project, "--train", "bend", "--test", "twist", "--methods", "test-small", "-o", page)
    env = beside_ours(folder, "hangs") | {"SINEW_PLUGIN_SECONDS": "1"}
    line = sinew(*words, env=env, status=1).stderr
    assert "test-small" in line and "has not returned from fit after 1 seconds" in line, line
    (folder / "small-hangs.so").unlink()
    env |= beside_ours(folder, "waits-for-stop")
    process = subprocess.Popen([SINEW, *map(str, words), "--progress"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, **env})
    begun = time.monotonic()
    assert any('"waiting"' in line and time.monotonic() > begun + 1.5 for line in process.stderr), "it ended by itself"
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "cancelled" in errors, (process.returncode, errors)


def files_that_fail_while_they_are_loaded_are_listed_with_the_reason(folder):
    rows = {"aborts-on-load": "crashes", "exits-on-load": "ends the program", "crashes-on-unload": "crashes"}
    for name in (*rows, "good"):
        env = beside_ours(folder, name)
    env |= {"SINEW_PLUGIN_SECONDS": "1"}
    found = answer("plugins", env=env)
    refused = {Path(row["path"]).name: row["reason"] for row in found["refused"]}
    for name, words in rows.items():
        assert words in refused[f"small-{name}.so"], refused
    assert "test-small" in [row["short_name"] for row in found["loaded"]]
    (folder / "small-good.so").unlink()
    shutil.copy(PLUGINS / "small-good.so", folder / "small-aborts-on-load.so")
    found = answer("plugins", env=env)
    assert "small-aborts-on-load.so" in [Path(row["path"]).name for row in found["loaded"]], found["refused"]


def file_that_loops_while_it_is_loaded_is_listed_with_the_reason(folder):
    env = beside_ours(folder, "hangs-on-load") | {"SINEW_PLUGIN_SECONDS": "1"}
    assert "not loaded within 1 seconds" in answer("plugins", env=env)["refused"][0]["reason"]


def trial_that_was_killed_says_to_try_again(folder):
    env = beside_ours(folder, "is-killed-on-load")
    reason = answer("plugins", env=env)["refused"][0]["reason"]
    assert "try again" in reason and "crashes" not in reason, reason


def printing_does_not_break_json(folder):
    project, env = with_binding_layer(folder)
    replaced(folder, env, "binds", "binds-and-prints")
    result = sinew("measure", project, "--json", env=env)
    json.loads(result.stdout)
    assert "a line of a plug-in" in result.stderr


def locale_of_a_plugin_does_not_affect_the_program(folder):
    project, env = with_binding_layer(folder)
    replaced(folder, env, "binds", "binds-and-sets-the-locale")
    sinew("measure", project, env=env)
    sinew("stack", project, "set", "test-small", "--set", "height=0.3", env=env)
    assert "0.3" in sinew("stack", project, "list", env=env).stdout


def locale_that_drive_or_deform_sets_is_restored(folder):
    project, env = with_bulge(folder)
    words = ("measure", project)
    before = sinew(*words, env=env).stdout
    assert "." in before, before
    held = "good"
    for function in ("drive", "deform") if LONG else ("deform",):
        replaced(folder, env, held, f"sets-the-locale-in-{function}")
        held = f"sets-the-locale-in-{function}"
        assert sinew(*words, env=env).stdout == before


run([crash_in_deform_names_the_deformer_and_what_to_do, every_way_to_end_in_any_function_leaves_the_layer_out,
     each_verb_goes_on_without_the_layer,
     memory_that_cannot_be_shared_is_said_in_one_line, layer_that_fails_is_named_and_left_out,
     fit_that_binds_and_fails_leaves_the_project_usable,
     fits_in_the_program_end_when_they_report_nothing, files_that_fail_while_they_are_loaded_are_listed_with_the_reason,
     file_that_loops_while_it_is_loaded_is_listed_with_the_reason, 
     trial_that_was_killed_says_to_try_again, locale_that_drive_or_deform_sets_is_restored, printing_does_not_break_json],
    long=[same_bits_come_from_its_own_process, fit_that_binds_and_fails_leaves_the_project_usable,
          locale_that_drive_or_deform_sets_is_restored,
          locale_of_a_plugin_does_not_affect_the_program, every_way_to_end_in_any_function_leaves_the_layer_out,
          each_verb_goes_on_without_the_layer, layer_that_fails_is_named_and_left_out])
