#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sinew do: scripts of operators, checked before they run, line by line or as one step."""

import json

from harness import answer, refusal, run, sinew, tiny_arm


def arm(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    return project


def script(folder, *lines):
    path = folder / "script.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def labels(project):
    return [row["label"] for row in answer("history", project)["history"] if not row["undone"]]


def joints(project):
    return [row["name"] for row in answer("joint", project, "list")["joints"]]


def lines_are_steps_of_their_own(folder):
    project = arm(folder)
    before = labels(project)
    text = sinew("do", project, script(folder, "# quoted as in sh", "", "joint add 'a \"b\"' --at=0,1,0", 'joint name "a \\"b\\"" tip', "joint moves tip on",
                                      "undo", "weights prune --influences 1"), "--json").stdout
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["line"] for row in rows] == [3, 4, 5, 6, 7], rows
    assert rows[0]["made"] == [{"joint": 'a "b"'}] and rows[3]["undone"] == "change joint tip" and rows[4]["influences"] > 0, rows
    assert labels(project) == before + ['add joint a "b"', 'rename joint a "b"', "prune weights of arm"], labels(project)


def fit_in_a_script_is_a_step_of_its_own(folder):
    """Also as a part of one step, where it reads what the lines before it have made."""
    project = arm(folder)
    before = labels(project)
    lines = "group add mine", "fit inverse-psd --set clamp=on --layer learned"
    rows = [json.loads(line) for line in sinew("do", project, script(folder, *lines), "--json").stdout.splitlines()]
    assert rows[1]["made"] == [{"layer": "learned"}] and rows[1]["model_bytes"] > 0, rows
    assert labels(project) == before + ["add group mine", "fit learned"], labels(project)
    sinew("undo", project)
    sinew("undo", project)
    sinew("do", project, script(folder, *lines), "--as-one")
    assert labels(project) == before + ["do script.txt"], labels(project)
    assert [layer["stale"] for layer in answer("stack", project, "list")["layers"] if layer["name"] == "learned"] == [False]
    sinew("undo", project)
    assert not any(layer["name"] == "learned" for layer in answer("stack", project, "list")["layers"])


def bake_in_a_script_keeps_the_skin_that_is_named(folder):
    project = arm(folder)
    before = labels(project)
    line = "bake --budget influences=2 --clip bend --skin "
    assert "the bake has '1 influence, 0 morphs', '2 influences, 0 morphs'" in refusal("do", project, script(folder, line + "none"), status=2)
    rows = sinew("do", project, script(folder, line + "'1 influence, 0 morphs'"), "--json").stdout.splitlines()
    assert json.loads(rows[0])["made"] == [{"layer": "baked"}], rows
    assert labels(project) == before + ["bake 1 influence, 0 morphs"], labels(project)


def lines_before_the_failing_one_stay(folder):
    project = arm(folder)
    said = sinew("do", project, script(folder, "joint add tip --at=0,1,0", "joint name tip elbow", "joint remove tip"), status=1).stderr
    assert "line 2" in said and "exists" in said, said
    assert "tip" in joints(project)


def failing_line_is_one_object(folder):
    project = arm(folder)
    lines = "joint add tip --at=0,1,0", "joint limit nose 3"
    for options, kept in [((), [1, 2]), (("--as-one",), [2])]:
        rows = [json.loads(line) for line in sinew("do", project, script(folder, *lines), "--json", *options, status=1).stdout.splitlines()]
        assert [row["line"] for row in rows] == kept and "no joint is named 'nose'" in rows[-1]["error"], rows
        if not options:
            sinew("undo", project)
    rows = [json.loads(line) for line in sinew("do", project, script(folder, *lines, "joint fly"), "--json", status=2).stdout.splitlines()]
    assert len(rows) == 1 and rows[0]["line"] == 3 and "fly" in rows[0]["error"], rows


def what_changes_nothing_says_so_and_is_no_step(folder):
    project = arm(folder)
    before = labels(project)
    lines = ("weights normalise", "weights mirror", "stack unmute linear-blend", "stack move linear-blend 0", "example place elbow-130 0", "example unmute elbow-130",
             "pose name elbow-130 elbow-130", "pose set elbow-130", "joint limit elbow 0", "group name elbow elbow")
    rows = [json.loads(row) for row in sinew("do", project, script(folder, *lines), "--json").stdout.splitlines()]
    assert len(rows) == len(lines) and not any(row.keys() & {"made", "changed", "removed"} for row in rows), rows
    assert sinew("do", project, script(folder, *lines)).stdout == len(lines) * "nothing to change\n"
    said = sinew("do", project, script(folder, "weights normalise", "joint limit nose 3"), status=1).stderr
    assert "before that" not in said, said
    sinew("fit", "inverse-psd", project)
    saved = sinew("group", project, "falloff", "elbow", "--save", "mine", env={"XDG_CONFIG_HOME": str(folder)}).stdout
    assert saved == "falloff mine is saved for all your projects\n" and labels(project) == before + ["fit inverse-psd"], (saved, labels(project))
    row = answer("pose", project, "add", "again", "--rotate", "elbow=0,0,1")
    assert row["made"] == [{"pose": "again"}], row
    row = answer("pose", project, "add", "again", "--replace", "--rotate", "elbow=0,0,2")
    assert row["changed"] == [{"pose": "again"}] and "made" not in row, row


def example_has_the_skin_as_it_is(folder):
    """Without a file: named and grouped after the joint that drives it, where its pose has no name of its own."""
    project = arm(folder)
    sinew("fit", "inverse-psd", project)
    before = labels(project)
    rows = [json.loads(line) for line in sinew("do", project, script(folder, "pose add half --rotate elbow=0,0,0.7", "pose add unnamed --rotate wrist=0,0,0.7",
                                                                      "example add --pose half", "example add --pose unnamed", "example add --pose bend:0.4",
                                                                      "example update half", "example update half --method linear-blend"), "--json").stdout.splitlines()]
    assert rows[2]["made"] == [{"example": "half"}] and rows[2]["changed"] == [{"group": "elbow"}], rows[2]
    assert rows[3]["made"] == [{"pose": "Wrist 40°"}, {"example": "Wrist 40°"}] and rows[3]["changed"] == [{"group": "wrist"}], rows[3]
    assert rows[4]["made"] == [{"pose": "bend 0.4 s"}, {"example": "Elbow 117°"}], rows[4]
    assert labels(project)[len(before) + 2:] == ["add example half", "add example Wrist 40°", "add example Elbow 117°", "update example half", "update example half"], labels(project)
    assert rows[6]["edited"] == 0, rows[6]
    assert "rest pose cannot be sculpted" in refusal("example", project, "add", "--pose", "rest", status=2)


def whole_script_is_checked_first(folder):
    project = arm(folder)
    before = labels(project)
    for line, said in [("joint fly tip", "no operator 'joint fly'"), ("weights prune --influence 4", "no option --influence"), ("joint name tip", "NEW is missing"),
                       ("joint name 'tip", "quote"), ("window orbit 1 2", "view --script")]:
        refused = refusal("do", project, script(folder, "joint add tip --at=0,1,0", line), status=2)
        assert "line 2" in refused and said in refused, refused
    assert labels(project) == before


def as_one_is_one_step_or_nothing(folder):
    project = arm(folder)
    before, had = labels(project), joints(project)
    said = refusal("do", project, script(folder, "joint add tip --at=0,1,0", "joint limit nose 3"), "--as-one", status=1)
    assert "line 2: no joint is named 'nose'" in said and said.rstrip().endswith("nothing was changed"), said
    assert labels(project) == before and joints(project) == had
    assert "nothing to redo" in refusal("redo", project)
    sinew("joint", project, "limit", "elbow", "30")
    sinew("undo", project)
    refusal("do", project, script(folder, "joint add tip --at=0,1,0", "joint limit nose 3"), "--as-one", status=1)
    assert "limit joint elbow" in sinew("redo", project).stdout
    sinew("undo", project)
    sinew("do", project, script(folder, "joint add tip --at=0,1,0", "joint name tip top", "joint remove top"), "--as-one")
    assert labels(project) == before and "limit joint elbow" in sinew("redo", project).stdout
    sinew("undo", project)
    said = refusal("do", project, script(folder, "weights normalise", "joint limit nose 3"), "--as-one", status=1)
    assert said.rstrip().endswith("nothing was changed"), said
    for word in ("undo", "redo", "save"):
        assert "--as-one" in refusal("do", project, script(folder, "joint add tip --at=0,1,0", word), "--as-one", status=2)
    sinew("do", project, script(folder, "joint moves elbow off", "joint add tip --at=0,1,0 --parent wrist", "joint limit tip 30"), "--as-one")
    assert labels(project) == before + ["do script.txt"], labels(project)
    sinew("undo", project)
    assert joints(project) == had


def examples_are_grouped_masked_placed_named_and_muted(folder):
    project = arm(folder)
    sinew("do", project, script(folder, "group add both --joints elbow,wrist", "example join elbow-130 both --mask y+", "example move wrist-150 both",
                                "example place wrist-150 --by -1", "example name wrist-150 'the wrist'", "example mute 'the wrist'", "group move both --to 0",
                                "group joints both --toggle wrist"))
    both, elbow, wrist = answer("group", project, "list")["groups"]
    assert both["name"] == "both" and both["examples"] == [{"name": "the wrist", "mask": None}, {"name": "elbow-130", "mask": "mask y+"}], both
    assert [joint["name"] for joint in both["joints"]] == ["elbow"] and len(elbow["examples"]) == 1 and wrist["examples"] == [], (elbow, wrist)
    assert [row["name"] for row in answer("example", project, "list")["examples"] if row["muted"]] == ["the wrist"]
    assert "several groups; choose one with --group: both, elbow" in refusal("example", project, "leave", "elbow-130", status=2)
    assert answer("example", project, "mask", "elbow-130", "--group", "both")["changed"] == [{"example": "elbow-130"}, {"group": "both"}]
    assert answer("group", project, "list")["groups"][0]["examples"][1]["mask"] is None
    assert "in no group now" in sinew("group", project, "remove", "both").stderr
    assert "is in no group; 'example join' adds it to one" in refusal("example", project, "leave", "the wrist")


if __name__ == "__main__":
    run([lines_are_steps_of_their_own, fit_in_a_script_is_a_step_of_its_own, bake_in_a_script_keeps_the_skin_that_is_named,
         lines_before_the_failing_one_stay, failing_line_is_one_object,
         what_changes_nothing_says_so_and_is_no_step, example_has_the_skin_as_it_is, whole_script_is_checked_first,
         as_one_is_one_step_or_nothing, examples_are_grouped_masked_placed_named_and_muted])
