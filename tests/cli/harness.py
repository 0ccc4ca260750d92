# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the command line as users do: the program, a scratch folder, and cases that print one line each."""

import functools
import json
import os
import re
import shutil
import sqlite3
import struct
import sys
import tempfile
import time
import traceback
from pathlib import Path

import start_server

# Absolute: some cases run it in another folder.
SINEW = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "sinew"
DATA = os.environ.get("SINEW_TEST_DATA", "")  # the folder of the large test data; empty where there is none
SKIP = 77
LONG = sys.argv[-1] == "long"  # what the long suite runs
# Blender has the packages of the first python3 in the path, which should be the system's.
BLENDER_ENVIRONMENT = {**os.environ, "PATH": os.defpath}

# A graphics driver is unloaded before leaks are looked for, so its own cannot be named here; tests/render keeps drivers
# loaded and looks for ours.
DRAWS = ("render", "view", "bench gpu", "bench view")


class Skip(Exception):
    """What a case needs is not here."""


def data(name):
    path = Path(DATA) / name
    print(f"test data: {name}")  # tests/run.py looks for this line
    if not DATA or not path.exists():
        raise Skip(f"no test data at {name}")
    return path


def random_seed():
    """What random numbers start from, as in tests/random.h."""
    seed = int(os.environ.get("SINEW_TEST_SEED") or 1)
    print(f"random numbers: repeat with SINEW_TEST_SEED={seed}", flush=True)
    return seed


def environment(words):
    """The environment for a call with these words."""
    if not " ".join(map(str, words)).startswith(DRAWS):
        return dict(os.environ)
    return {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


def sinew(*words, status=0, cwd=None, env=None, timeout=600):
    """Runs the program; the exit status must be `status`, where that is not None. Gives the completed process."""
    result = start_server.command([SINEW, *map(str, words)], cwd, {**environment(words), **(env or {})}, timeout)
    assert status is None or result.returncode == status, f"sinew {' '.join(map(str, words))}: exit {result.returncode}\n{result.stdout}{result.stderr}"
    return result


def answer(*words, **more):
    """The JSON object that a verb prints."""
    return json.loads(sinew(*words, "--json", **more).stdout)


def refusal(*words, status=1, **more):
    """The one line on standard error of a verb that cannot do it."""
    result = sinew(*words, status=status, **more)
    lines = [line for line in result.stderr.splitlines() if not re.match(r"(note|warning): ", line)]
    assert len(lines) == 1, f"one line was expected, not {lines}"
    assert result.stdout == "", f"nothing was expected on standard output, not {result.stdout}"
    return lines[0]


@functools.cache
def made():
    """A folder for what is made once and copied, as long as the program runs."""
    return tempfile.TemporaryDirectory(prefix="sinew-test-")


def sample_arm(path, fitted=False, sample="small-arm"):
    """A copy of a sample at `path`, as it comes or with the corrective of its examples. The small arm draws and fits in a quarter of the
    time of the other."""
    original = Path(made().name) / f"{sample}{'-fitted' if fitted else ''}.sinew"
    if not original.exists():
        sinew("sample", sample, "-o", original)
        if fitted:
            sinew("fit", "inverse-psd", original)
    return Path(shutil.copy(original, path))


def tiny_arm(path, fitted=False):
    """Where the number of points does not matter: the small arm has four times as many."""
    return sample_arm(path, fitted, "tiny-arm")


def dressed(path):
    """A copy of the clothed sample, of whose clip the tenth of a second is left in which the shirt is deepest in the body; whole in the
    long suite."""
    original = Path(made().name) / "short-dressed.sinew"
    if not original.exists():
        sinew("sample", "dressed", "-o", original)
        if not LONG:
            sinew("clip", original, "trim", "wave", "--from", "0.7", "--to", "0.8")
    return Path(shutil.copy(original, path))


def steps(project, *lines):
    """Operators of a project, each a step, by one process."""
    script = project.with_suffix(".txt")
    script.write_text("\n".join(lines) + "\n")
    return sinew("do", project, script)


def drop_faces(project):
    """Leaves its meshes without faces, as imports made them before they left such meshes out; normals of no corners included."""
    with sqlite3.connect(project) as file:
        file.execute("UPDATE mesh SET face_count = 0, face_offsets = ?, face_points = x'', face_materials = NULL, "
                     "corner_uvs = NULL, corner_colors = NULL, corner_normals = x''", (struct.pack("<I", 0),))
    file.close()


def obj_points(path):
    return [tuple(map(float, line.split()[1:4])) for line in Path(path).read_text().splitlines() if line.startswith("v ")]


def write_moved_obj(source, path, move):
    """The .obj at `source` with every point p moved by move(p)."""
    with open(source) as lines, open(path, "w") as out:
        for line in lines:
            if line.startswith("v "):
                p = tuple(map(float, line.split()[1:4]))
                line = "v %.9g %.9g %.9g\n" % tuple(a + b for a, b in zip(p, move(p)))
            out.write(line)


def run(cases, long=()):
    """Runs every case(folder) in a scratch folder of its own, in order, with the seconds that it takes, and ends the program. In the long
    suite it runs the cases `long` instead, where there are any."""
    failed = passed = 0
    for case in long if LONG and long else cases:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="sinew-test-") as folder:
            try:
                case(Path(folder))
                state = "      OK"
                passed += 1
            except Skip as why:
                print(f"skipped: {why}")
                state = " SKIPPED"
            except Exception:
                traceback.print_exc(file=sys.stdout)
                state = "  FAILED"
                failed += 1
            print(f"[ {state} ] {case.__name__} {time.monotonic() - begun:.1f} s", flush=True)
    sys.exit(1 if failed else 0 if passed else SKIP)
