#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Test vectors, and the JavaScript player that is held to them: javascript.py SINEW FOLDER few|all

In node without an engine, in three.js and Babylon.js in node, and with `all` in Chromium. The packages are installed into FOLDER; where node,
the network or Chromium is missing the cases skip and say so."""

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

from harness import Skip, answer, made, refusal, run, sinew, tiny_arm, write_moved_obj

HERE = Path(__file__).resolve().parent
EXPORT = HERE.parent / "export"
sys.path.insert(0, str(EXPORT))
from npm_packages import install  # noqa: E402 pylint: disable=wrong-import-position

PLAYER = HERE.parents[1] / "plugins" / "player" / "sinew.js"
FOLDER = Path(sys.argv[2])
ALL = sys.argv[3] == "all"
PACKAGES = EXPORT / "players" / ("package-all.json" if ALL else "package.json")
ENGINES = ("three", "babylon") if ALL else ("three",)
CLOSE = 1e-6


def node_lines(*words):
    """What node prints for these words: JSON in each line."""
    if not shutil.which("node"):
        raise Skip("no node")
    done = subprocess.run(["node", *map(str, words)], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return list(map(json.loads, done.stdout.splitlines()))


def node(*words):
    return node_lines(*words)[-1]


@functools.cache
def corrected():
    """The arm with a sculpt of more than half a turn, so that one joint is unwound."""
    folder = Path(made().name)
    project, pose = tiny_arm(folder / "corrected.sinew"), folder / "wound.obj"
    sinew("pose", project, "add", "wound", "--rotate", "wrist=4,0.3,0")
    sinew("export", project, "--pose", "wound", "-o", pose)
    write_moved_obj(pose, pose.with_name("moved.obj"), lambda p: (0.01 * p[1], 0, 0))
    sinew("example", project, "add", "--name", "wound", "--pose", "wound", "--file", pose.with_name("moved.obj"), "--group", "wrist")
    return project


@functools.cache
def by_kernel(kernel):
    project = corrected().with_name(f"{kernel}.sinew")
    sinew("fit", "inverse-psd", corrected(), "-o", project, "--set", f"kernel={kernel}", "--set", "translation=1.5", "--set", "scale=0.7", "--set", "twist=0.5",
          "--set", "polynomial=linear" if kernel == "thin-plate" else "polynomial=auto")
    return project


@functools.cache
def fitted(method, *words):
    project = tiny_arm(Path(made().name) / f"{method}{len(words)}.sinew")
    sinew("fit", method, project, "--clip", "both", *words)
    return project


def projects():
    """What describes a drive: a pose space of each kernel, functions of single joints, features of both kinds,
    helper joints at one joint and between two."""
    for kernel in ("cone", "gaussian", "linear", "thin-plate", "inverse-multiquadric") if ALL else ("cone",):
        yield kernel, by_kernel(kernel)
    yield "matrices", fitted("pose-regression")
    if ALL:
        yield "vectors", fitted("pose-regression", "--set", "features=vectors")
    yield "eigenskin", fitted("eigenskin")
    yield "helpers", fitted("helper-joints", "--set", "helpers=3")


def vectors_hold_the_player(folder):
    """At 1,000 poses, and in sweeps whose joints turn twice either way, also where the player follows quaternions alone."""
    paths = []
    for name, project in projects():
        paths.append(folder / f"{name}.vectors")
        reported = answer("export", project, "--vectors", paths[-1])
        assert reported["vector_bytes"] == paths[-1].stat().st_size < 1_000_000, reported
        assert reported["vector_poses"] > 1000, reported
    # V8's optimiser would take longer than what it saves.
    found_by_node = node_lines("--no-opt", HERE / "core.mjs", PLAYER, *paths)
    for path, found in zip(paths, found_by_node, strict=True):
        print(path.stem, found)
        assert found["coefficients"] + found["helpers"] > 0
        assert max(found["poses"], found["sweeps"], found["followed"]) < CLOSE, (path.stem, found)
        assert found["damaged"] > 50 and not found["shownBadly"], (path.stem, found)


def vectors_are_the_same_each_time_and_refused_without_a_drive(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    for name in ("one", "two"):
        sinew("export", project, "--vectors", folder / f"{name}.vectors")
    assert (folder / "one.vectors").read_bytes() == (folder / "two.vectors").read_bytes()
    assert "must end in" in refusal("export", project, "--vectors", folder / "one.txt", status=2)
    assert "fit a corrective" in refusal("export", tiny_arm(folder / "plain.sinew"), "--vectors", folder / "plain.vectors")
    assert not (folder / "plain.vectors").exists()


def check_engine(about, found, keeps_weights):
    """`keeps_weights`: without extras, weights stay as the file has them."""
    print(about, found["engine"], found["poses"])
    assert found["poses"] < CLOSE and not found["warnings"], (about, found)
    for name, damage in found["damages"].items():
        (warning,) = damage["warnings"]
        assert warning.startswith("Sinew: ") and "linear blend" in warning, (name, warning)
        assert damage["weights"] < 1e-15 or (name == "no extras" and keeps_weights), (name, damage)
    assert len(found["damages"]) == 7, found["damages"].keys()


def exported(folder, name, project):
    sinew("export", project, "-o", folder / f"{name}.glb", "--vectors", folder / f"{name}.vectors", "--allow-error", 100)
    return folder / f"{name}.glb", folder / f"{name}.vectors"


def need(package):
    missing = install(FOLDER, PACKAGES, package)
    if missing:
        raise Skip(missing)
    for script in HERE.glob("*.mjs"):
        shutil.copy(script, FOLDER)  # packages are looked for beside it


def engines_show_the_coefficients(folder):
    need("three")
    for name, project in projects() if ALL else [("cone", by_kernel("cone"))]:
        files = exported(folder, name, project)
        for engine in ENGINES:
            check_engine(name, node(FOLDER / "in_node.mjs", PLAYER, engine, *files, 1 if ALL else 20), name in ("matrices", "vectors"))


def browsers_show_the_coefficients(folder):
    need("three")
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        raise Skip("no Chromium")
    for name, project in (("cone", by_kernel("cone")), ("helpers", fitted("helper-joints", "--set", "helpers=3"))):
        found = node(HERE / "in_chromium.mjs", FOLDER, PLAYER, *exported(folder, name, project), *ENGINES)
        for engine in ENGINES:
            check_engine(f"{name} in Chromium", found[engine], False)


def graphs_set_the_weights(folder):
    """KHR_interactivity: Babylon's own loader, with no player, sets the weights of the vectors at their poses."""
    need("@babylonjs/core")
    for kernel in ("cone", "linear", "thin-plate", "inverse-multiquadric"):
        glb, vectors = folder / f"{kernel}.glb", folder / f"{kernel}.vectors"
        sinew("export", by_kernel(kernel), "-o", glb, "--live", "--vectors", vectors, "--allow-error", 100)
        found = node(FOLDER / "live.mjs", glb, vectors, 20)
        print(kernel, found)
        assert found["worst"] < 1e-4 and found["largest"] > 0.1 and not found["logged"], (kernel, found)


def graphs_without_a_pose_space_are_refused(folder):
    plain = tiny_arm(folder / "plain.sinew")
    said = sinew("export", plain, "-o", folder / "plain.glb", "--live", status=1).stderr
    assert "no layer has a pose space" in said and not (folder / "plain.glb").exists(), said
    assert "--live: .glb and .gltf" in refusal("export", plain, "-o", folder / "plain.fbx", "--live", status=2)


def the_player_is_one_short_file(_):
    lines = [line.strip() for line in PLAYER.read_text(encoding="utf-8").splitlines()]
    assert not any(line.startswith("import") for line in lines)
    assert sum(bool(line) and not line.startswith("//") for line in lines) < 300


run((the_player_is_one_short_file, vectors_hold_the_player, vectors_are_the_same_each_time_and_refused_without_a_drive,
     graphs_without_a_pose_space_are_refused, engines_show_the_coefficients,
     *([graphs_set_the_weights, browsers_show_the_coefficients] if ALL else [])))
