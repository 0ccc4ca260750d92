#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plug-ins built against frozen copies of the headers of earlier revisions pass the validator, and a character with their layers is fitted
and measured as before.

Arguments: the program, the plug-ins."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SINEW, PLUGINS = sys.argv[1], sys.argv[2:]
# erms of the small sample arm's clips, as at revision 1.0.
FIGURES = {"example-centers": {"bend": 4.75, "twist": 16.04}}


def sinew(*words, env=None):
    done = subprocess.run([SINEW, *map(str, words)], capture_output=True, text=True, check=False, timeout=100,
                          env={**os.environ, **(env or {})})
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}"
    return done.stdout


def main():
    for plugin in PLUGINS:
        sinew("validate", plugin, "--level", "quick")
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as name:
        project = Path(name) / "arm.sinew"
        env = {"SINEW_PLUGIN_PATH": ":".join([os.environ["SINEW_PLUGIN_PATH"], *map(str, map(Path.resolve, map(Path, PLUGINS)))]),
               "XDG_CACHE_HOME": name}
        for deformer, known in FIGURES.items():
            sinew("sample", "small-arm", "-o", project, "--replace")
            sinew("fit", deformer, project, env=env)
            rows = json.loads(sinew("measure", project, "--json", env=env))["errors"]
            found = {row["against"]: round(row["erms"], 2) for row in rows}
            assert all(found[clip] == erms for clip, erms in known.items()), (deformer, found, known)
    print(f"{len(PLUGINS)} plug-ins of earlier revisions pass")
    return 0


sys.exit(main())
