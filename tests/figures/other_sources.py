# SPDX-License-Identifier: GPL-3.0-or-later
"""More sources of published figures, as in sources.py: samples, pictures, benchmarks, and what test programs print."""

import math
import os
import re
import shutil
import subprocess
from pathlib import Path

from harness import SINEW, Skip, answer, data, obj_points, sinew
from sources import REGIONS, add_sculpts, errors, fitted_human, import_human, settings


def sampled(folder, name, *words):
    """Inverse PSD on a sample."""
    project = folder / "sample.sinew"
    sinew("sample", name, "-o", project)
    return errors(answer("fit", "inverse-psd", project, *settings(words))["errors"])


def trained(folder, name, method):
    """A method that learns from the three poses of a sample: the enveloping error of those between."""
    project = folder / "sample.sinew"
    sinew("sample", name, "-o", project)
    row, = answer("compare", project, "--train", "train", "--test", "test", "--methods", method, "--folds", 0, "--curve", "none")["methods"]
    return {"enveloping_error": row["test"]["enveloping_error"]}


def arm_suggestion(folder, clip):
    """The error of the sample arm in a clip with the frame that would help most."""
    project = folder / "arm.sinew"
    sinew("sample", "arm", "-o", project)
    sinew("fit", "inverse-psd", project)
    row, = answer("pose", project, "suggest", "--clip", clip, "--count", 1)["suggested"]
    return {"erms": row["erms"]}


def human_limbs_set(folder, *words):
    """One group for a whole arm or leg, with other settings."""
    project = folder / "limbs.sinew"
    import_human(project, "rom", "dance")
    limbs = {"elbow": "arm", "shoulder": "arm", "knee": "leg", "hip": "leg", None: None}
    add_sculpts(project, {name: limbs[region] for name, region in REGIONS.items()})
    return errors(answer("fit", "inverse-psd", project, *settings(words))["errors"])


def human_played(folder):
    """What the exported human loses."""
    return answer("export", fitted_human()[0], "-o", folder / "human.glb")


def human_regressed_over(folder, below):
    """Pose regression over weights learned from the same motion."""
    project = folder / "regressed.sinew"
    import_human(project, "rom", "dance")
    sinew("fit", below, project, "--clip", "rom")
    return errors(answer("fit", "pose-regression", project, "--clip", "rom")["errors"])


def drawn(folder, picture, *poses):
    """How far forward and inverse correctives of a picture are apart at its poses, in millimetres. draw.sh makes the project with strokes
    in a window."""
    if not shutil.which("Xvfb"):
        raise Skip("Xvfb is not installed")
    draw = Path(__file__).parents[2] / "docs" / "pictures" / "draw.sh"
    subprocess.run([draw, picture], check=True, capture_output=True, env={
        **os.environ, "SINEW": SINEW, "SINEW_TEST_DATA": str(data(".")), "SINEW_PICTURES": str(folder), "SINEW_PROJECTS": str(folder)})
    project, apart = folder / f"{picture}.sinew", {}
    for pose in poses:
        for mode in ("forward", "inverse"):
            sinew("export", project, "--pose", pose, "--method", f"{mode} PSD", "-o", folder / f"{mode}.obj")
        pairs = zip(obj_points(folder / "forward.obj"), obj_points(folder / "inverse.obj"))
        apart[pose] = 1000 * max(math.dist(*pair) for pair in pairs)
    return {**apart, "most": max(apart.values())}


def tested(group):
    """What a group of the deformers' tests prints."""
    return subprocess.run([os.environ["SINEW_DEFORMERS_TEST"], group], capture_output=True, text=True, check=True).stdout


def known_skeletons(_folder, group):
    """Skeletons that are known, recovered (tests/deformers/motion): degrees and percent, the worst of all seeds."""
    text, result = tested(group), {}
    for noise, degrees, percent in re.findall(r"noise (\S+) %: rotations within (\S+) degrees, joints within (\S+) %", text):
        for key, value in ((f"{noise} degrees", float(degrees)), (f"{noise} percent", float(percent))):
            result[key] = max(result.get(key, 0), value)
    row = r"(\w+): rotations (\S+) degrees on average, at most (\S+); \d+ joints (\S+) % on average, at most (\S+); "
    for name, *numbers in re.findall(row, text):
        result |= dict(zip((f"{name} {key}" for key in ("mean degrees", "degrees", "mean percent", "percent")), map(float, numbers)))
    row = r"(\w+): \d+ bones with parts, rotations within (\S+) degrees, joints between them within (\S+) %"
    for name, degrees, percent in re.findall(row, text):
        result |= {f"{name} part degrees": float(degrees), f"{name} part percent": float(percent)}
    return result


def tube_volumes(_folder):
    """Percent of the joint's volume that the fitted tubes keep (tests/deformers/tubes.c)."""
    row = r"(\w+): of the joint's volume, linear blend keeps (\S+) % at 90°, (\S+) % in the mean; animation space (\S+) % and (\S+) %"
    keys = "linear blend", "linear blend mean", "animation space", "animation space mean"
    return {f"{name} {key}": float(number) for name, *numbers in re.findall(row, tested("tubes"))
            for key, number in zip(keys, numbers)}


def bench_invert_over(_folder, variable):
    """How many calls of the deformer in the file that the variable names each solver needs."""
    rows = answer("bench", "invert", "--over", os.environ[variable])["rows"]
    return {f"{row['below']}/{row['solver']}": row["calls"] for row in rows}


def bench_sculpt(_folder):
    """How many points a dab reaches, on both sides."""
    rows = answer("bench", "sculpt", "--seconds", 0.001, "--repeats", 1)["rows"]
    return {row["brush"]: row["reached"] for row in rows if row["symmetric"]}


def bench_train(_folder, method, *words):
    """What the skin of a method and its linear blend cost."""
    options = [f"--{word}" if i % 2 == 0 else word for i, word in enumerate(words)]
    rows = answer("bench", "train", "--method", method, *options)
    costs = {f"{row['method']}/{key}": row[key] / 1e6 for row in rows["rows"] for key in ("operations", "bytes")}
    return {**costs, "points": rows["points"], "joints": rows["joints"]}


def sad_face(folder, *words):
    """The shapes of the sample face by proxy joints."""
    project = folder / "face.sinew"
    sinew("sample", "face", "-o", project)
    row, = answer("fit", "sad", project, *settings(words))["errors"]
    return row


def baked(folder, budget, *layers):
    """Skins of the human for engines: against the stack ("4 influences, 8 morphs/erms"), with each joint alone ("alone …") and the ground truth ("truth …").
    The stack is inverse PSD over six sculpts, or these layers."""
    project = folder / "stack.sinew"
    if layers:
        import_human(project, "rom", "dance")
    for layer in layers:
        sinew("stack", project, "add", layer)
    said = answer("bake", project if layers else fitted_human()[0], "--for", "three", "--budget", budget, "-o", folder / "baked.sinew")
    rows, result = said["skins"] + said["curve"], {}
    for row in rows:
        result[f"{row['name']}/MB"] = row.get("bytes", 0) / 1e6
        for prefix, against in (("", "against_stack"), ("truth ", "against_truth"), ("alone ", "each_joint_alone")):
            for key in ("erms", "max_percent", "normals_degrees"):
                result[f"{prefix}{row['name']}/{key}"] = row.get(against, {}).get(key, math.nan)
    return result


def baked_man(folder, budget):
    """CesiumMan as dual quaternions, from his walk: held out, and "alone …" with each joint alone."""
    project, result = folder / "man.sinew", {}
    sinew("import", data("characters/CesiumMan.glb"), "-o", project)
    sinew("stack", project, "add", "dual-quaternion")
    said = answer("bake", project, "--budget", budget, "-o", folder / "baked.sinew")
    for row in said["skins"][1:] + said["curve"]:
        for prefix, against in (("", "against_stack"), ("alone ", "each_joint_alone")):
            result |= {f"{prefix}{row['name']}/{key}": row[against][key] for key in ("erms", "max_percent")}
    return result


def hand_learned(project):
    """The hand of simulated flesh with an affine blend, fitted to one of its clips."""
    sinew("import", data("hand-flesh/hand.glb"), "-o", project)
    for clip in ("train", "test"):
        sinew("target", project, "add", "--clip", clip, "--file", data(f"hand-flesh/target-{clip}.pc2"))
    sinew("fit", "animation-space", project, "--clip", "train")


def bent_arm(project):
    sinew("sample", "arm", "-o", project)
    sinew("fit", "inverse-psd", project)


def imported(file):
    return lambda project: sinew("import", data(file), "-o", project)


CHARACTERS = {"arm": bent_arm, "corrected-human": lambda project: shutil.copy(fitted_human()[0], project),
              "hand": imported("hand-flesh/hand.glb"), "human": imported("human-rig/human.glb"), "learned-hand": hand_learned,
              "man": imported("characters/CesiumMan.glb")}


def leveled(folder, character, made_from, measured_in, *limits):
    """What levels that are made from one clip, or from all, are off in a clip: by the level's number."""
    project, result = folder / "leveled.sinew", {}
    CHARACTERS[character](project)
    sinew("lod", project, "make", "--level", " ".join(limits), *([] if made_from == "all" else ["--clip", made_from]))
    for number in range(1, len(limits) + 1):
        row, = (row for row in answer("lod", project, "show", number, "--clip", measured_in)["errors"] if row["clip"] == measured_in)
        result |= {f"{number} {key}": row[f"{key}_percent"] for key in ("rms", "largest", "uv_rms")}
    return result


OTHER_SOURCES = {"baked-man": baked_man, "arm-suggestion": arm_suggestion, "baked": baked, "bench-invert-over": bench_invert_over, "bench-sculpt": bench_sculpt, "bench-train": bench_train, "drawn": drawn,
                 "human-limbs-set": human_limbs_set, "human-played": human_played, "human-regressed-over": human_regressed_over,
                 "known-skeletons": known_skeletons, "leveled": leveled, "sad-face": sad_face, "sampled": sampled, "trained": trained, "tube-volumes": tube_volumes}
