# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages of npm for the tests of export, installed into the build folder where the listed versions are not there yet. Their versions are
pinned where they are listed; no lock file, which would name a registry. Where node or the network is not there a check skips and says
so."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def is_installed(folder, listed, name):
    """In the version that is listed: a build folder may have an older one."""
    manifest = folder / "node_modules" / name / "package.json"
    pinned = {key: version for kind in ("dependencies", "devDependencies")
              for key, version in json.loads(listed.read_text(encoding="utf-8")).get(kind, {}).items()}
    return manifest.is_file() and json.loads(manifest.read_text(encoding="utf-8"))["version"] == pinned[name]


def install(folder, listed, name, timeout=240):
    """Why `name`, one of the packages that the file `listed` names, is not in the folder; None where it is."""
    if not shutil.which("node") or not shutil.which("npm"):
        return f"no node to run {name}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other tests of export may be about to do the same
        if is_installed(folder, listed, name):
            return None
        shutil.copy(listed, folder / "package.json")
        command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
        try:
            done = subprocess.run(command, cwd=folder, timeout=timeout, stdin=subprocess.DEVNULL, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            done = False
        return None if done else f"{name} could not be installed; is there a network?"


def check(folder, script, name, files):
    """The state of a case, as cmocka writes it: node runs the script over files, with a package from the list beside it."""
    missing = install(folder, script.parent / "package.json", name) if files else "the test wrote no files"
    if missing:
        print("skipped:", missing)
        return " SKIPPED"
    done = subprocess.run(["node", script, folder, *files], check=False)
    return "  FAILED" if done.returncode else "      OK"


def check_what_is_left(folder, test, script, name, endings, case):
    """Runs a test with a folder to leave its files in, then a case over those with one of the endings. Ends the program."""
    with tempfile.TemporaryDirectory(prefix="sinew-test-") as left:
        tested = subprocess.run(test, env={**os.environ, "SINEW_EXPORTS": left}, check=False)
        if tested.returncode:
            sys.exit(tested.returncode)
        state = check(folder, script, name, sorted(path for path in Path(left).iterdir() if path.suffix in endings))
        print(f"[ {state} ] {case}", flush=True)
        sys.exit(state == "  FAILED")
