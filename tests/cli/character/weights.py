#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin weights edited as a whole by the command line; each edit is one step that is taken back."""

import math
import sqlite3
import struct
from contextlib import closing

from harness import answer, refusal, run, sample_arm, sinew, tiny_arm


def blobs(project, *columns):
    """Columns of the project's only mesh."""
    with closing(sqlite3.connect(project)) as database:
        return database.execute(f"SELECT {', '.join(columns)} FROM mesh").fetchone()


def rest(project):
    return list(struct.iter_unpack("<3d", blobs(project, "points_rest")[0]))


def skin(project):
    """Weights by slot, for each point."""
    offsets, slots, weights = blobs(project, "influence_offsets", "influence_slots", "influence_weights")
    offsets, slots, weights = ([number for number, in struct.iter_unpack(kind, blob)]
                               for kind, blob in (("<I", offsets), ("<I", slots), ("<d", weights)))
    return [dict(zip(slots[begin:end], weights[begin:end])) for begin, end in zip(offsets, offsets[1:])]


def exchange_first_slots(project, point):
    """The first two influences of a point, the one with the other's weight."""
    offsets, slots = blobs(project, "influence_offsets", "influence_slots")
    begin, changed = 4 * struct.unpack_from("<I", offsets, 4 * point)[0], bytearray(slots)
    changed[begin:begin + 8] = slots[begin + 4:begin + 8] + slots[begin:begin + 4]
    with closing(sqlite3.connect(project)) as database, database:
        database.execute("UPDATE mesh SET influence_slots = ?", (bytes(changed),))


def same_weights(one, other):
    for a, b in zip(one, other, strict=True):
        assert all(abs(a.get(slot, 0) - b.get(slot, 0)) < 1e-9 for slot in a | b), (a, b)


def weights_are_pruned_and_taken_back(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    before = answer("info", project)["meshes"]
    pruned = answer("weights", project, "prune", "--influences", 1)
    assert pruned["influences"] == before[0]["points"], pruned
    sinew("undo", project)
    assert answer("info", project)["meshes"] == before


def mirrored_weights_are_alike_on_both_sides(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    points, weights = rest(project), skin(project)
    upset = next(i for i, (place, row) in enumerate(zip(points, weights)) if place[2] < -1e-3 and len(set(row.values())) > 1)
    exchange_first_slots(project, upset)
    weights = skin(project)
    result = answer("weights", project, "mirror", "--axis", "z", "--from", "-")
    mirrored, (x, y, z) = skin(project), points[upset]
    partner = min(range(len(points)), key=lambda i: math.dist(points[i], (x, y, -z)))
    assert math.dist(points[partner], (x, y, -z)) < 1e-6 and partner != upset
    same_weights([mirrored[upset], mirrored[partner]], [weights[upset]] * 2)
    assert result["influences"] == sum(map(len, mirrored))
    sinew("undo", project)
    same_weights(skin(project), weights)


def what_changes_nothing_changes_no_bit(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    before = blobs(project, "*")
    for words in (["normalise"], ["normalise", "--lock", "elbow"], ["prune", "--influences", 64, "--least", 0],
                  ["prune", "--influences", 64, "--least", 0, "--lock", "wrist"]):
        assert "nothing to change" in sinew("weights", project, *words).stdout, words
        assert blobs(project, "*") == before, words


def weight_of_a_point_is_set(folder):
    project = folder / "arm.sinew"
    tiny_arm(project)
    before = skin(project)
    result = answer("weights", project, "set", "elbow", "--point", 3, "--weight", 0.25)
    assert result["changed"] == [{"mesh": "arm"}], result
    after = skin(project)
    assert [i for i in range(len(before)) if before[i] != after[i]] == [3] and abs(sum(after[3].values()) - 1) < 1e-12, (before[3], after[3])
    assert abs(after[3][1] - 0.25) < 1e-12, after[3]
    assert answer("history", project)["history"][-1]["label"] == "set weights of elbow"
    assert "nothing to change" in sinew("weights", project, "set", "elbow", "--point", 3, "--weight", 0.25).stdout
    assert "has no point 99999" in refusal("weights", project, "set", "elbow", "--point", 99999, "--weight", 0.25)
    assert "locked" in refusal("weights", project, "set", "elbow", "--point", 3, "--weight", 1, "--lock", "elbow")


def what_cannot_be_edited_is_refused(folder):
    project = folder / "bar.sinew"
    sample_arm(project, sample="bar")
    assert "'bind' makes them" in refusal("weights", project, "prune")
    assert "no joint is named 'knee'" in refusal("weights", project, "prune", "--lock", "knee")
    assert "no skin weights" in refusal("weights", project, "copy", "--from", "bar")
    assert "--from" in refusal("weights", project, "copy", status=2)
    assert "--from" in refusal("weights", project, "mirror", "--from", "left", status=2)
    assert "--influences" in refusal("weights", project, "normalise", "--influences", 2, status=2)
    assert "--least" in refusal("weights", project, "mirror", "--least", 0.1, status=2)


if __name__ == "__main__":
    run([weights_are_pruned_and_taken_back, mirrored_weights_are_alike_on_both_sides,
         what_changes_nothing_changes_no_bit, weight_of_a_point_is_set, what_cannot_be_edited_is_refused])
