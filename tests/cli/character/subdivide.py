#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character is subdivided: posed points against a Catmull-Clark of this file, what is refused, and what is kept."""

from collections import defaultdict

from harness import LONG, answer, obj_points, refusal, run, sample_arm, sinew, tiny_arm


def mean(points, *weights):
    weights = weights or [1 / len(points)] * len(points)
    return tuple(sum(w * p[c] for w, p in zip(weights, points)) for c in range(3))


def obj_faces(path):
    return [[int(word.split("/")[0]) - 1 for word in line.split()[1:]]
            for line in path.read_text().splitlines() if line.startswith("f ")]


def catmull_clark(points, faces):
    """One level: points of faces, of edges, and the old ones."""
    middles = [mean([points[p] for p in face]) for face in faces]
    sides, around = defaultdict(list), defaultdict(list)
    for f, face in enumerate(faces):
        for a, b in zip(face, face[1:] + face[:1]):
            sides[min(a, b), max(a, b)].append(f)
        for p in face:
            around[p].append(f)
    ends = defaultdict(list)
    for edge in sides:
        for p in edge:
            ends[p].append(edge)
    made = list(middles)
    for (a, b), of in sides.items():
        made.append(mean([points[a], points[b]] + [middles[f] for f in of] if len(of) == 2 else [points[a], points[b]]))
    for p, edges in ends.items():
        rim = [edge for edge in edges if len(sides[edge]) == 1]
        if rim:
            made.append(points[p] if len(around[p]) == 1 else
                        mean([points[p]] + [points[a + b - p] for a, b in rim], 6 / 8, 1 / 8, 1 / 8))
        else:
            n = len(edges)
            face = mean([middles[f] for f in around[p]])
            edge = mean([mean([points[a], points[b]]) for a, b in edges])
            made.append(mean([face, edge, points[p]], 1 / n, 2 / n, (n - 3) / n))
    return made


def nearest(points, wanted):
    """For each wanted point the index of the nearest, no farther than a grid's cell."""
    cells = defaultdict(list)
    for i, p in enumerate(points):
        cells[tuple(round(1000 * x) for x in p)].append(i)
    found = []
    for q in wanted:
        x, y, z = (round(1000 * c) for c in q)
        near = [i for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) for i in cells.get((x + a, y + b, z + c), ())]
        found.append(min(near, key=lambda i: sum((a - b) ** 2 for a, b in zip(points[i], q))))
    return found


def apart(points, wanted):
    return max(max(abs(a - b) for a, b in zip(p, q)) for p, q in zip(points, wanted))


def posing_then_subdividing_is_subdividing_then_posing(folder):
    project = tiny_arm(folder / "arm.sinew")
    poses = ("rest", "bent")
    sinew("pose", project, "add", "bent", "--rotate", "elbow=0,0,1.4")
    before = [folder / f"before-{pose}.obj" for pose in poses]
    after = [folder / f"after-{pose}.obj" for pose in poses]
    for pose, path in zip(poses, before):
        sinew("export", project, "--pose", pose, "-o", path)
    report = answer("mesh", project, "subdivide")
    for pose, path in zip(poses, after):
        sinew("export", project, "--pose", pose, "-o", path)
    faces = obj_faces(before[0])
    wanted = [catmull_clark(obj_points(path), faces) for path in before]
    made = [obj_points(path) for path in after]
    assert len(made[0]) == len(wanted[0]) == report["points"], report
    assert len(obj_faces(after[0])) == sum(map(len, faces)) == report["faces"], report
    order = nearest(made[0], wanted[0])
    assert sorted(order) == list(range(len(order)))
    for points, expected in zip(made, wanted):
        assert apart([points[i] for i in order], expected) < 2e-6
    assert report["stack_max_percent"] < 1e-6 and report["naive_max_percent"] > 0.01, report
    naive = folder / "naive.obj"
    sinew("export", project, "--pose", "bent", "--method", "linear-blend", "-o", naive)
    blended = obj_points(naive)
    assert apart([blended[i] for i in order], wanted[1]) > 1e-4


def contents(project):
    """All that info reports but the size of the file, whose journal grows."""
    found = answer("info", project)
    del found["summary"]["bytes"]
    return found


def stack_error(project, *words):
    return max(row["erms"] for row in answer("measure", project, *words)["errors"] if row["method"] == "stack")


def sculpts_are_refined_and_fitted_again(folder):
    project = tiny_arm(folder / "arm.sinew", fitted=True)
    before = contents(project)
    report = answer("mesh", project, "subdivide", "--levels", 1)
    assert report["refitted"] == ["inverse-psd"], report
    rows = answer("measure", project)["errors"]
    error = next(row["erms"] for row in rows if row["against"] == "examples" and row["method"] == "stack")
    assert error < 1e-3, rows
    assert report["stack_max_percent"] < 2, report
    sinew("undo", project)
    assert contents(project) == before


def what_cannot_be_subdivided_exactly_is_named(folder):
    project = tiny_arm(folder / "small.sinew")
    assert "catmull-clark" in refusal("mesh", project, "subdivide", "--scheme", "loop")
    assert "--scheme" in refusal("mesh", project, "subdivide", "--scheme", "doo", status=2)
    assert "--levels" in refusal("mesh", project, "subdivide", "--levels", 9, status=2)
    sinew("fit", "rotational-regression", project, "--set", "proxies=0", "--clip", "bend", "--frames", "every:12")
    before = contents(project)
    line = refusal("mesh", project, "subdivide")
    assert "layer 'rotational-regression' cannot follow" in line and "a gradient for each triangle" in line, line
    assert contents(project) == before
    project = tiny_arm(folder / "below.sinew")
    sinew("stack", project, "add", "delta-mush")
    sinew("stack", project, "move", "delta-mush", 0)
    assert "a black box below layer 'linear-blend'" in refusal("mesh", project, "subdivide")


def models_of_proxies_and_displacements_follow(folder):
    """By the stencils: no fit is repeated, nothing is stale, and the error against the subdivided target stays near."""
    project = (sample_arm if LONG else tiny_arm)(folder / "arm.sinew")
    sinew("fit", "rotational-regression", project, "--clip", "bend", "--frames", "every:4", *(() if LONG else ("--set", "proxies=4")))
    sinew("fit", "pose-regression", project, "--clip", "bend", "--set", "displacements=3")
    words = "--clip", "both"
    before, error = contents(project), stack_error(project, *words)
    report = answer("mesh", project, "subdivide")
    assert report["base"] == "rotational-regression" and "removed" not in report and report["refitted"] == [], report
    assert [row["layer"] for row in report["changed"]] == ["rotational-regression", "pose-regression"], report
    assert 0 < report["stack_max_percent"] < 1, report
    after = stack_error(project, *words)
    assert abs(after - error) < 0.1 * error + 0.01, (after, error)
    assert not any(row["stale"] for row in answer("stack", project, "list")["layers"]), answer("stack", project, "list")
    sinew("undo", project)
    assert contents(project) == before


def animation_without_a_rig_follows(folder):
    """SAD's proxies keep their transforms. The frames are subdivided too, and are the truth."""
    project, words = folder / "tube.sinew", ("--clip", "bend")
    sinew("sample", "tube", "-o", project)
    sinew("fit", "sad", project, "--set", "joints=8", "--set", "eigen=2")
    before, error = contents(project), stack_error(project, *words)
    report = answer("mesh", project, "subdivide")
    assert report["base"] == "sad" and [row["layer"] for row in report["changed"]] == ["sad"], report
    after = stack_error(project, *words)
    assert abs(after - error) < 0.1 * error, (after, error)
    sinew("undo", project)
    assert contents(project) == before


def dual_quaternions_blend_the_subdivided_weights(folder):
    project = tiny_arm(folder / "arm.sinew")
    sinew("stack", project, "add", "dual-quaternion")
    sinew("fit", "inverse-psd", project)
    before = contents(project)
    report = answer("mesh", project, "subdivide")
    assert report["base"] == "dual-quaternion" and report["refitted"] == ["inverse-psd"] and "naive_erms" not in report, report
    assert 0 < report["stack_max_percent"] < 0.1, report
    stack = [(row["name"], row["muted"]) for row in answer("stack", project, "list")["layers"]]
    assert stack == [("linear-blend", True), ("dual-quaternion", False), ("inverse-psd", False)], stack
    rows = answer("measure", project)["errors"]
    assert all(row["erms"] < 1e-3 for row in rows if row["against"] == "examples" and row["method"] == "stack"), rows
    sinew("undo", project)
    assert contents(project) == before


run([posing_then_subdividing_is_subdividing_then_posing, sculpts_are_refined_and_fitted_again,
     what_cannot_be_subdivided_exactly_is_named, models_of_proxies_and_displacements_follow,
     animation_without_a_rig_follows], long=[dual_quaternions_blend_the_subdivided_weights, models_of_proxies_and_displacements_follow])
