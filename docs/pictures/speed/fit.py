#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws error over joints, over eigen-displacements and over seconds from `sinew bench fit P.sinew --json`, with --refined or
without: fit.py NAME=FILE.json … > sad.svg"""
import json
import math
import sys

WIDTH, HEIGHT, LEFT, TOP = 360, 260, 52, 40
COLOURS = {"rigid": "#2a6f97", "affine": "#c1554d"}


def settings_of(row):
    return dict(word.split("=") for word in row["settings"].split())


def scale(values, low, high, logarithmic):
    f = math.log if logarithmic else float
    least, most = f(min(values)), f(max(values))
    return lambda v: low + (high - low) * ((f(v) - least) / (most - least) if most > least else 0.5)


def plot(title, across, lines, left, top, logarithmic):
    """lines: name → [(x, distortion)]."""
    points = [p for line in lines.values() for p in line]
    if not points:
        return
    x = scale([p[0] for p in points], left + LEFT, left + WIDTH - 14, logarithmic)
    ceiling = max(p[1] for p in points) or 1
    y = lambda v: top + HEIGHT - 34 - (HEIGHT - 34 - TOP) * v / ceiling
    print(f'<text x="{left + LEFT}" y="{top + 18}" font-size="13">{title}</text>')
    print(f'<text x="{left + LEFT}" y="{top + 32}" fill="#555">distortion in percent over {across}</text>')
    for part in (0, 0.5, 1):
        print(f'<line x1="{left + LEFT}" x2="{left + WIDTH - 14}" y1="{y(part * ceiling):.1f}" y2="{y(part * ceiling):.1f}" stroke="#ddd"/>')
        print(f'<text x="{left + LEFT - 4}" y="{y(part * ceiling) + 4:.1f}" text-anchor="end">{part * ceiling:.3g}</text>')
    for name, line in lines.items():
        colour = COLOURS.get(name, "#555")
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in line)
        print(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for a, b in line:
            print(f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="2.5" fill="{colour}"/>')
    for value in sorted({p[0] for p in points}):
        if not logarithmic or value in (min(p[0] for p in points), max(p[0] for p in points)):
            print(f'<text x="{x(value):.1f}" y="{top + HEIGHT - 18}" text-anchor="middle">{value:.3g}</text>')
    for i, name in enumerate(lines):
        print(f'<text x="{left + WIDTH - 60}" y="{top + TOP + 14 * (i + 1)}" fill="{COLOURS.get(name, "#555")}">{name}</text>')


def lines_of(rows, series, key):
    lines = {}
    for row in rows:
        settings = settings_of(row)
        if row["what"] == series:
            value = row[key] if key in row else float(settings[key])
            lines.setdefault(settings["transforms"], []).append((value, row["distortion_percent"]))
    return lines


def main():
    subjects = [(word.split("=", 1)[0], json.load(open(word.split("=", 1)[1]))["rows"]) for word in sys.argv[1:]]
    columns = [("joints", "joints", "proxy joints", False), ("eigen", "eigen", "eigen-displacements, 100 joints", False),
               ("refined", "joints", "proxy joints, weights refined", False),
               ("refined", "seconds", "seconds, 5 to 100 joints", True),
               ("iterations", "seconds", "seconds, {joints} joints, by iterations", True)]
    shown = [(name, rows, [c for c in columns if any(row["what"] == c[0] and (c[1] in row or c[1] in settings_of(row)) for row in rows)]) for name, rows in subjects]
    across = max(len(charts) for _, _, charts in shown)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * across}" height="{HEIGHT * len(shown)}" '
          'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="#fff"/>')
    for r, (name, rows, charts) in enumerate(shown):
        for c, (series, key, words, logarithmic) in enumerate(charts):
            joints = next(settings_of(row)["joints"] for row in rows if row["what"] == series)
            plot(name, words.format(joints=joints), lines_of(rows, series, key), WIDTH * c, HEIGHT * r, logarithmic)
    print("</svg>")


main()
