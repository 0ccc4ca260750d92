# SPDX-License-Identifier: GPL-3.0-or-later
"""Where published figures come from. Each function takes a scratch folder and the rest of its line in figures.json, and answers
with numbers by key: "against/method/measure" for errors."""

import functools
import shutil
from pathlib import Path

from harness import answer, data, made, sinew

REGIONS = {"elbow120": "elbow", "elbow120_twist70": "elbow", "shoulder_up": "shoulder", "knee110": "knee", "hip90": "hip", "neck60": None}
ANIMATIONS = {
    "horse": ("--sequence", "horse-gallop/*.obj", "--rest", "horse-gallop-rest.obj"),
    "flag": ("--sequence", "cloth-flag/frames.pc2", "--rest", "cloth-flag/rest.obj"),
    "skirt": ("--sequence", "cloth-skirt/frames.pc2", "--rest", "cloth-skirt/rest.obj"),
    "soft": ("--sequence", "soft-body/frames.pc2", "--rest", "soft-body/rest.obj"),
}


def errors(rows):
    """Every measure of every row. A row's method is the whole stack where it is called so."""
    return {f"{row['against']}/{row['method']}/{measure}": row[measure] for row in rows
            for measure in ("erms", "distortion_percent", "enveloping_error", "max_percent")}


def settings(words):
    return [part for word in words for part in ("--set", word)]


def arm(folder, *words):
    """The sample arm with inverse PSD."""
    project = folder / "arm.sinew"
    sinew("sample", "arm", "-o", project)
    return errors(answer("fit", "inverse-psd", project, *settings(words))["errors"])


@functools.cache
def human_project():
    """The human against the non-linear rig, with six sculpts and their groups, not fitted."""
    project = Path(made().name) / "figures-human.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    for clip in ("rom", "dance"):
        sinew("target", project, "--clip", clip, "--mesh", data(f"human-rig/target-{clip}.pc2"))
    for name, region in REGIONS.items():
        sinew("pose", project, "add", name, "--file", data(f"human-sculpts/{name}.json"))
        sides = ["--group", f"{region}-left", "--mask", "x+", "--group", f"{region}-right", "--mask", "x-"]
        sinew("example", project, "add", "--name", name, "--pose", name, "--mesh", data(f"human-sculpts/{name}-target.obj"),
              *(sides if region else ["--group", "neck"]))
    return project


@functools.cache
def fitted_human():
    project = Path(made().name) / "figures-human-fitted.sinew"
    shutil.copy(human_project(), project)
    return project, errors(answer("fit", "inverse-psd", project)["errors"])


def human(_folder):
    return fitted_human()[1]


def human_by(_folder, *words):
    """Measured with options of `sinew measure`."""
    return errors(answer("measure", fitted_human()[0], *words)["errors"])


@functools.cache
def based(character, *layers):
    """Inverse PSD over other layers than linear blend: of the human or of the arm."""
    project = Path(made().name) / f"figures-{'-'.join((character, *layers))}.sinew"
    if character == "human":
        shutil.copy(human_project(), project)
    else:
        sinew("sample", "arm", "-o", project)
    for layer in layers:
        sinew("stack", project, "add", layer)
    if "dual-quaternion" in layers:
        sinew("stack", project, "mute", "linear-blend")
    before = errors(answer("measure", project)["errors"])
    sinew("fit", "inverse-psd", project)
    after = errors(answer("measure", project)["errors"])
    return {f"{when} {key}": value for when, rows in (("bare", before), ("sculpted", after)) for key, value in rows.items()}


def base(_folder, character, *layers):
    return based(character, *layers)


def human_suggestions(_folder, count):
    """What each example is worth, and the frames that would help most."""
    result = answer("pose", fitted_human()[0], "suggest", "--clip", "rom", "--count", count)
    without = {f"without {row['example']}": row["erms"] for row in result["without"]}
    more = {f"and {i} more": row["erms"] for i, row in enumerate(result["suggested"], 1)}
    return {"all": result["erms"], **without, **more}


def human_learned(folder, method="linear-blend-fit", *words):
    """A blend learned from the range of motion alone."""
    project = folder / "learned.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("target", project, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"))
    sinew("fit", method, project, *settings(words))
    sinew("target", project, "--clip", "dance", "--mesh", data("human-rig/target-dance.pc2"))
    return errors(answer("measure", project)["errors"])


def human_regressed(folder, *words):
    """Pose regression over the rig's own blend, learned from the range of motion alone."""
    project = folder / "regressed.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    for clip in ("rom", "dance"):
        sinew("target", project, "--clip", clip, "--mesh", data(f"human-rig/target-{clip}.pc2"))
    return errors(answer("fit", "pose-regression", project, "--on", "rom", *settings(words))["errors"])


def human_proxied(folder, *words):
    """Rotational regression, learned from the range of motion alone."""
    project = folder / "proxied.sinew"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    for clip in ("rom", "dance"):
        sinew("target", project, "--clip", clip, "--mesh", data(f"human-rig/target-{clip}.pc2"))
    return errors(answer("fit", "rotational-regression", project, "--on", "rom", *settings(words))["errors"])


def human_exported(folder, method):
    """A blend learned from the range of motion, exported with the dance and read back."""
    project, file = folder / "learned.sinew", folder / "dance.glb"
    sinew("import", data("human-rig/human.glb"), "-o", project)
    sinew("target", project, "--clip", "rom", "--mesh", data("human-rig/target-rom.pc2"))
    sinew("fit", method, project)
    lost = answer("export", project, "-o", file, "--clip", "dance")
    back = folder / "back.sinew"
    sinew("import", file, "-o", back)
    sinew("target", back, "--clip", "dance", "--mesh", data("human-rig/target-dance.pc2"))
    return {**errors(answer("measure", back)["errors"]), "lost": lost["erms"]}


def tube(folder, clip, method, *words):
    """The sample tube, learned from one of its clips alone."""
    project = folder / "tube.sinew"
    sinew("sample", "tube", "-o", project)
    sinew("fit", method, project, "--on", clip, *settings(words))
    return errors(answer("measure", project)["errors"])


@functools.cache
def animation(name):
    project = Path(made().name) / f"figures-{name}.sinew"
    option, pattern, rest, at_rest = ANIMATIONS[name]
    frames = data(str(Path(pattern).parent)) / Path(pattern).name
    sinew("import", option, frames, rest, data(at_rest), "-o", project)
    return project


def sad(folder, name, *words):
    """An animated mesh as a skin; keys are measures."""
    project = Path(shutil.copy(animation(name), folder / "sad.sinew"))
    row, = answer("fit", "sad", project, *settings(words))["errors"]
    return row


def bench_invert(_folder):
    """How many calls of a black box each solver needs."""
    return {f"{row['below']}/{row['solver']}": row["calls"] for row in answer("bench", "invert")["rows"]}


SOURCES = {"arm": arm, "base": base, "human": human, "human-by": human_by, "human-suggestions": human_suggestions, "human-learned": human_learned,
           "sad": sad, "human-exported": human_exported, "human-regressed": human_regressed,
           "human-proxied": human_proxied, "tube": tube, "bench-invert": bench_invert}
