#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user chooses which clips a fit reads: sinew fit --clip."""

import functools
import math
import re
import shutil
from pathlib import Path

from harness import LONG, answer, made, obj_points, refusal, run, sample_arm, sinew, tiny_arm, write_moved_obj

METHOD = "linear-blend-fit"


def error_on(project, clip):
    rows = answer("measure", project, "--method", METHOD, "--clip", clip)["errors"]
    return next(row["erms"] for row in rows if row["method"] == METHOD)


@functools.cache
def _fitted(*words):
    project = tiny_arm(Path(made().name) / f"fitted{'-'.join(words)}.sinew")
    sinew("fit", METHOD, project, *words)
    return project


def fitted(folder, name, *words):
    return Path(shutil.copy(_fitted(*words), folder / f"{name}.sinew"))


@functools.cache
def _fitted_over_a_base():
    project = tiny_arm(Path(made().name) / "over-a-base.sinew")
    return project, answer("fit", "inverse-psd", project, "--base", "auto")["bases"]


def fitted_over_a_base(folder):
    """A project, and how good each base was."""
    project, bases = _fitted_over_a_base()
    return Path(shutil.copy(project, folder / "arm.sinew")), bases


def layer(project):
    return next(row for row in answer("info", project)["stack"] if row["name"] == METHOD)


def fit_on_one_clip_is_better_there_than_a_fit_on_another(folder):
    on_bend, on_twist = fitted(folder, "bend", "--clip", "bend"), fitted(folder, "twist", "--clip", "twist")
    assert error_on(on_bend, "bend") < error_on(on_twist, "bend")
    assert error_on(on_twist, "twist") < error_on(on_bend, "twist")


def fit_on_a_clip_does_not_see_the_others(folder):
    """Another clip's target may change: the model is neither stale nor different."""
    project = fitted(folder, "seen", "--clip", "bend")
    without = folder / "without.sinew"
    shutil.copy(project, without)
    assert layer(project)["fitted_on"] == "bend"
    sinew("undo", without)  # the fit
    sinew("target", without, "remove", "twist")
    sinew("fit", METHOD, without, "--clip", "bend")
    assert error_on(project, "bend") == error_on(without, "bend")


def guard_shrinks_what_was_learned_unless_it_is_off(folder):
    project = tiny_arm(folder / "guarded.sinew")
    on = sinew("fit", "animation-space", project, "--clip", "twist")
    off = sinew("fit", "animation-space", project, "--clip", "twist", "--set", "guard=off")
    assert "note: mesh 'arm': shrunk towards the layers below in 1 of 3 regions" in on.stderr, on.stderr
    assert "shrunk" not in off.stderr, off.stderr


def strength_that_the_guard_found_stays_until_the_next_fit(folder):
    """What follows a stroke fits the corrective again and leaves the guarded skin as it is, stale."""
    project = fitted(folder, "kept-strength")  # learns from the sculpts too
    sinew("fit", "inverse-psd", project)
    sculpt, before = answer("example", project, "list")["examples"][0]["name"], error_on(project, "both")
    changed = answer("example", project, "mute", sculpt)
    assert changed["refitted"] == ["inverse-psd"], changed
    assert error_on(project, "both") == before and answer("info", project)["summary"]["stale"] == [METHOD]


def errors_of_the_base_blend_are_the_same_before_and_after_a_fit(folder):
    """Also where examples know which points were edited: the others follow the base blend, not the learned one."""
    project, posed, sculpt = tiny_arm(folder / "base.sinew"), folder / "posed.obj", folder / "sculpt.obj"
    for example in answer("example", project, "list")["examples"]:
        sinew("example", project, "remove", example["name"])
    sinew("export", project, "--pose", "both", "-o", posed)
    write_moved_obj(posed, sculpt, lambda p: (0, 0.02 if p[0] > 0.2 else 0, 0))
    sinew("example", project, "add", "--name", "mine", "--pose", "both", "--file", sculpt)
    example = answer("example", project, "list")["examples"][0]
    assert 0 < example["edited"] < len(obj_points(sculpt)), example

    def base_row():
        return next(row for row in answer("measure", project)["errors"] if row["against"] == "examples" and row["method"] == "linear-blend")

    before = base_row()
    sinew("fit", METHOD, project)
    assert base_row() == before


def painted_part_and_unlocked_joints_alone_are_fitted(folder):
    project, posed = tiny_arm(folder / "held.sinew"), folder / "held.obj"
    sinew("export", project, "--pose", "both", "-o", posed)
    sinew("example", project, "add", "--name", "mine", "--pose", "both", "--file", posed, "--group", "mine", "--mask", "z+")
    sinew("example", project, "remove", "mine")  # its mask stays, as a field

    def errors():
        rows = answer("measure", project, "--clip", "both", "--region", "z+", "--region", "z-")["errors"]
        return {(row["region"], row["method"]): row["erms"] for row in rows}

    sinew("fit", METHOD, project, "--set", "mask=mask z+")
    painted = errors()
    assert painted["z+", "stack"] < 0.95 * painted["z+", "linear-blend"], painted
    assert 0.98 < painted["z-", "stack"] / painted["z-", "linear-blend"] <= 1, painted  # points on the plane belong to both
    sinew("fit", METHOD, project, "--set", "lock@shoulder=on")
    assert layer(project)["settings"] == {"mask": "mask z+", "lock@shoulder": 1}, layer(project)
    assert painted["z+", "stack"] < errors()["z+", "stack"] < painted["z+", "linear-blend"]
    assert "the locks" in refusal("fit", METHOD, project, "--set", "joints=2", status=None)


def painted_part_and_locked_joints_of_a_mesh_animation(folder):
    """sad, with the joints of the rig: what it leaves alone, and the file of it opened again."""
    project, posed = folder / "animation.sinew", folder / "posed.obj"
    tiny_arm(project)
    sinew("export", project, "--pose", "both", "-o", posed)
    sinew("example", project, "add", "--name", "mine", "--pose", "both", "--file", posed, "--group", "mine", "--mask", "z+")
    sinew("example", project, "remove", "mine")

    def errors():
        rows = answer("measure", project, "--clip", "both", "--region", "z+")["errors"]
        return next(row["erms"] for row in rows if row["method"] == "stack")

    settings = "--set", "joints=auto", "--set", "blend=linear", "--set", "normals=off"
    sinew("fit", "sad", project, "--clip", "both", *settings, "--set", "refine=0")
    weights_of_the_rig = errors()
    sinew("fit", "sad", project, "--set", "refine=10", "--set", "mask=mask z+")
    painted = errors()
    assert painted < 0.9 * weights_of_the_rig, (painted, weights_of_the_rig)
    sinew("fit", "sad", project, "--set", "lock@elbow=on")
    locked = errors()
    assert painted < locked, (painted, locked)
    written = answer("export", project, "-o", folder / "arm.glb", "--clip", "both")
    assert written["proxy_joints"] == 3 and written["erms"] < 1, written
    sinew("import", folder / "arm.glb", "-o", folder / "again.sinew")
    assert answer("info", folder / "again.sinew")["meshes"][0]["points"] == answer("info", project)["meshes"][0]["points"]
    assert "a mask needs linear blend" in refusal("fit", "sad", project, "--set", "blend=dual-quaternion", status=None)


def choice_is_kept_by_later_fits_until_all_ends_it(folder):
    project = fitted(folder, "kept", "--clip", "bend", "--clip", "examples")
    assert layer(project)["fitted_on"] == "bend,examples"
    sinew("fit", METHOD, project, "--set", "influences=3")
    assert layer(project)["fitted_on"] == "bend,examples"
    sinew("fit", METHOD, project, "--clip", "all")
    assert "fitted_on" not in layer(project)


def unknown_names_and_methods_without_clips_are_refused(folder):
    project = folder / "refused.sinew"
    tiny_arm(project)
    assert "'walk'" in refusal("fit", METHOD, project, "--clip", "walk", status=2)
    assert "inverse-psd reads no clips" in refusal("fit", "inverse-psd", project, "--clip", "bend", status=2)
    assert "no such joint 'knee'" in refusal("fit", METHOD, project, "--set", "lock@knee=on", status=2)
    assert "no mesh has a field 'elsewhere'" in refusal("fit", METHOD, project, "--set", "mask=elsewhere", status=None)
    assert not any(row["name"] == METHOD for row in answer("info", project)["stack"])


def base_is_chosen_by_what_held_out_examples_say(folder):
    project, bases = fitted_over_a_base(folder)
    names = [base["name"] for base in bases]
    assert {"linear-blend", "dual-quaternion", "linear-blend, delta-mush", "dual-quaternion, delta-mush"} <= set(names), names
    chosen = [base for base in bases if base["chosen"]]
    assert len(chosen) == 1 and chosen[0]["erms"] == min(base["erms"] for base in bases), bases
    layers = answer("stack", project, "list")["layers"]
    assert ", ".join(layer["name"] for layer in layers if not layer["muted"]) == chosen[0]["name"] + ", inverse-psd", layers
    held_out = answer("measure", project, "--leave-one-out")["leave_one_out"]
    assert abs(math.sqrt(sum(row["erms"] ** 2 for row in held_out) / len(held_out)) - chosen[0]["erms"]) < 1e-9
    sinew("undo", project)  # the base and the fit are one step
    assert [layer["name"] for layer in answer("stack", project, "list")["layers"]] == ["linear-blend"]
    assert "expected auto" in refusal("fit", "inverse-psd", project, "--base", "best", status=2)
    assert "does not correct" in refusal("fit", "linear-blend-fit", project, "--base", "auto", status=2)
    for option in (("--keep-as", "spare"), ("--seconds", 9)):
        assert option[0] in refusal("fit", "inverse-psd", project, "--base", "auto", *option, status=2)


def fit_over_a_base_is_a_step_of_its_own_or_none(folder):
    """Also where the best base is in place already, so that it alone would change nothing."""
    project, _ = fitted_over_a_base(folder)
    sinew("pose", project, "add", "mine")
    before = answer("history", project)["history"]
    stack = answer("stack", project, "list")
    line = refusal("fit", "inverse-psd", project, "--base", "auto", "--quiet", env={"SINEW_WORKER": str(folder / "none")})
    assert "changed" not in line, line
    assert answer("history", project)["history"] == before and list(folder.iterdir()) == [project], line
    sinew("fit", "inverse-psd", project, "--base", "auto", "--set", "clamp=on")
    after = answer("history", project)["history"]
    assert after[:-1] == before and after[-1]["label"] == "fit inverse-psd --base auto", after
    assert answer("info", project)["summary"]["stale"] == []
    sinew("undo", project)
    assert answer("stack", project, "list") == stack and answer("history", project)["history"][-2] == before[-1]


def clips_without_a_target_are_posed_by_the_joints(folder):
    """Under a method that plays frames: nearly exactly with the joints and weights of the rig, else as near as proxy joints come."""
    project, shown = tiny_arm(folder / "played.sinew"), folder / "shown.obj"
    for clip in "twist", "both":
        sinew("target", project, "remove", clip)

    def points(pose, *words):
        sinew("export", project, "-o", shown, "--pose", pose, *words)
        return obj_points(shown)

    moments = "twist:0.5", "elbow-130"
    blend = {pose: points(pose) for pose in moments}
    for words, most in (("joints=auto", 3e-4), ("joints=60", 0.006)) if LONG else (("joints=auto", 3e-4),):
        said = sinew("fit", "sad", project, "--set", words, "--set", "blend=linear", "--set", "refine=0").stderr
        assert "without frames it follows the joints" in said, said
        for pose in moments:
            distances = [math.dist(p, q) for p, q in zip(points(pose), blend[pose], strict=True)]
            assert math.sqrt(sum(d * d for d in distances) / len(distances)) < most, (words, pose, max(distances))
        bent = points("bend:0.5")
        assert max(math.dist(p, q) for p, q in zip(bent, points("bend:0.5", "--method", "linear-blend"))) > 1e-3
    # An engine gets these clips too.
    report = answer("export", project, "-o", folder / "all.glb")
    assert report["clips"] == 3 and report["max_percent"] < 1, report


def no_method_ends_in_the_words_of_a_solver(folder):
    """On one sculpt, and on two of one pose that contradict each other."""
    one = sample_arm(folder / "one.sinew", sample="twist-bar")
    for target in answer("info", one)["targets"]:
        sinew("target", one, "remove", target["name"])
    first, second = answer("example", one, "list")["examples"]
    against = shutil.copy(one, folder / "against.sinew")
    sinew("example", one, "mute", second["name"])
    sinew("export", against, "--pose", "rest", "-o", folder / "flat.obj")
    sinew("example", against, "add", "--name", "again", "--pose", first["pose"], "--file", folder / "flat.obj")
    for project in (one, against) if LONG else (against,):
        methods = ("animation-space", "eigenskin", "helper-joints", "inverse-psd", METHOD, "multi-weight", "pose-regression",
                   "rotational-regression")
        for method in methods if LONG else methods[::4]:
            said = sinew("fit", method, project, "--layer", "tried", status=None)
            assert said.returncode in (0, 1) and not re.search("solver|inverse of|no inverse|singular|matrix", said.stderr), said.stderr
            if said.returncode == 0:
                sinew("undo", project)


def choice_of_a_layer_takes_effect_with_its_next_fit(folder):
    project = fitted(folder, "chosen")
    sinew("stack", project, "read", METHOD, "--clip", "bend", "--frames", "every:4")
    assert answer("info", project)["summary"]["stale"] == [METHOD]
    sinew("fit", METHOD, project)
    as_one = fitted(folder, "as-one", "--clip", "bend", "--frames", "every:4")
    assert layer(project) == layer(as_one) and error_on(project, "bend") == error_on(as_one, "bend")
    assert {row["against"] for row in answer("measure", project)["errors"] if row["held_out"]} == {"twist", "both"}
    assert "give --clip or --frames" in refusal("stack", project, "read", METHOD, status=2)
    assert "reads no clips" in refusal("stack", project, "read", "linear-blend", "--clip", "bend", status=2)
    assert "no sequence or clip with a target" in refusal("stack", project, "read", METHOD, "--clip", "nobody", status=2)
    sinew("stack", project, "read", METHOD, "--clip", "all", "--frames", "all")
    assert not any(row["held_out"] for row in answer("measure", project)["errors"])


def layers_called_like_methods_stay_what_they_are(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    names = "delta-mush", "dual-quaternion"
    for name in names:
        sinew("stack", project, "add", "smooth", "--layer", name)
    methods = {layer["name"]: layer["deformer"] for layer in answer("stack", project, "list")["layers"]}
    bases = answer("fit", "inverse-psd", project, "--base", "auto")["bases"]
    measured = {base["name"] for base in bases}
    assert {f"{blend}, {over}" for blend in ("linear-blend", "dual-quaternion-2") for over in (*names, "delta-mush-2")} <= measured, measured
    layers = answer("stack", project, "list")["layers"]
    assert methods.items() <= {layer["name"]: layer["deformer"] for layer in layers}.items(), layers
    assert "belongs to" in refusal("fit", "inverse-psd", project, "--base", "auto", "--layer", "delta-mush")


if __name__ == "__main__":
    run([guard_shrinks_what_was_learned_unless_it_is_off, strength_that_the_guard_found_stays_until_the_next_fit,
         errors_of_the_base_blend_are_the_same_before_and_after_a_fit, base_is_chosen_by_what_held_out_examples_say,
         fit_over_a_base_is_a_step_of_its_own_or_none,
         clips_without_a_target_are_posed_by_the_joints, no_method_ends_in_the_words_of_a_solver,
         choice_of_a_layer_takes_effect_with_its_next_fit, fit_on_a_clip_does_not_see_the_others,
         choice_is_kept_by_later_fits_until_all_ends_it, unknown_names_and_methods_without_clips_are_refused],
        long=[layers_called_like_methods_stay_what_they_are, fit_on_one_clip_is_better_there_than_a_fit_on_another,
              clips_without_a_target_are_posed_by_the_joints, no_method_ends_in_the_words_of_a_solver,
              painted_part_and_unlocked_joints_alone_are_fitted,
              painted_part_and_locked_joints_of_a_mesh_animation])
