#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plug-ins that crash in the program itself: one line says whose fault it was, and nothing is harmed."""

import os
import shutil
import sys
from pathlib import Path

from harness import refusal, run, sample_arm, sinew

PLUGINS = Path(sys.argv[2])


def beside_ours(folder, name):
    """An environment whose plug-ins are those that ship and one of the tests'."""
    shutil.copy(PLUGINS / f"small-{name}.so", folder)
    return {"SINEW_PLUGIN_PATH": f"{os.environ['SINEW_PLUGIN_PATH']}:{folder}"}


def crash_in_deform_names_the_deformer_and_the_way_out(folder):
    env = beside_ours(folder, "crashes-in-deform")
    project = folder / "p.sinew"
    sample_arm(project)
    # The fit itself goes well; its error is measured by running it.
    refusal("fit", "test-small", project, env=env)
    before = project.read_bytes()
    output = folder / "out.obj"
    for words in (("measure", project), ("export", project, "--pose", "rest", "-o", output)):
        line = refusal(*words, env=env)
        assert "test-small" in line and "crashed" in line and "stack" in line, line
    assert project.read_bytes() == before
    assert not output.exists()
    # The way out that the line names is one.
    sinew("stack", project, "mute", "test-small", env=env)
    sinew("measure", project, env=env)


def abort_while_loading_names_the_file(folder):
    env = beside_ours(folder, "aborts-on-load")
    line = refusal("plugins", env=env)
    assert "small-aborts-on-load.so" in line and "abort" in line, line


run([crash_in_deform_names_the_deformer_and_the_way_out, abort_while_loading_names_the_file])
