#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The times that the pages print, measured again in one run: seconds of the processor and of the clock, and megabytes of memory.

usage: times.py SINEW [PAGE…]     on idle cores, with SINEW_TEST_DATA; PYTHONPATH is tests/cli

Times are no test: another machine has others. A release's are printed with this, and put on the pages by hand. What a benchmark
prints is printed as it is."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import SINEW, data, sinew
from sources import animation, fitted_human, horse_project, human_project, settings


def machine():
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))[1]
    system = re.search(r'PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text(encoding="utf-8"))[1]
    return f"{os.cpu_count()} cores of {model}, {system}, Linux {platform.release()}"


def timed(label, *words, shown=False):
    """Runs a command, and prints what it took and, where it is shown, what it printed."""
    begun = time.monotonic()
    process = subprocess.Popen([SINEW, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, words
    print(f"  {label}: {used.ru_utime + used.ru_stime:.2f} s of the processor, {time.monotonic() - begun:.2f} s, "
          f"{used.ru_maxrss / 1024:.0f} MB", flush=True)
    if shown:
        print(said)


def bench(*words):
    timed(f"bench {' '.join(map(str, words))}", "bench", *words, shown=True)


def fit(folder, project, method, *words):
    """A fit of a copy of the project, which a function gives."""
    copy = shutil.copy(project(), folder / "fitted.sinew")
    timed(f"{method} {' '.join(words)}", "fit", method, copy, *words)


def sad(folder, name, *words):
    fit(folder, lambda: animation(name), "sad", *settings(words))


def speed(folder):
    for words in (["skin"], ["sculpt"], ["sculpt", "--strokes"], ["invert"], ["train"], ["layer"], ["gpu", fitted_human()[0]],
                  ["train", "--method", "rotational-regression", "--points", "100000", "--frames", "8"],
                  ["train", "--method", "pose-regression", "--points", "100000", "--frames", "8"],
                  ["view", "--meshes", "100", "--joints", "300", "--examples", "200", "--points", "10000"], ["view", "--points", "10000"]):
        bench(*words)
    for method in "animation-space", "pose-regression":
        fit(folder, human_project, method, "--clip", "examples")


def real_data(folder):
    for method in "linear-blend-fit", "animation-space", "pose-regression":
        fit(folder, human_project, method, "--clip", "rom")
    for words in (["rings=2"], ["rings=6"], ["rings=12", "influences=6"]):
        fit(folder, horse_project, "animation-space", "--clip", "horse-poses", *settings(["smoothness=1e-5", *words]))
    bench("import")


def mesh_animations(folder):
    for name in "flag", "skirt", "soft", "horse":
        sad(folder, name, "joints=30", "blend=linear", "refine=auto")
    for name, *words in (("flag",), ("flag", "influences=8"), ("flag", "blend=linear", "refine=40", "influences=8"), ("skirt",),
                         ("skirt", "influences=8"), ("skirt", "influences=12", "radius=2"),
                         ("skirt", "blend=linear", "refine=40", "influences=8"), ("skirt", "refine=20", "influences=8")):
        sad(folder, name, "eigen=10", *words)
    for name, counts in {"horse": (10, 20, 30), "horse-poses": (10, 20), "cat": (10, 15, 20, 25)}.items():
        for joints in counts:
            sad(folder, name, f"joints={joints}", "influences=all", "refine=40")
    for name in "flag", "skirt", "soft":
        bench("fit", animation(name))
    bench("fit", animation("horse"), "--refined")


def skeletons(folder):
    project, poses = Path(shutil.copy(animation("horse"), folder / "horse.sinew")), folder / "poses.sinew"
    timed("a gallop", "skeleton", project, "--bones", 24)
    sinew("import", "--sequence", data("horse-poses") / "*.obj", "--rest", data("horse-poses-rest.obj"), "-o", poses)
    timed("ten poses", "skeleton", poses, "--bones", 24)
    timed("the gallop through them", "track", poses, "--sequence", data("horse-gallop") / "*.obj", "--clip", "gallop",
          "--method", "linear-blend")
    human = shutil.copy(human_project(), folder / "human.sinew")
    timed("weights from heat", "bind", human, "--replace")


def rigger(folder):
    timed("a bake with 24 helper joints", "bake", fitted_human()[0], "--for", "three", "--budget", "influences=4,helpers=24", "-o", folder / "baked.sinew")


def engines(folder):
    for kind in "glb", "fbx":
        timed(kind, "export", fitted_human()[0], "-o", folder / f"human.{kind}")


def contact(_folder):
    bench("contact", fitted_human()[0])


def levels(_folder):
    bench("lod", fitted_human()[0])


def others(_folder):
    bench("player")
    bench("unwrap")


PAGES = {"speed": speed, "real-data": real_data, "mesh-animations": mesh_animations, "skeletons": skeletons, "rigger": rigger,
         "engines": engines, "contact": contact, "levels": levels, "skin-file, uv": others}


def main():
    print(subprocess.run([SINEW, "--version"], capture_output=True, text=True, check=True).stdout, machine(), sep="")
    for page, measure in PAGES.items():
        if not sys.argv[2:] or page in sys.argv[2:]:
            print(f"docs/{page}.md")
            with tempfile.TemporaryDirectory() as folder:
                measure(Path(folder))


if __name__ == "__main__":
    main()
