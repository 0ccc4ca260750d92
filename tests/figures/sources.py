# SPDX-License-Identifier: GPL-3.0-or-later
"""Where published figures come from. Each function takes a scratch folder and the rest of its line in figures.json, and answers
with numbers by key: "against/method/measure" for errors."""

import functools
import json
import math
import os
import re
import shutil
import sqlite3
import struct
import subprocess
from pathlib import Path

from harness import answer, data, made, sample_arm, sinew

REGIONS = {"elbow120": "elbow", "elbow120_twist70": "elbow", "shoulder_up": "shoulder", "knee110": "knee", "hip90": "hip", "neck60": None}
# What moves with each limb; the trunk is the rest.
BODY = {"arms": "joints:upperarm_l,upperarm_r", "legs": "joints:thigh_l,thigh_r", "head and neck": "joints:neck_01"}
ANIMATIONS = {
    "cat": ("--sequence", "cat-poses/*.obj", "--rest", "cat-poses-rest.obj"),
    "horse": ("--sequence", "horse-gallop/*.obj", "--rest", "horse-gallop-rest.obj"),
    "horse-poses": ("--sequence", "horse-poses/*.obj", "--rest", "horse-poses-rest.obj"),
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


def import_human(project, *clips):
    """The human against the non-linear rig."""
    sinew("import", data("human-rig/human.glb"), "-o", project)
    for clip in clips:
        sinew("target", project, "add", "--clip", clip, "--file", data(f"human-rig/target-{clip}.pc2"))


def add_sculpts(project, groups):
    """Sculpts by name, each in a group of its name for each side; None: in one group for both."""
    for name, group in groups.items():
        sinew("pose", project, "add", name, "--file", data(f"human-sculpts/{name}.json"))
        sides = ["--group", f"{group}-left", "--mask", "x+", "--group", f"{group}-right", "--mask", "x-"]
        sinew("example", project, "add", "--name", name, "--pose", name, "--file", data(f"human-sculpts/{name}-target.obj"),
              *(sides if group else ["--group", "neck"]))


@functools.cache
def human_project():
    """The human with six sculpts and their groups, not fitted."""
    project = Path(made().name) / "figures-human.sinew"
    import_human(project, "rom", "dance")
    add_sculpts(project, REGIONS)
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


def human_set(folder, *words):
    """With other settings of the pose space."""
    project = Path(shutil.copy(human_project(), folder / "human.sinew"))
    return errors(answer("fit", "inverse-psd", project, *settings(words))["errors"])


def human_first(folder, kernel):
    """With the first 1, 2, 3, 5 and all 6 sculpts: "2 rom", "2 dance"."""
    found = {}
    for count in 1, 2, 3, 5, 6:
        project = Path(shutil.copy(human_project(), folder / "human.sinew"))
        for row in answer("example", project, "list")["examples"][count:]:
            sinew("example", project, "mute", row["name"])
        sinew("fit", "inverse-psd", project, "--set", f"kernel={kernel}")
        rows = errors(answer("measure", project)["errors"])
        found |= {f"{count} {clip}": rows[f"{clip}/stack/erms"] for clip in ("rom", "dance")}
    return found


def human_regions(folder, *words):
    """Errors by region: "rom arms/stack/erms"."""
    project = Path(shutil.copy(human_project(), folder / "human.sinew"))
    sinew("fit", "inverse-psd", project, *settings(words))
    rows = [(row, None, row["against"]) for row in answer("measure", project)["errors"]]
    for name, mask in BODY.items():
        rows += [(row, name, row["against"].removesuffix(f" in {mask}")) for row in answer("measure", project, "--region", mask)["errors"]]
    result, rest = {}, {}
    for row, region, against in rows:
        key, sign = (against, row["method"]), -1 if region else 1
        squares, points = rest.get(key, (0, 0))
        rest[key] = squares + sign * row["points"] * row["erms"] ** 2, points + sign * row["points"]
        result[f"{against} {region or 'all'}/{row['method']}/erms"] = row["erms"]
    return result | {f"{against} trunk/{method}/erms": math.sqrt(squares / points) for (against, method), (squares, points) in rest.items()}


def human_limbs(folder):
    """One group for a whole arm or leg."""
    project = folder / "limbs.sinew"
    import_human(project, "rom", "dance")
    limbs = {"elbow": "arm", "shoulder": "arm", "knee": "leg", "hip": "leg", None: None}
    add_sculpts(project, {name: limbs[region] for name, region in REGIONS.items()})
    return errors(answer("fit", "inverse-psd", project)["errors"])


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
    before = errors(answer("measure", project)["errors"])
    sinew("fit", "inverse-psd", project)
    after = errors(answer("measure", project)["errors"])
    return {f"{when} {key}": value for when, rows in (("bare", before), ("sculpted", after)) for key, value in rows.items()}


def base(_folder, character, *layers):
    return based(character, *layers)


def suggestions(project, count):
    """What each example is worth, and the frames that would help most."""
    result = answer("pose", project, "suggest", "--clip", "rom", "--count", count)
    without = {f"without {row['example']}": row["erms"] for row in result["without"]}
    more = {f"and {i} more": row["erms"] for i, row in enumerate(result["suggested"], 1)}
    before = {f"before {i} more": row["erms_before"] for i, row in enumerate(result["suggested"], 1)}
    return {"all": result["erms"], **without, **more, **before}


def human_suggestions(_folder, count):
    return suggestions(fitted_human()[0], count)


def two_sculpts_suggestions(folder, count):
    """The human with the sculpts of an elbow and a knee."""
    project = folder / "two.sinew"
    import_human(project, "rom")
    add_sculpts(project, {name: REGIONS[name] for name in ("elbow120", "knee110")})
    sinew("fit", "inverse-psd", project)
    return suggestions(project, count)


def human_learned(folder, method="linear-blend-fit", *words):
    """A blend learned from the range of motion alone."""
    project = folder / "learned.sinew"
    import_human(project, "rom")
    sinew("fit", method, project, *settings(words))
    sinew("target", project, "add", "--clip", "dance", "--file", data("human-rig/target-dance.pc2"))
    return errors(answer("measure", project)["errors"])


def human_regressed(folder, *words):
    """Pose regression over the rig's own blend, learned from the range of motion alone."""
    project = folder / "regressed.sinew"
    import_human(project, "rom", "dance")
    result = errors(answer("fit", "pose-regression", project, "--clip", "rom", *settings(words))["errors"])
    return {**result, "kB": model_bytes(project) / 1e3, "MB": model_bytes(project) / 1e6}


def human_proxied(folder, *words):
    """Rotational regression, learned from the range of motion alone."""
    project = folder / "proxied.sinew"
    import_human(project, "rom", "dance")
    done = sinew("fit", "rotational-regression", project, "--clip", "rom", *settings(words), "--json")
    blend = re.search(r"proxies with a root mean square distance of (\S+) mm", done.stderr)
    return {**errors(json.loads(done.stdout)["errors"]), "blend mm": float(blend[1]) if blend else math.nan}


def human_few(folder, method):
    """A skin learned from the six sculpts alone."""
    project = Path(shutil.copy(human_project(), folder / "few.sinew"))
    return errors(answer("fit", method, project, "--clip", "examples")["errors"])


def captured(folder, name):
    """How far the joints of a captured person are from where they are marked, percent of the diagonal: the pelvis, and the worst of the others."""
    project, marks = folder / "captured.sinew", json.loads(data(f"capture-{name}/joints.json").read_text())["joints"]
    sinew("import", "--sequence", data(f"capture-{name}/frames.pc2"), "--rest", data(f"capture-{name}/rest.obj"), "-o", project)
    sinew("skeleton", project)
    places = [joint["place"] for joint in answer("joint", project, "list")["joints"]]
    diagonal = answer("info", project)["meshes"][0]["diagonal"]
    off = {mark: 100 * min(math.dist(place, at) for at in places) / diagonal for mark, place in marks.items()}
    return {"pelvis": off.pop("pelvis"), "worst": max(off.values()), "bones": len(places) - 1}


def human_exported(folder, method):
    """A blend learned from the range of motion, exported with the dance and read back."""
    project, file = folder / "learned.sinew", folder / "dance.glb"
    import_human(project, "rom")
    sinew("fit", method, project)
    lost = answer("export", project, "-o", file, "--clip", "dance", "--allow-error", 100)
    back = folder / "back.sinew"
    sinew("import", file, "-o", back)
    sinew("target", back, "add", "--clip", "dance", "--file", data("human-rig/target-dance.pc2"))
    return {**errors(answer("measure", back)["errors"]), "lost": lost["erms"]}


@functools.cache
def horse_project():
    """Ten poses of a horse with a skeleton made from them, and its gallop, tracked through the skeleton's own skin."""
    project = Path(made().name) / "figures-horse-poses.sinew"
    sinew("import", "--sequence", data("horse-poses") / "*.obj", "--rest", data("horse-poses-rest.obj"), "-o", project)
    sinew("skeleton", project, "--bones", 24)
    sinew("track", project, "--sequence", data("horse-gallop") / "*.obj", "--clip", "gallop", "--method", "linear-blend")
    return project


def horse_learned(folder, method, *words):
    """A blend learned from the ten poses, in the gallop."""
    project = Path(shutil.copy(horse_project(), folder / "horse.sinew"))
    sinew("fit", method, project, "--clip", "horse-poses", *settings(words))
    return errors(answer("measure", project)["errors"])


@functools.cache
def cat_project():
    """Nine poses of a cat as examples of a skeleton made from them."""
    project = Path(made().name) / "figures-cat-left-out.sinew"
    frames = data("cat-poses") / "*.obj"
    sinew("import", "--sequence", frames, "--rest", data("cat-poses-rest.obj"), "-o", project)
    sinew("skeleton", project, "--bones", 24)
    sinew("track", project, "--poses", frames, "--clip", "cat", "--method", "linear-blend")
    sinew("target", project, "remove", "cat-poses")
    return project


def cat_left_out(folder, method, *words):
    """The root of the mean square of the errors of poses that were left out in turn."""
    project = Path(shutil.copy(cat_project(), folder / "cat.sinew"))
    sinew("fit", method, project, *settings(words))
    rows = answer("measure", project, "--leave-one-out")["leave_one_out"]
    return {"erms": (sum(row["erms"] ** 2 for row in rows) / len(rows)) ** 0.5}


def subdivided(folder, file, scheme):
    """How far linear blend with subdivided weights is from the subdivided results of the blend."""
    project = folder / "subdivided.sinew"
    sinew("import", data(file), "-o", project)
    report = answer("mesh", project, "subdivide", "--scheme", scheme)
    return {key: report[f"naive_{key}"] for key in ("erms", "max_percent")}


def tube(folder, clip, method, *words):
    """The sample tube, learned from one of its clips alone."""
    project = folder / "tube.sinew"
    sinew("sample", "tube", "-o", project)
    sinew("fit", method, project, "--clip", clip, *settings(words))
    return errors(answer("measure", project)["errors"])


def model_bytes(project):
    """Of the model that was fitted last."""
    return sqlite3.connect(project).execute(
        "SELECT length(array.bytes) FROM model JOIN array ON array.id = model.bytes ORDER BY model.id DESC").fetchone()[0]


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


def sad_sized(folder, name, *words):
    """The same with the model's size, and how much smaller the animation becomes, counted as in the paper."""
    row = sad(folder, name, *words)
    project = folder / "sad.sinew"
    compressed, = answer("info", project)["compression"]
    return {**row, "times smaller": compressed["ratio"], "model MB": model_bytes(project) / 1e6}


def sad_exported(folder, name, *words):
    """The same in the file for engines: its error against the simulation, and megabytes, beside those of a cache of the points."""
    project, file = Path(shutil.copy(animation(name), folder / "sad.sinew")), folder / "sad.glb"
    row, = answer("fit", "sad", project, *settings(words))["errors"]
    lost = answer("export", project, "-o", file)
    sinew("export", project, "-o", folder / "sad.pc2")
    return {**row, "source_erms": lost["source_erms"], "glb MB": file.stat().st_size / 1e6,
            "cache MB": (folder / "sad.pc2").stat().st_size / 1e6}


def skeleton(folder, name, bones):
    """A skeleton for an animation, and learned weights on it."""
    project, file = Path(shutil.copy(animation(name), folder / "skeleton.sinew")), folder / "skeleton.glb"
    sinew("skeleton", project, "--bones", bones)
    before, learned = answer("fit", "linear-blend-fit", project)["errors"]
    sinew("export", project, "-o", file)
    return {"skeleton": before["erms"], "learned": learned["erms"], "kB": file.stat().st_size / 1e3}


def bound(folder, source, clip):
    """Weights made from the shape, or from one clip's target, against the range of motion. They are near the artist's weights, or better."""
    project = folder / "bound.sinew"
    import_human(project, clip)
    sinew("bind", project, "--replace", "--set", f"source={source}")
    if clip != "rom":
        sinew("target", project, "add", "--clip", "rom", "--file", data("human-rig/target-rom.pc2"))
    made = errors(answer("measure", project, "--clip", "rom")["errors"])
    sinew("undo", project)
    if clip != "rom":
        sinew("undo", project)
        sinew("target", project, "add", "--clip", "rom", "--file", data("human-rig/target-rom.pc2"))
    of_artist = errors(answer("measure", project, "--clip", "rom")["errors"])["rom/linear-blend/erms"]
    assert made["rom/linear-blend/erms"] < {"heat": 1.15, "auto": 0.9}[source] * of_artist, (made, of_artist)
    return made


def tracked(folder, kind):
    """A skeleton from ten poses of a horse, tracked through its gallop."""
    project = folder / "tracked.sinew"
    sinew("import", "--sequence", data("horse-poses") / "*.obj", "--rest", data("horse-poses-rest.obj"), "-o", project)
    sinew("skeleton", project, "--bones", 24)
    sinew("track", project, "--sequence", data("horse-gallop") / "*.obj", "--clip", "gallop", *(["--free"] if kind == "free" else []))
    return answer("measure", project, "--clip", "gallop")["errors"][0]


def bounds(folder, character, stack="linear-blend", *poses):
    """How many times as large as the exact box the bounds of random poses are (bounds.c), with the sculpts fitted if the stack is "fitted".
    It fails where a point leaves them."""
    path = data(character) if "." in character else character
    if stack == "fitted":
        path = fitted_human()[0] if character == "human" else folder / "arm.sinew"
    if stack == "fitted" and character == "arm":
        sinew("sample", "arm", "-o", path)
        sinew("fit", "inverse-psd", path)
    done = subprocess.run([os.environ["SINEW_BOUNDS_FIGURES"], path, *poses], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def exported(folder, character):
    """What the export tells of the sample arm or the human with their sculpts fitted."""
    if character == "human":
        return answer("export", fitted_human()[0], "-o", folder / "human.glb")
    sinew("sample", "arm", "-o", folder / "arm.sinew")
    sinew("fit", "inverse-psd", folder / "arm.sinew")
    return answer("export", folder / "arm.sinew", "-o", folder / "arm.glb")


def exported_size(folder, *options):
    """Megabytes of the file of the human as it came, with its two clips."""
    sinew("import", data("human-rig/human.glb"), "-o", folder / "human.sinew")
    return {"MB": answer("export", folder / "human.sinew", "-o", folder / "human.glb", *options)["bytes"] / 1e6}


@functools.cache
def cow_project():
    """The simulated body: a skeleton from its first 60 frames, and the poses of the other 40 tracked."""
    project, folder = Path(made().name) / "figures-cow.sinew", Path(made().name)
    frames = data("soft-body/frames.pc2").read_bytes()
    points, = struct.unpack("<i", frames[16:20])
    for name, begin, end in (("first", 0, 60), ("second", 60, 100)):
        (folder / f"{name}.pc2").write_bytes(frames[:28] + struct.pack("<i", end - begin) + frames[32 + 12 * points * begin:32 + 12 * points * end])
    sinew("import", "--sequence", folder / "first.pc2", "--rest", data("soft-body/rest.obj"), "-o", project)
    sinew("skeleton", project, "--bones", 24)
    sinew("track", project, "--sequence", folder / "second.pc2", "--clip", "unseen")
    return project


@functools.cache
def hand_project():
    """The hand of simulated flesh with the targets of its two clips."""
    project = Path(made().name) / "figures-hand.sinew"
    sinew("import", data("hand-flesh/hand.glb"), "-o", project)
    for clip in ("train", "test"):
        sinew("target", project, "add", "--clip", clip, "--file", data(f"hand-flesh/target-{clip}.pc2"))
    return project


def sculpted(project, clip, frames):
    """With frames of a target as sculpts, in one group."""
    script = project.with_suffix(".sculpts")
    script.write_text("".join(f"example add --name f{f} --pose {clip}:{f / 24:.6f} --target {clip} --group sculpts\n" for f in frames))
    sinew("do", project, script)
    return project


def hand_weighted(folder):
    """Weighted pose space deformation with every eighth frame of the hand's first clip as a sculpt."""
    return weighted(sculpted(Path(shutil.copy(hand_project(), folder / "hand.sinew")), "train", range(8, 97, 8)))


def cow_weighted(folder):
    """The same with every fifth frame of the cow's first clip."""
    return weighted(sculpted(Path(shutil.copy(cow_project(), folder / "cow.sinew")), "first", range(4, 60, 5)))


def weighted(project):
    rows = answer("fit", "inverse-psd", project, "--set", "weighted=on")["errors"]
    normals = {f"{row['against']}/{row['method']}/normals_degrees": row["normals_degrees"] for row in rows}
    return {**errors(rows), **normals, "kB": model_bytes(project) / 1e3}


def human_weighted(folder):
    """The same with the six sculpts of the human, each in its group."""
    return weighted(shutil.copy(human_project(), folder / "human.sinew"))


def arm_project():
    return sample_arm(Path(made().name) / "figures-arm.sinew")


COMPARED = {"human": (human_project, "--train", "rom", "--test", "dance"),
            "arm": (arm_project, "--train", "both", "--test", "bend"),
            "hand": (hand_project, "--train", "train", "--test", "test"),
            "cow": (cow_project, "--train", "first", "--test", "unseen", "--sculpts", 12)}


def comparison(character, method, *words):
    """The row of a method, its errors by "split/measure"."""
    project, *clips = COMPARED[character]
    row, = answer("compare", project(), *clips, "--methods", method, *words)["methods"]
    scores = {f"{split}/{measure}": value for split in ("train", "test", "left_out") for measure, value in row.get(split, {}).items()}
    sizes = {"kB": row["model_bytes"] / 1e3, "millions": (row["cost"]["operations"] or 0) / 1e6}
    return {**scores, **sizes, "file": row["export"].get("source_erms"), **{str(point["frames"]): point["erms"] for point in row["curve"]}}


def compared(_folder, character, method):
    return comparison(character, method, "--folds", 0, "--curve", "none")


def left_out(_folder, character, method):
    return comparison(character, method, "--curve", "none")


def curve(_folder, character, method, frames):
    return comparison(character, method, "--folds", 0, "--curve", frames)


def bench_invert(_folder):
    """How many calls of a black box each solver needs."""
    return {f"{row['below']}/{row['solver']}": row["calls"] for row in answer("bench", "invert")["rows"]}


SOURCES = {"arm": arm, "base": base, "bench-invert": bench_invert, "bound": bound, "bounds": bounds, "cat-left-out": cat_left_out,
           "exported": exported, "exported-size": exported_size,
           "horse-learned": horse_learned, "human": human, "human-by": human_by, "human-exported": human_exported,
           "human-learned": human_learned, "human-limbs": human_limbs, "human-proxied": human_proxied, "human-regions": human_regions, "human-regressed": human_regressed,
           "captured": captured, "human-few": human_few, "human-first": human_first, "human-set": human_set, "human-suggestions": human_suggestions, "sad": sad, "sad-exported": sad_exported, "sad-sized": sad_sized,
           "skeleton": skeleton, "subdivided": subdivided, "tracked": tracked, "tube": tube, "two-sculpts-suggestions": two_sculpts_suggestions}
SOURCES.update({"compared": compared, "cow-weighted": cow_weighted, "hand-weighted": hand_weighted, "human-weighted": human_weighted, "left-out": left_out, "curve": curve})
